import { describe, expect, it } from 'vitest';
import type { MediaRecord, RecordPatch } from '#records/media-record.ts';
import { mergeRecord } from '#records/merge-record.ts';
import { normalizeRecord } from '#records/normalize/normalize-record.ts';
import { madePatch, madeRecord } from '#testing/made-record.ts';

const now = new Date('2026-11-21T10:00:00Z');
const stored = madeRecord({
  id: '1',
  name: 'One',
  country: 'US',
  country_name: 'United States',
  continent: 'north_america',
  region: 'Illinois',
  city: 'Springfield',
  city_size: 'small',
  email: 'desk@one.example',
  email_status: 'invalid',
  email_source: 'https://one.example/imprint',
  last_verified_at: '2026-01-01T00:00:00.000Z',
});

function merged(patch: Omit<RecordPatch, 'id'>) {
  const result = mergeRecord(stored, { id: '1', ...patch }, now);
  if (!('record' in result)) throw new Error(result.outcome);
  return result.record;
}

describe('merging a patch', () => {
  it('creates a new record from one with kind and name, and none from less', () => {
    expect(mergeRecord(null, { id: '2', kind: 'outlet', name: 'Two' }, now)).toMatchObject({ outcome: 'created' });
    expect(mergeRecord(null, { id: '2', name: 'Two' }, now)).toEqual({ outcome: 'incomplete' });
    expect(mergeRecord(null, { id: '2', kind: 'outlet' }, now)).toEqual({ outcome: 'incomplete' });
  });

  it('keeps what the patch lacks and clears what it says is empty', () => {
    expect(merged({ description: 'About', region: null })).toEqual({
      ...stored,
      description: 'About',
      region: null,
      city_size: 'small',
      updated_at: now.toISOString(),
    });
  });

  it('fills a field with what a row only implies, and replaces none with it', () => {
    const row = { id: '1', country: 'US', city: 'Tucson', categories: 'magazines|Spanish|Sports' };
    const result = normalizeRecord(row);
    if (!('patch' in result)) throw new Error(result.rejection.message);
    const { patch } = result;
    const known = { ...stored, city: 'Tucson', region: 'Utah', language: 'fr' };
    expect(mergeRecord(known, patch, now)).toMatchObject({
      record: { region: 'Utah', language: 'fr', categories: ['sports'] },
    });
    expect(mergeRecord({ ...known, region: null, language: null }, patch, now)).toMatchObject({
      record: { region: 'Arizona', language: 'es' },
    });
    // Illinois has no Tucson.
    for (const moved of [patch, { city: 'Tucson' }]) expect(merged(moved)).toMatchObject({ region: 'Arizona' });
  });

  it('changes nothing if nothing is new, not even the time', () => {
    expect(mergeRecord(stored, { id: '1', name: 'One', city: 'Springfield' }, now)).toMatchObject({
      outcome: 'unchanged',
    });
  });

  it('derives country name, continent and city size from the place', () => {
    expect(merged({ country: 'FR', region: null, city: 'Paris' })).toMatchObject({
      country_name: 'France',
      continent: 'europe',
      city_size: 'mega',
    });
    expect(merged({ city: 'Nowhere at all' }).city_size).toBeNull();
    expect(merged({ city: 'Chicago', city_size: 'town' }).city_size).toBe('town');
  });

  it('clears what was said about an address when another replaces it', () => {
    const contact = { contact_title: 'Editor', contact_name: 'Ann Roe' };
    const ann = madeRecord({ ...contact, id: '1', email: 'desk@one.example', email_status: 'invalid' });
    const mergedInto = (patch: Partial<MediaRecord>) =>
      mergeRecord(ann, { ...madePatch({ contact_name: 'Ann Roe', ...patch }), id: '1' }, now);
    const cleared = { email: 'news@one.example', email_status: null, email_source: null, last_verified_at: null };
    expect(mergedInto({ email: 'news@one.example' })).toMatchObject({ record: { ...contact, ...cleared } });
    const valid = { email: 'news@one.example', email_status: 'valid' } as const;
    expect(mergedInto(valid)).toMatchObject({ record: valid });
    expect(mergedInto({ email: 'desk@one.example', name: 'Uno' })).toMatchObject({
      record: { email_status: 'invalid' },
    });
    expect(mergedInto({ email: null })).toMatchObject({ record: { email: null, email_status: null } });
  });

  it('keeps every contact of a record, and rejects the one too many', () => {
    const patches = Array.from({ length: 500 }, (_, at) => ({ name: `Ann Roe ${at}`, email: `${at}@one.example` }));
    const full = mergeRecord(stored, { id: '1', contacts: { patches: patches.slice(1), areAll: false } }, now);
    expect(full).toMatchObject({ record: { contact_count: 500 } });
    const { record } = full as { record: MediaRecord };
    const one = { patches: patches.slice(0, 1), areAll: false };
    expect(mergeRecord(record, { id: '1', contacts: one }, now)).toEqual({ outcome: 'too_many_contacts' });
  });
});
