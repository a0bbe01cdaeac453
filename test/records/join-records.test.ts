import { describe, expect, it } from 'vitest';
import { joinRecords, redirectPatch } from '#records/duplicates/join-records.ts';
import type { MediaRecord } from '#records/media-record.ts';
import { mergeRecord } from '#records/merge-record.ts';
import { readCases } from '#testing/cases.ts';
import { madePatch, madeRecord } from '#testing/made-record.ts';

type Given = Partial<Omit<MediaRecord, 'contacts'>> & { contacts?: unknown };

/** What a record with `keep` gains from records with `others`, without its id. */
function gain(keep: Partial<MediaRecord>, ...others: Partial<MediaRecord>[]): object {
  const names = { name: 'Herald' };
  const { id, ...gained } = joinRecords(
    madeRecord({ ...names, ...keep, id: 'keep' }),
    others.map((other, place) => madeRecord({ ...names, ...other, id: `other${place}` })),
  );
  expect(id).toBe('keep');
  return gained;
}

const verified = (email: string, day: string) => ({
  email,
  email_status: 'valid' as const,
  email_source: `https://${email.split('@')[1]}/contact`,
  last_verified_at: `${day}T00:00:00.000Z`,
});
const recent = verified('recent@a.example', '2026-01-01');

describe('joined records', () => {
  it.each(
    readCases<[string, Partial<MediaRecord>, Partial<MediaRecord>[], Given]>(new URL('joined.tsv', import.meta.url)),
  )('%s', (_, keep, others, gained) => {
    const all = gain(keep, ...others);
    expect(Object.keys(all).toSorted()).toEqual(Object.keys(gained).toSorted());
    expect(all).toMatchObject(gained);
  });
});

describe('a patch for a merged id', () => {
  const known = { phone: '+1 555 0100', description: 'Daily.', contact_name: 'Ada Roe', country: 'GB' };
  const kept = madeRecord({ id: 'keep', name: 'The Herald', aliases: ['H'], ...known, ...recent });

  it.each<[string, Given, Given]>([
    ['fills what is unknown', { audience: 900, city: 'Leeds' }, { audience: 900, city: 'Leeds' }],
    ['changes nothing that is known', { description: 'Other', updated_at: '2030-01-01' }, {}],
    ['brings no other kind, nor the type of one', { kind: 'podcast', type: 'radio' }, {}],
    ['does not clear', { aliases: [], url: null }, {}],
    ['brings its name as an alias', { name: 'Herald Online' }, { aliases: ['H', 'Herald Online'] }],
    ['completes no place with parts of another', { country: 'CA', region: 'Ontario' }, {}],
  ])('%s', (_, patch, redirected) => {
    expect(redirectPatch({ id: 'old', ...(patch as object) }, 'keep', kept)).toEqual({ id: 'keep', ...redirected });
  });

  it('completes the contacts of the kept record, and adds others', () => {
    const merge = (patch: Partial<MediaRecord>) => {
      const result = mergeRecord(kept, redirectPatch({ ...madePatch(patch), id: 'old' }, 'keep', kept), new Date());
      return 'record' in result ? result.record.contacts : kept.contacts;
    };
    const title = { contact_name: 'Ada Roe', contact_title: 'Publisher' };
    expect(merge({ ...title, ...verified('new@a.example', '2030-01-01'), phone: null })).toMatchObject([
      { name: 'Ada Roe', title: 'Publisher', phone: '+1 555 0100', ...recent },
    ]);
    expect(merge({ ...title, contact_name: 'Bob Poe' })).toMatchObject([{ name: 'Ada Roe' }, { name: 'Bob Poe' }]);
  });

  it('makes the kept record again if that is gone', () => {
    expect(redirectPatch({ id: 'old', kind: 'outlet', name: 'Herald' }, 'keep', null)).toEqual({
      id: 'keep',
      kind: 'outlet',
      name: 'Herald',
    });
  });
});
