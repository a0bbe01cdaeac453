import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { generateSample } from '#sample/generate-sample.ts';
import { parseTextQuery } from '#search/parse-text-query.ts';
import { type TestBackend, testBackends } from '#testing/backends.ts';
import { knownMedia } from '#testing/made-record.ts';
import { type Expectation, expectations } from './expectations.ts';

const everyAnswer = { sort: { key: 'relevance', reversed: false }, offset: 0, limit: 10_000 } as const;
/** Generated records as noise. */
const bystanders = 1000;

describe.each(testBackends)('Search on the $name backend', ({ open }) => {
  let backend: TestBackend;

  beforeAll(async () => {
    backend = await open();
    await backend.load([...generateSample({ count: bystanders }), ...knownMedia]);
  });
  afterAll(() => backend.close());

  describe.each(Object.entries(expectations))('%s', (_, list) => {
    test.each(list)('$query', async ({ query, finds, not, first }: Expectation) => {
      const asked = { text: parseTextQuery(query), filters: [] };
      const { records } = await backend.index.search(asked, everyAnswer, 'full');
      const found = records.map(({ id }) => id);
      if (first !== undefined) expect(found[0], `first of ${found.length}: ${found.slice(0, 5)}`).toBe(first);
      if (finds.length === 0 && first === undefined) expect(found).toEqual([]);
      expect(found).toEqual(expect.arrayContaining([...finds]));
      expect(found.filter((id) => not?.includes(id))).toEqual([]);
      const facets = await backend.index.countFacets(asked);
      expect(facets.total, 'the facets count what the search finds').toBe(found.length);
    });
  });
});
