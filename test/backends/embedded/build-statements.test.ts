import { expect, it } from 'vitest';
import { buildRows, buildTier } from '#backends/embedded/build-statements.ts';
import type { Filter, Page } from '#search/search-query.ts';

const page: Page = { sort: { key: 'relevance', reversed: false }, offset: 20, limit: 10 };
const herald = 'exact : "herald"';
const filters: Filter[] = [
  { field: 'country', any: ['US', 'CA'], none: [] },
  { field: 'type', any: [], none: ['tv'] },
  { field: 'categories', any: ['music'], none: ['kids'] },
  { present: 'email' },
];

it('the best of a tier under filters', async () => {
  const { sql, values } = buildTier(herald, filters, page.sort, 30);
  const lines = sql.split('\n').flatMap((line) => line.trim() || []);
  const file = '../../golden/embedded/statement--the-best-of-a-tier-under-filters.sql';
  await expect(`${lines.join('\n')}\n-- ${JSON.stringify(values)}\n`).toMatchFileSnapshot(file);
});

it('no statement for a masked caller selects the address', () => {
  expect(buildRows([1], 'masked').sql).not.toMatch(/r\.email/);
});
