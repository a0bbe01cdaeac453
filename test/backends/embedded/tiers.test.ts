import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databasePath, openReader } from '#backends/embedded/database.ts';
import { type EmbeddedStore, openEmbedded } from '#backends/embedded/open-embedded.ts';
import { type RenderedQuery, renderQuery } from '#backends/embedded/render-match.ts';
import { SearchEngine } from '#backends/embedded/search-engine.ts';
import { Vocabulary } from '#backends/embedded/vocabulary.ts';
import { generateSample } from '#sample/generate-sample.ts';
import { parseTextQuery } from '#search/parse-text-query.ts';
import { planFuzzy, planStrict } from '#search/plan-query.ts';
import type { Filter, Page } from '#search/search-query.ts';
import { knownMedia } from '#testing/known-media.ts';
import { expectations } from '../../relevance/expectations.ts';

const queries = Object.values(expectations)
  .flat()
  .map(({ query }) => query);

describe('the tiers of a query', () => {
  let dataDir: string;
  let store: EmbeddedStore;
  let database: DatabaseSync;
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'masthead-tiers-'));
    store = openEmbedded({ dataDir, logLine: () => {} });
    for (const media of [[...generateSample({ count: 500 })], knownMedia]) await store.records.merge(media);
    database = openReader(databasePath(dataDir));
  });
  afterAll(async () => {
    database.close();
    await store.close();
    await rm(dataDir, { recursive: true });
  });

  const count = (match: string) => {
    const sql = 'SELECT count(*) AS count FROM search_text WHERE search_text MATCH ?';
    return Number(database.prepare(sql).get(match)?.count);
  };
  const segments = () =>
    Number(database.prepare('SELECT count(DISTINCT segid) AS count FROM search_text_idx').get()?.count);

  it('hold what the query finds, and nothing else, for every query that search is expected to answer', () => {
    const known = new Vocabulary(database);
    const outside = queries.flatMap((query) => {
      const text = parseTextQuery(query);
      const plans = text === null ? [] : [planStrict(text), planFuzzy(text)];
      const rendered = plans
        .map((plan) => plan && renderQuery(plan, known))
        .filter((one): one is RenderedQuery => one !== null);
      return rendered
        .flatMap(({ match, tiers }) => tiers.map((tier) => `(${tier.match}) NOT (${match})`))
        .filter((expression) => count(expression) > 0)
        .map((expression) => ({ query, expression }));
    });
    expect(outside).toEqual([]);
  });

  it('fill pages that together hold each record once, in either direction, as many as are counted', () => {
    const engine = new SearchEngine(openReader(databasePath(dataDir)));
    for (const query of ['news', 'radio leeds', 'the dayly herlad', 'tech newsletters -music', '新聞']) {
      for (const reversed of [false, true]) {
        const read = (offset: number, limit: number) => {
          const page = { sort: { key: 'relevance', reversed }, offset, limit } as const;
          return engine.search({ text: parseTextQuery(query), filters: [] }, page, 'masked');
        };
        const { records, total } = read(0, 10_000);
        const ids = records.map(({ id }) => id);
        const paged = [];
        for (let offset = 0; offset < total; offset += 7) paged.push(...read(offset, 7).records.map(({ id }) => id));
        expect({ query, reversed, ids: paged, distinct: new Set(ids).size }).toEqual({
          query,
          reversed,
          ids,
          distinct: total,
        });
      }
    }
  });

  it('find under filters what they find without that passes them, whether it is little or much', () => {
    const engine = new SearchEngine(database);
    const find = (query: string, filters: Filter[]) => {
      const page: Page = { sort: { key: 'relevance', reversed: false }, offset: 0, limit: 1_000 };
      return engine.search({ text: parseTextQuery(query), filters }, page, 'masked');
    };
    const totals: number[] = [];
    for (const query of [...queries, 'news', 'the']) {
      for (const kind of ['outlet', 'podcast']) {
        const { total, records } = find(query, [{ field: 'kind', any: [kind], none: [] }]);
        const passing = find(query, []).records.filter((record) => record.kind === kind);
        const ids = records.map(({ id }) => id).toSorted();
        expect({ query, kind, total, ids }).toEqual({
          ...{ query, kind, total: passing.length },
          ids: passing.map(({ id }) => id).toSorted(),
        });
        totals.push(total);
      }
    }
    expect(Math.max(...totals)).toBeGreaterThan(100);
    expect(totals.some((total) => total > 20 && total < 100)).toBe(true);
  });

  it('are read from one segment after an import of many records, and a few records more are left as they are', async () => {
    expect(segments()).toBeGreaterThan(1);
    await store.maintenance.settle(500);
    expect(segments()).toBe(1);
    await store.records.merge([...generateSample({ count: 505 })].slice(500));
    await store.maintenance.settle(5);
    expect(segments()).toBe(2);
  });
});
