import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { generateSample } from '#sample/generate-sample.ts';
import { firstPage } from '#search/search-query.ts';
import { understand } from '#search/understanding/understand.ts';
import { testBackends } from '#testing/backends.ts';
import { knownMedia } from '#testing/made-record.ts';
import { useOne } from '#testing/use.ts';

const everyAnswer = firstPage(10_000);
/** Generated records as noise. */
const bystanders = 1000;

/**
 * The promises of the contract (A3) about `q`: a `#` begins each. Below it stand queries, the id that comes before all
 * others, others that are found, and some that are not; a query without ids finds nothing. A `\u` is a character that
 * nobody sees.
 */
const promises = readFileSync(new URL('expectations.tsv', import.meta.url), 'utf8')
  .split(/^# /m)
  .slice(1)
  .map((part) => {
    const [promise = '', ...lines] = part.trimEnd().split('\n');
    return { promise, expectations: lines.map(readExpectation) };
  });

function readExpectation(line: string) {
  const [typed = '', first = '', finds = '', not = ''] = line.split('\t');
  const query = typed.replace(/\\u(\w{4})/g, (_, code) => String.fromCodePoint(Number.parseInt(code, 16)));
  const ids = (text: string) => text.split(' ').filter(Boolean);
  return { query, first, finds: ids(`${first} ${finds}`), not: ids(not) };
}

describe.each(testBackends)('Search on the $name backend', ({ open }) => {
  const backend = useOne(open, (backend) => backend.load([...generateSample({ count: bystanders }), ...knownMedia]));

  describe.each(promises)('$promise', ({ expectations }) => {
    test.each(expectations)('$query', async ({ query, first, finds, not }) => {
      const asked = { text: understand(query), filters: [] };
      const { records } = await backend.index.search(asked, everyAnswer, 'full');
      const found = records.map(({ id }) => id);
      if (first !== '') expect(found[0], `first of ${found.length}: ${found.slice(0, 5)}`).toBe(first);
      if (finds.length === 0) expect(found).toEqual([]);
      expect(found).toEqual(expect.arrayContaining(finds));
      expect(found.filter((id) => not.includes(id))).toEqual([]);
      const facets = await backend.index.countFacets(asked);
      expect(facets.total, 'the facets count what the search finds').toBe(found.length);
    });
  });
});
