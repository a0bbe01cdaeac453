import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect } from 'vitest';
import { openIndexer } from '#indexer/open-indexer.ts';
import type { MediaRecord } from '#records/media-record.ts';
import { loadSample } from '#sample/generate-sample.ts';
import { parseTextQuery } from '#search/parse-text-query.ts';
import { madeRecord } from './made-record.ts';

/**
 * Creates a data folder whose store holds one record, so a service that starts there does not load the sample, which
 * takes longer than most tests.
 */
export async function makeDataFolder(dataDir: string): Promise<void> {
  const backends = await openIndexer({ dataDir });
  await backends.records.merge([madeRecord({ id: 'only', name: 'The Only Herald', email: 'desk@only.example' })]);
  await backends.close();
}

/** The tables that Masthead 1.1 wrote, made of this version's. */
export const asVersion11 = readFileSync(join(import.meta.dirname, 'version-1.1.sql'), 'utf8');

/**
 * Fills an embedded store with this many records, and leaves it like an earlier version: a newer column is empty, and
 * masks follow another rule.
 */
export async function makeOldStore(dataDir: string, records: number): Promise<void> {
  const backends = await openIndexer({ dataDir });
  await loadSample(backends.records, records);
  await backends.close();
  const database = new DatabaseSync(join(dataDir, 'masthead.db'));
  database.exec(`
    UPDATE documents SET city = NULL;
    UPDATE records SET body = json_set(body, '$.email', substr(email, 1, 2) || '***' || substr(email, instr(email, '@')))
      WHERE email IS NOT NULL;
    UPDATE search_index SET version = 0`);
  database.close();
}

/** That the index of a store is what this version makes of each of its records. */
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

/** Records that each query here finds, for tests in which nobody changes them. */
export const steady = (count: number): MediaRecord[] =>
  Array.from({ length: count }, (_, place) =>
    madeRecord({ id: `s${place}`, name: `Herald ${place}`, country: 'DE', categories: ['arts'], audience: place }),
  );

export const page = { sort: { key: 'name', reversed: false }, offset: 0, limit: 100 } as const;
export const everything = { text: null, filters: [] };
export const inGermany = { text: null, filters: [{ field: 'country', any: ['DE'], none: [] }] } as const;
/** By full text, and by a word that only the vocabulary of the index corrects. */
export const byText = ['herald', 'heralt'].map((typed) => ({ text: parseTextQuery(typed), filters: [] }));
