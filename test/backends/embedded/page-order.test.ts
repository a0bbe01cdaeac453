import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { IndexColumns } from '#backends/embedded/index/index-columns.ts';
import { firstRows, orderOf, sortInMemory } from '#backends/embedded/search/page-order.ts';

it('the first rows by two columns are returned, with few others, and sorted if no two are alike', () => {
  const value = fc.oneof(fc.nat(9), fc.constant(Number.NaN));
  const rows = fc.array(fc.tuple(value, fc.nat(3)), { minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(rows, fc.integer({ min: 1, max: 70 }), fc.boolean(), (pairs, count, reversed) => {
      const lists = { audience: pairs.map(([one]) => one), name_key: pairs.map(([, other]) => other) };
      const sorts = { sorted: (name: keyof typeof lists) => Float64Array.from(lists[name]) };
      const columns = sorts as unknown as IndexColumns;
      const sort = { key: 'relevance', reversed } as const;
      const order = orderOf(sort, false, 'records');
      const found = firstRows(Uint32Array.from(pairs.keys()), count, order, columns);
      const sign = reversed ? -1 : 1;
      const keyOf = (row: number) => {
        const [audience, name] = pairs[row] ?? [0, 0];
        return [Number.isNaN(audience) ? 100 : -sign * audience, sign * name] as const;
      };
      const compare = (a: number, b: number) => keyOf(a)[0] - keyOf(b)[0] || keyOf(a)[1] - keyOf(b)[1];
      const sorted = [...pairs.keys()].sort(compare);
      const last = sorted[Math.min(count, sorted.length) - 1] ?? 0;
      const expected = sorted.filter((row, place) => place < count || compare(row, last) === 0);
      expect(found.toSorted((a, b) => a - b)).toEqual(expected.toSorted((a, b) => a - b));
      const isDecided = new Set(found.map((row) => String(keyOf(row)))).size === found.length;
      const rows = found.map((record) => ({ record, tier: 0 }));
      expect(sortInMemory(rows, order, sort, columns)?.map(({ record }) => record) ?? null).toEqual(
        isDecided ? expected : null,
      );
    }),
  );
});
