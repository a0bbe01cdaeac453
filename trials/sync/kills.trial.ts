import { describe, expect, it } from 'vitest';
import type { Engine } from '../../testing/engines/engine.ts';
import { elasticsearch, mongodb } from '../breakable-engines.ts';
import { followUnderKills } from './follow-under-kills.ts';
import { rebuildUnderLoad } from './rebuild-under-load.ts';

/** `npm run trials -- sync` is the long form. */
describe.skipIf(mongodb === null || elasticsearch === null)('the index under load and kills', () => {
  const engines = { mongod: mongodb as Engine, elasticsearch: elasticsearch as Engine };

  it('is rebuilt during writes and searches: no search fails, and nothing differs after the swap', async () => {
    const urls = { mongodb: engines.mongod.url, elasticsearch: engines.elasticsearch.url };
    const report = await rebuildUnderLoad(urls, { records: 6_000, rate: 200, seed: 7 });
    expect(report).toMatchObject({ failedSearches: [], wrongTotals: [], differences: [] });
    expect(report.searches).toBeGreaterThan(0);
    expect(report.writes).toBeGreaterThan(0);
  });

  it('loses nothing and leaves nothing stale when the sync, a rebuild and both engines are killed', async () => {
    const trial = { ...engines, kills: 4, rate: 200, records: 1_000, seed: 7, log: () => {} };
    const report = await followUnderKills(trial);
    expect(report).toMatchObject({ failedSearches: [], wrongTotals: [], differences: [], leftovers: 0 });
    expect(report.killed).toEqual({ sync: 1, reindex: 1, elasticsearch: 1, mongod: 1 });
    expect(report.writes).toBeGreaterThan(0);
  });
});
