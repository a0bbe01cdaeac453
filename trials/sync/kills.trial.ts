import { afterAll, describe, expect, it } from 'vitest';
import { startOwnEngine } from '#test/engines/own-engine.ts';
import { followUnderKills } from './follow-under-kills.ts';
import { rebuildUnderLoad } from './rebuild-under-load.ts';

const [mongod, elasticsearch] = await Promise.all([startOwnEngine('mongodb'), startOwnEngine('elasticsearch')]);

/** `npm run chaos` is the long form. */
describe.skipIf(!mongod || !elasticsearch)('the index under load and kills', () => {
  afterAll(async () => {
    await Promise.all([mongod?.stop(), elasticsearch?.stop()]);
  });

  it('is rebuilt under writes and searches: no search fails, and nothing differs after the swap', {
    timeout: 240_000,
  }, async () => {
    if (mongod === null || elasticsearch === null) return;
    const engines = { mongodb: mongod.url, elasticsearch: elasticsearch.url };
    const report = await rebuildUnderLoad(engines, { records: 6_000, rate: 200, seed: 7 });
    expect(report).toMatchObject({ failedSearches: 0, wrongTotals: [], differences: [] });
    expect(report.searches).toBeGreaterThan(10);
    expect(report.writes).toBeGreaterThan(100);
  });

  it('loses nothing and leaves nothing stale when the sync, a rebuild and both engines are killed', {
    timeout: 240_000,
  }, async () => {
    if (mongod === null || elasticsearch === null) return;
    const trial = { mongod, elasticsearch, kills: 4, rate: 200, records: 1_000, seed: 7, say: () => {} };
    const report = await followUnderKills(trial);
    expect(report).toMatchObject({ failedSearches: 0, wrongTotals: [], differences: [], leftovers: 0 });
    expect(report.writes).toBeGreaterThan(500);
    expect(report.deadLetters).toBeGreaterThan(0);
  });
});
