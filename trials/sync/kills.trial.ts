import { describe, expect, it } from 'vitest';
import type { Engine } from '../../test/support/engines/engine.ts';
import { isLong, ofForm } from '../../test/support/form.ts';
import { seed } from '../../test/support/seed.ts';
import { elasticsearch, mongodb } from '../breakable-engines.ts';
import { followUnderKills } from './follow-under-kills.ts';
import { rebuildUnderLoad } from './rebuild-under-load.ts';

describe.skipIf(mongodb === null || elasticsearch === null)('the index under load and kills', () => {
  const engines = { mongod: mongodb as Engine, elasticsearch: elasticsearch as Engine };

  it('is rebuilt during writes and searches: no search fails, and nothing differs after the swap', async () => {
    const urls = { mongodb: engines.mongod.url, elasticsearch: engines.elasticsearch.url };
    const report = await rebuildUnderLoad(urls, { records: ofForm(6_000, 400_000), rate: ofForm(200, 500), seed });
    expect(report).toMatchObject({ failedSearches: [], wrongTotals: [], differences: [] });
    expect(report.searches).toBeGreaterThan(0);
    expect(report.writes).toBeGreaterThan(0);
  });

  it('loses nothing and leaves nothing stale when the sync, a rebuild and both engines are killed', async () => {
    const kills = ofForm(4, 32);
    const trial = { ...engines, kills, rate: ofForm(200, 500), records: ofForm(1_000, 20_000), seed, log: () => {} };
    const report = await followUnderKills(trial);
    expect(report).toMatchObject({ failedSearches: [], wrongTotals: [], differences: [], leftovers: 0 });
    expect(report.killed).toEqual({ sync: kills / 4, reindex: kills / 4, elasticsearch: kills / 4, mongod: kills / 4 });
    expect(report.writes).toBeGreaterThan(0);
    if (isLong) expect(report.timedOutSearches).toBe(0);
  });
});
