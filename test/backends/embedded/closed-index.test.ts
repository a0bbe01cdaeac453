import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openEmbedded } from '#backends/embedded/open-embedded.ts';
import type { Page, SearchQuery } from '#search/search-query.ts';

const everything: SearchQuery = { text: null, filters: [] };
const page: Page = { sort: { key: 'relevance', reversed: false }, offset: 0, limit: 1 };

it('a closed index answers at once that it is unavailable, and starts no threads', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'masthead-closed-'));
  const { index, close } = openEmbedded({ dataDir, logLine: () => {} });
  await index.search(everything, page, 'masked');
  await close();
  const unavailable = { code: 'search_unavailable' };
  await expect(index.search(everything, page, 'masked')).rejects.toMatchObject(unavailable);
  await expect(index.countFacets(everything)).rejects.toMatchObject(unavailable);
  await expect(index.find('times', 'masked')).rejects.toMatchObject(unavailable);
  await expect(index.scan(everything)).rejects.toMatchObject(unavailable);
  expect(await index.isReady()).toBe(false);
  await rm(dataDir, { recursive: true });
});
