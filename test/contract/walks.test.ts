import { describe, expect, it } from 'vitest';
import type { RowKind } from '#search/contact-row.ts';
import type { Position } from '#search/search-query.ts';
import { ofRows, type SearchQuery, type Sort, sortKeys } from '#search/search-query.ts';
import { understand } from '#search/understanding/understand.ts';
import { Dice } from '#src/sample/dice.ts';
import { generateSample } from '#src/sample/generate-sample.ts';
import { type TestBackend, testBackends } from '#testing/backends.ts';
import { madeContact } from '#testing/made-contact.ts';
import { madeRecord } from '#testing/made-record.ts';
import { useOne } from '#testing/use.ts';

const best: Sort = { key: 'relevance', reversed: false };
const queryOf = (q: string | null, rows: RowKind = 'records'): SearchQuery =>
  ofRows({ text: q === null ? null : understand(q), filters: [] }, rows);

/** All rows of a query, page by page: their ids, of contacts with those of their records. Does something after each of the first pages. */
async function walk({ index }: TestBackend, query: SearchQuery, sort: Sort, limit: number, afterPage = async () => {}) {
  const ids: string[] = [];
  const totals: number[] = [];
  for (let after: Position | null = null; after !== null || totals.length === 0; ) {
    const { records, total, next } = await index.search(query, { sort, offset: 0, limit, after }, 'masked');
    ids.push(...records.map(({ id, contacts }) => (query.rows === 'contacts' ? `${id} ${contacts[0]?.id}` : id)));
    totals.push(total);
    // As callers hand it back.
    after = JSON.parse(JSON.stringify(next ?? null));
    if (after !== null && totals.length < 4) await afterPage();
  }
  return { ids, totals };
}

describe.each(testBackends)('a walk through all pages, $name', ({ name, open }) => {
  // More than pages reach without a walk, most of them small.
  const small = Array.from({ length: name === 'embedded' ? 9_900 : 0 }, (_, place) =>
    madeRecord({ id: `small-${place}`, contacts: [madeContact({ id: 'a', name: 'Ann Small' })] }),
  );
  const size = small.length + 500;
  const limit = Math.ceil(size / 8);
  const backend = useOne(open, (one) => one.load([...generateSample({ count: 500 }), ...small]));

  const queries: [string | null, RowKind][] = [
    [null, 'records'],
    [null, 'contacts'],
    ['radio', 'records'],
    ['editor', 'contacts'],
    ['newspapr texas', 'records'],
  ];

  it.each(queries)('has each row of %s in %s once, in the order of the pages', async (q, rows) => {
    const query = queryOf(q, rows);
    const { ids, totals } = await walk(backend, query, best, limit);
    expect(new Set(ids).size).toBe(ids.length);
    expect(new Set(totals)).toEqual(new Set([ids.length]));
    if (q !== null) return;
    const { records } = await backend.index.search(query, { sort: best, offset: 0, limit: 100 }, 'masked');
    expect(ids.slice(0, 100).map((id) => id.split(' ')[0])).toEqual(records.map(({ id }) => id));
  });
});

describe.each(testBackends)('a walk while rows change, $name', ({ name, open }) => {
  const size = name === 'embedded' ? 300 : 150;
  const sample = [...generateSample({ count: size })];
  const backend = useOne(open, (one) => one.load(sample));

  const worst = { ...best, reversed: true };
  it.each<[Sort, string | null, RowKind]>([
    ...sortKeys.map((key): [Sort, null, RowKind] => [{ key, reversed: false }, null, 'records']),
    [worst, null, 'records'],
    [{ key: 'name', reversed: true }, null, 'records'],
    [{ key: 'audience', reversed: true }, null, 'records'],
    [best, 'radio', 'records'],
    [best, 'newspapr english', 'records'],
    [best, 'news editor', 'contacts'],
    [worst, 'podcst english', 'records'],
    [worst, 'editor', 'contacts'],
    [{ key: 'name', reversed: false }, null, 'contacts'],
    [{ key: 'name', reversed: true }, 'editor', 'contacts'],
  ])('by %o of %s in %s has each row that does not change once', async (sort, q, rows) => {
    const query = queryOf(q, rows);
    const dice = new Dice(size);
    const isSteady = (id: string) => Number(id.split(' ')[0]?.at(-1)) % 2 === 0;
    const steady = (await walk(backend, query, sort, size)).ids.filter(isSteady);
    const others = sample.filter(({ id }) => !isSteady(id));
    expect(Math.min(steady.length, others.length)).toBeGreaterThan(3);
    const { ids } = await walk(backend, query, sort, Math.ceil(steady.length / 3), async () => {
      const changed = Array.from({ length: 20 }, () => ({
        ...dice.pick(others),
        name: dice.pick([q ?? 'Mm', 'Zz', 'Aa']),
        audience: dice.below(1_000_000),
      }));
      await backend.records.remove(changed.slice(0, 5).map(({ id }) => id));
      await backend.records.merge([...new Map(changed.slice(5).map((one) => [one.id, one])).values()]);
      await backend.settle();
    });
    expect(ids.filter(isSteady).toSorted()).toEqual(steady.toSorted());
  });

  it('keeps its plan and what it forgives, whatever other rows are called', async () => {
    const quills = ['a', 'b'].map((id) =>
      madeRecord({
        id: `quill-${id}`,
        name: `Quillfeather ${id}`,
        contacts: [madeContact({ id, name: 'Ann Quillfeather' })],
      }),
    );
    const alike = [...'abcdefghijklmnopqstuvwxyz'].flatMap((letter) =>
      [1, 2, 3].map((number) =>
        madeRecord({
          id: `alike-${letter}${number}`,
          name: `Quilfeathe${letter} ${number}`,
          contacts: [madeContact({ id: letter, name: `Bob Quilfeathe${letter}` })],
        }),
      ),
    );
    const exact = madeRecord({
      id: 'exact',
      name: 'Quilfeather',
      contacts: [madeContact({ id: 'e', name: 'Quilfeather' })],
    });
    for (const rows of ['records', 'contacts'] as const) {
      await backend.load(quills);
      const { ids } = await walk(backend, queryOf('quilfeather', rows), best, 1, () => backend.load([...alike, exact]));
      expect(ids.filter((id) => id.startsWith('quill-')).length).toBe(2);
      await backend.records.remove([...alike, exact].map(({ id }) => id));
      await backend.settle();
    }
  });
});
