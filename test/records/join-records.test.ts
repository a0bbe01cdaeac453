import { describe, expect, it } from 'vitest';
import { joinRecords, redirectPatch } from '#records/duplicates/join-records.ts';
import type { MediaRecord } from '#records/media-record.ts';
import { madeRecord } from '#testing/made-record.ts';

type Given = Partial<MediaRecord>;

/** What a record with `keep` gains from records with `others`, without its id. */
function gain(keep: Given, ...others: Given[]): Given {
  const names = { name: 'Herald' };
  const { id, ...gained } = joinRecords(
    madeRecord({ ...names, ...keep, id: 'keep' }),
    others.map((other, place) => madeRecord({ ...names, ...other, id: `other${place}` })),
  );
  expect(id).toBe('keep');
  return gained;
}

const verified = (email: string, day: string | null, status: MediaRecord['email_status'] = 'valid'): Given => ({
  email,
  email_status: status,
  email_source: `https://${email.split('@')[1]}/contact`,
  last_verified_at: day && `${day}T00:00:00.000Z`,
});
const old = verified('old@a.example', '2024-01-01');
const recent = verified('recent@a.example', '2026-01-01');

describe('joined records', () => {
  it.each<[string, Given, Given[], Given]>([
    ['gain nothing from records that know no more', { phone: '+1 555 0100' }, [{}, { phone: '+1 555 0199' }], {}],
    [
      'gain what they lack, from the first that knows it',
      {},
      [{}, { phone: '+1 555 0100' }, { phone: '+1 555 0199' }],
      { phone: '+1 555 0100' },
    ],
    [
      'gain other names as aliases, each once',
      { aliases: ['H'] },
      [{ name: 'HERALD' }, { name: 'The Herald', aliases: ['h', 'Herold'] }],
      { aliases: ['H', 'The Herald', 'Herold'] },
    ],
    [
      'unite topics',
      { categories: ['politics'] },
      [{ categories: ['business', 'politics'] }],
      { categories: ['politics', 'business'] },
    ],
    ['gain a later verified address with all that belongs to it', old, [recent], recent],
    [
      'gain an address where they have none, verified or not',
      {},
      [verified('any@a.example', null)],
      {
        email: 'any@a.example',
        email_status: 'valid',
        email_source: 'https://a.example/contact',
      },
    ],
    ['keep a later verified address', recent, [old], {}],
    ['keep an address rather than a later one that is invalid', old, [{ ...recent, email_status: 'invalid' }], {}],
    [
      'gain a contact with the title',
      { contact_title: 'Editor' },
      [{ contact_name: 'Ada', contact_title: 'Publisher' }],
      { contact_name: 'Ada', contact_title: 'Publisher' },
    ],
    [
      'gain the rest of a place that agrees',
      { city: 'Springfield' },
      [
        { city: 'Salem', country: 'CA' },
        { city: 'springfield', region: 'Illinois', country: 'US' },
      ],
      { region: 'Illinois', country: 'US' },
    ],
    [
      'gain nothing of another place',
      { city: 'Springfield' },
      [{ city: 'Salem', region: 'Oregon', country: 'US' }],
      {},
    ],
  ])('%s', (_, keep, others, gained) => {
    expect(gain(keep, ...others)).toEqual(gained);
  });
});

describe('a patch for a merged id', () => {
  const known = { phone: '+1 555 0100', description: 'Daily.', contact_name: 'Ada', country: 'GB' };
  const kept = madeRecord({ id: 'keep', name: 'The Herald', aliases: ['H'], ...known, ...recent });

  it.each<[string, Given, Given]>([
    ['fills what is unknown', { audience: 900, city: 'Leeds' }, { audience: 900, city: 'Leeds' }],
    ['changes nothing that is known', { phone: '+1 555 0199', description: 'Other', updated_at: '2030-01-01' }, {}],
    ['brings no other kind, nor the type of one', { kind: 'podcast', type: 'radio' }, {}],
    ['does not clear', { phone: null, aliases: [], url: null }, {}],
    ['brings its name as an alias', { name: 'Herald Online' }, { aliases: ['H', 'Herald Online'] }],
    ['brings no address beside another, nor what is known of it', verified('new@a.example', '2030-01-01'), {}],
    ['brings no title for a contact it does not name', { contact_title: 'Publisher' }, {}],
    ['completes no place with parts of another', { country: 'CA', region: 'Ontario' }, {}],
  ])('%s', (_, patch, redirected) => {
    expect(redirectPatch({ id: 'old', ...patch }, 'keep', kept)).toEqual({ id: 'keep', ...redirected });
  });

  it('brings an address with all that is known of it, where there is none', () => {
    const address = verified('new@a.example', '2026-02-01');
    const without = madeRecord({ id: 'keep', email: null });
    expect(redirectPatch({ id: 'old', ...address }, 'keep', without)).toEqual({ id: 'keep', ...address });
  });

  it('makes the kept record again if that is gone', () => {
    expect(redirectPatch({ id: 'old', kind: 'outlet', name: 'Herald' }, 'keep', null)).toEqual({
      id: 'keep',
      kind: 'outlet',
      name: 'Herald',
    });
  });
});
