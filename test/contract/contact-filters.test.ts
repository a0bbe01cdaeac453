import { describe, expect, it } from 'vitest';
import { filterSchema, toSearchQuery } from '#http/parse/query-parameters.ts';
import { readParameters } from '#http/parse/read-parameters.ts';
import { suppressionKey } from '#records/suppression.ts';
import { embedText } from '#search/meaning/embed.ts';
import { firstPage, type SearchQuery } from '#search/search-query.ts';
import { testBackends } from '#testing/backends.ts';
import { readCases } from '#testing/cases.ts';
import { madeContact } from '#testing/made-contact.ts';
import { madeRecord } from '#testing/made-record.ts';
import { useOne } from '#testing/use.ts';

const at = (local: string) => `${local}@desk.example`;
const ann = madeContact({ id: 'ann', name: 'Ann Moe' });
const bob = madeContact({
  id: 'bob',
  name: 'Bob Roe',
  email: at('bob'),
  email_status: 'valid',
  last_verified_at: '2026-03-01T00:00:00.000Z',
});
const desk = madeContact({
  id: 'desk',
  name: 'News desk',
  email: at('news'),
  email_status: 'valid',
  last_verified_at: '2025-01-01T00:00:00.000Z',
});
const stale = madeContact({
  id: 'stale',
  name: 'Cem Poe',
  email: at('cem'),
  email_status: 'invalid',
  last_verified_at: '2026-05-01T00:00:00.000Z',
});

const records = [
  madeRecord({ id: 'apart', name: 'Apart Herald', contacts: [ann, desk] }),
  madeRecord({ id: 'both', name: 'Both Herald', contacts: [desk, bob] }),
  madeRecord({ id: 'mixed', name: 'Mixed Herald', contacts: [desk, stale] }),
  madeRecord({ id: 'nobody', name: 'Nobody Herald', description: 'wine' }),
  madeRecord({ id: 'ann', name: 'Ann Herald', contacts: [ann] }),
];

const queryOf = (search: string) => toSearchQuery(readParameters(`/?${search}`, filterSchema).values);

/** Contract A18: one and the same contact meets all contact filters, and none has a negated value. */
describe.each(testBackends)('contact filters, $name', ({ open }) => {
  const backend = useOne(open, (one) => one.load(records));

  /** The ids that a search finds, after its total, facets and scan were compared. */
  async function found(query: SearchQuery): Promise<string[]> {
    const { records, total } = await backend.index.search(query, firstPage(100), 'masked');
    const ids = records.map(({ id }) => id).toSorted();
    expect(total).toBe(ids.length);
    expect((await backend.index.countFacets(query)).total).toBe(ids.length);
    const scanned = (await Array.fromAsync(await backend.index.scan(query))).flat().map(({ id }) => id);
    expect(scanned.toSorted()).toEqual(ids);
    return ids;
  }

  it.each(readCases<[search: string, ids: string[]]>(new URL('contact-filters.tsv', import.meta.url)))(
    '%s',
    async (search, ids) => {
      expect(await found(queryOf(search))).toEqual(ids);
    },
  );

  it('limit records that are near in meaning, too', async () => {
    const meaning = embedText('wine');
    if (meaning === null) throw new Error('no word of the query is known');
    const near = async (search: string) =>
      (await backend.index.findNearest(meaning, queryOf(search).filters, 10)).map(({ id }) => id);
    expect(await near('email_status=!valid')).toContain('nobody');
    expect(await near('has_email=1')).not.toContain('nobody');
  });

  it('count what no list of facets has a filter of its own for', async () => {
    const { counts } = await backend.index.countFacets(queryOf('kind=outlet&named=1&has_email=1'));
    expect(counts.kind).toEqual([{ value: 'outlet', count: 2 }]);
  });

  it('take a contact for gone while it is suppressed', async () => {
    const key = suppressionKey('address', at('bob'));
    await backend.maintenance.suppress([{ key, reason: null, addedAt: '2026-11-21T12:00:00.000Z' }]);
    expect(await found(queryOf('named=1&email_status=valid'))).toEqual([]);
    await backend.maintenance.unsuppress([key]);
    expect(await found(queryOf('named=1&email_status=valid'))).toEqual(['both']);
  });

  it('follow the contacts of a record that changes', async () => {
    await backend.load([madeRecord({ id: 'later', contacts: [ann, desk] })]);
    expect(await found(queryOf('id=later&named=1&has_email=1'))).toEqual([]);
    await backend.load([madeRecord({ id: 'later', contacts: [{ ...ann, email: at('ann') }] })]);
    expect(await found(queryOf('id=later&named=1&has_email=1'))).toEqual(['later']);
    expect(await found(queryOf('id=later&email_status=valid'))).toEqual([]);
    // The words that find it stay the same.
    await backend.load([madeRecord({ id: 'later', contacts: [{ ...ann, email: at('ann'), email_status: 'valid' }] })]);
    expect(await found(queryOf('id=later&email_status=valid&named=1'))).toEqual(['later']);
    await backend.records.remove(['later']);
    await backend.settle();
    expect(await found(queryOf('id=later'))).toEqual([]);
  });

  it('do not find a contact by the words of one that is gone', async () => {
    await backend.load([
      madeRecord({ id: 'gone', contacts: [{ ...ann, name: 'Quexia Vandalkrumm', beats: ['Falconry'] }] }),
    ]);
    expect(await found(queryOf('q=vandalkrumm'))).toEqual(['gone']);
    await backend.records.remove(['gone']);
    // In the embedded store, a new contact takes the row of the last one.
    await backend.load([madeRecord({ id: 'next', contacts: [{ ...ann, name: 'Dora Low' }] })]);
    expect(await found(queryOf('q=vandalkrumm'))).toEqual([]);
    expect(await found(queryOf('q=dora low'))).toEqual(['next']);
    await backend.records.remove(['next']);
    await backend.settle();
  });
});
