import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect } from 'vitest';
import { openIndexer } from '#indexer/open-indexer.ts';
import type { MediaRecord } from '#records/media-record.ts';
import { loadSample } from '#sample/generate-sample.ts';
import { understand } from '#search/understand.ts';
import { madeRecord } from './made-record.ts';

/**
 * Creates a data folder with one record, so that a service that starts there does not load the sample: that takes longer than
 * most tests.
 */
export async function makeDataFolder(dataDir: string): Promise<void> {
  const backends = await openIndexer({ dataDir });
  await backends.records.merge([madeRecord({ id: 'only', name: 'The Only Herald', email: 'desk@only.example' })]);
  await backends.close();
}

/**
 * Fills an embedded store with `count` records, and makes it look like one of an earlier version: a newer column is empty, and
 * addresses are masked by another rule.
 */
export async function makeOldStore(dataDir: string, records: number): Promise<void> {
  const backends = await openIndexer({ dataDir });
  await loadSample(backends.records, records);
  await backends.close();
  const database = new DatabaseSync(join(dataDir, 'masthead.db'));
  database.exec(`
    UPDATE documents SET city = NULL;
    WITH addresses AS (SELECT record, secret ->> '$.email' AS email FROM records)
    UPDATE records SET body = json_set(body, '$.email', substr(email, 1, 2) || '***' || substr(email, instr(email, '@')))
      FROM addresses WHERE addresses.record = records.record AND email IS NOT NULL;
    UPDATE search_index SET version = 0`);
  database.close();
}

/** Expects that the index has every record of the store, in the form of this version. */
export async function expectRenewed(dataDir: string, records: number): Promise<void> {
  const backends = await openIndexer({ dataDir });
  try {
    expect((await backends.maintenance.findLive())?.isCurrent).toBe(true);
    expect(await backends.maintenance.verify({ repairs: false })).toMatchObject({
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

/** Records that nobody changes during a test, so every query below must always find them. */
export const steady = (count: number): MediaRecord[] =>
  Array.from({ length: count }, (_, place) =>
    madeRecord({ id: `s${place}`, name: `Herald ${place}`, country: 'DE', categories: ['arts'], audience: place }),
  );

export const page = { sort: { key: 'name', reversed: false }, offset: 0, limit: 100 } as const;
export const inGermany = { text: null, filters: [{ field: 'country', any: ['DE'], none: [] }] } as const;
/** A query for the full text, and one with a typo that only the vocabulary of the index can correct. */
export const byText = ['herald', 'heralt'].map((typed) => ({ text: understand(typed), filters: [] }));
