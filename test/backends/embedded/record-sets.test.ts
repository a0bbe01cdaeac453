import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type RecordSet, RecordSets, rowsOf, sizeOf } from '#backends/embedded/search/record-sets.ts';

const end = 3_000;
const sets = new RecordSets(end);
/** Listed, and as bits. */
const anyRows = fc.oneof(
  fc.uniqueArray(fc.nat(end - 1), { maxLength: 80 }),
  fc.uniqueArray(fc.nat(end - 1), { minLength: 150, maxLength: 400 }),
);
const inOrder = (rows: Iterable<number>) => [...rows].sort((a, b) => a - b);

it('sets of records are as sets', () => {
  fc.assert(
    fc.property(fc.array(anyRows, { minLength: 2, maxLength: 4 }), fc.integer({ min: 1, max: 4 }), (lists, count) => {
      const all = lists.map((rows) => new Set(rows));
      const [first = new Set(), second = new Set()] = all;
      const made = lists.map((rows) => sets.of(Uint32Array.from(inOrder(rows))));
      const [from, without] = made as [RecordSet, RecordSet];
      const union = all.reduce((one, other) => one.union(other));
      const timesOf = (row: number) => all.filter((set) => set.has(row)).length;
      for (const [found, expected] of [
        [sets.unite(made), union],
        [sets.intersect(made), all.reduce((one, other) => one.intersection(other))],
        [sets.subtract(from, without), first.difference(second)],
        [sets.atLeast(count, made), [...union].filter((row) => timesOf(row) >= count)],
      ] as const) {
        expect([...rowsOf(found)]).toEqual(inOrder(expected));
        expect(sizeOf(found)).toBe(rowsOf(found).length);
      }
    }),
  );
});
