import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseTextQuery } from '#search/parse-text-query.ts';
import type { Filter, SearchQuery, Sort } from '#search/search-query.ts';
import { type TestBackend, testBackends } from '#testing/backends.ts';
import { madeRecord } from '#testing/made-record.ts';

const best: Sort = { key: 'relevance', reversed: false };

/** Of each ten, one has the word in its name, one in an alias, and six in the description. */
const records = Array.from({ length: 60 }, (_, place) => {
  const id = `record-${String(place).padStart(2, '0')}`;
  const kind = place % 10;
  return madeRecord({
    id,
    name: kind === 0 ? `Harbour ${id}` : `Lantern ${id}`,
    aliases: kind === 1 ? [`The Harbour of ${id}`] : [],
    description: kind > 1 && kind < 8 ? 'All about the harbour.' : null,
    audience: place % 7 === 0 ? null : 10_000 + ((place * 37) % 50) * 10_000,
    country: place % 2 === 0 ? 'GB' : 'FR',
    email: `desk.${place}@desk.example`,
    url: null,
  });
});

describe.each(testBackends)('the pages of one word, $name', ({ open }) => {
  let backend: TestBackend;
  beforeAll(async () => {
    backend = await open();
    await backend.load(records);
  });
  afterAll(() => backend.close());

  const search = (query: SearchQuery, offset: number, limit: number, sort = best) =>
    backend.index.search(query, { sort, offset, limit }, 'masked');

  const queries: [string, string, Filter[], number][] = [
    ['a word', 'harbour', [], 48],
    ['a word that may go on', 'harb', [], 48],
    ['a word behind small words', 'of the harbour', [], 48],
    ['a word without others', 'harbour -lantern', [], 6],
    ['a word under a filter', 'harbour', [{ field: 'country', any: ['GB'], none: [] }], 24],
  ];

  it.each(queries)(
    'are parts of one list with the same total, however long they are: %s',
    async (_, q, filters, count) => {
      const query = { text: parseTextQuery(q), filters };
      const whole = await search(query, 0, 100);
      expect(whole.total).toBe(count);
      const ids = whole.records.map(({ id }) => id);
      expect(new Set(ids).size).toBe(count);
      for (const limit of [1, 5, 7, 20]) {
        const paged: string[] = [];
        for (let offset = 0; offset < count + limit; offset += limit) {
          const { total, records } = await search(query, offset, limit);
          expect(total).toBe(count);
          paged.push(...records.map(({ id }) => id));
        }
        expect(paged).toEqual(ids);
      }
      expect(await search(query, 9_900, 100)).toMatchObject({ total: count, records: [] });
    },
  );

  it('have names and aliases first, then equal records by audience, unknown last', async () => {
    const { records: found } = await search({ text: parseTextQuery('harbour'), filters: [] }, 0, 100);
    const isNamed = found.map(({ description }) => description === null);
    expect(isNamed).toEqual([...Array(12).fill(true), ...Array(36).fill(false)]);
    const audiences = found.slice(12).map(({ audience }) => audience ?? -1);
    expect(audiences).toEqual(audiences.toSorted((a, b) => b - a));
  });

  it('show masks to callers who may not see addresses, and addresses to others, on every part of the list', async () => {
    const query = { text: parseTextQuery('harbour'), filters: [] };
    const masked = await search(query, 0, 100);
    expect(masked.records.map(({ email }) => email)).toEqual(Array(48).fill('d***@desk.example'));
    const full = await backend.index.search(query, { sort: best, offset: 0, limit: 100 }, 'full');
    expect(full.records.every(({ email }) => /^desk\.\d+@desk\.example$/.test(email ?? ''))).toBe(true);
  });

  it('have the same records when the order is reversed or another one', async () => {
    const query = { text: parseTextQuery('harbour'), filters: [] };
    const ids = async (sort: Sort) => (await search(query, 0, 100, sort)).records.map(({ id }) => id).toSorted();
    const found = await ids(best);
    for (const key of ['relevance', 'name', 'audience', 'updated'] as const) {
      expect(await ids({ key, reversed: true })).toEqual(found);
    }
  });
});
