import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { databasePath, openReader } from '#backends/embedded/database.ts';
import { type EmbeddedStore, openEmbedded } from '#backends/embedded/open-embedded.ts';
import { SearchEngine } from '#backends/embedded/search-engine.ts';
import { parseTextQuery } from '#search/parse-text-query.ts';
import type { Page } from '#search/search-query.ts';
import { madeRecord } from '#testing/made-record.ts';

const page: Page = { sort: { key: 'relevance', reversed: false }, offset: 0, limit: 20 };

let dataDir: string;
let store: EmbeddedStore;
let reader: DatabaseSync;
let countMedia: (text: string) => { found: number; faceted: number };

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'masthead-remembered-'));
  store = openEmbedded({ dataDir, logLine: () => {} });
  await store.records.merge(['harbour', 'times'].map((id) => madeRecord({ id, name: `Harbour ${id}` })));
  reader = openReader(databasePath(dataDir));
  const engine = new SearchEngine(reader);
  countMedia = (text) => {
    const query = { text: parseTextQuery(text), filters: [] };
    return { found: engine.search(query, page, 'masked').total, faceted: engine.countFacets(query).total };
  };
});
afterEach(async () => {
  reader.close();
  await store.close();
  await rm(dataDir, { recursive: true });
});

it('what a search found is remembered while others write what no search reads', async () => {
  const before = countMedia('harbour');
  loseFullText();
  await store.usage.add([
    {
      keyHash: 'key',
      date: '2026-01-04',
      requests: 1,
      exportedRows: 0,
      pushedLeads: 0,
      lastUsedAt: '2026-01-04T10:00:00Z',
    },
  ]);
  expect(countMedia('harbour')).toEqual(before);
});

it('nothing is remembered of an index that changed since', async () => {
  countMedia('harbour');
  await store.records.merge([madeRecord({ id: 'another', name: 'Harbour News' })]);
  expect(countMedia('harbour')).toEqual({ found: 3, faceted: 3 });
  await store.records.remove(['another']);
  expect(countMedia('harbour')).toEqual({ found: 2, faceted: 2 });
});

/** The index does not note this loss: a search that looks finds nothing. */
function loseFullText(): void {
  const writer = new DatabaseSync(databasePath(dataDir));
  writer.exec("INSERT INTO search_text (search_text) VALUES ('delete-all')");
  writer.close();
}
