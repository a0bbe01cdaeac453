import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect } from 'vitest';
import { loadSample } from '#sample/load-sample.ts';
import { openBackends } from '#src/start/open-backends.ts';
import { verifyIndex } from '#src/syncing/verify-index.ts';

/**
 * Fills an embedded store with so many records, and leaves it as an earlier version would: a column that came later is
 * empty, and masks are made by another rule.
 */
export async function makeOldStore(dataDir: string, records: number): Promise<void> {
  const backends = await openBackends({ dataDir });
  await loadSample(backends.records, records);
  await backends.close();
  const database = new DatabaseSync(join(dataDir, 'masthead.db'));
  database.exec(`
    UPDATE documents SET city = NULL;
    UPDATE records SET body = json_set(body, '$.email', substr(email, 1, 2) || '***' || substr(email, instr(email, '@')))
      WHERE email IS NOT NULL;
    UPDATE index_generations SET form = NULL`);
  database.close();
}

/** That the index of a store is what this version makes of each of its records. */
export async function expectRenewed(dataDir: string, records: number): Promise<void> {
  const backends = await openBackends({ dataDir });
  try {
    expect((await backends.upkeep.generations.findLive())?.isCurrent).toBe(true);
    expect(await verifyIndex(backends.upkeep, { repairs: false })).toMatchObject({
      compared: records,
      missing: 0,
      extra: 0,
      stale: 0,
    });
    expect(await backends.audit.list(1)).toMatchObject([
      { action: 'reindex', outcome: expect.stringContaining(`: ${records} indexed, 0 dead letters`) },
    ]);
  } finally {
    await backends.close();
  }
}
