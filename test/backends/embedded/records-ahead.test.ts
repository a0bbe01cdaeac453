import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { databasePath } from '#backends/embedded/database.ts';
import { type EmbeddedStore, openEmbedded } from '#backends/embedded/open-embedded.ts';
import type { RecordPatch } from '#records/media-record.ts';
import { suppressionKey } from '#records/suppression.ts';
import { madeRecord } from '#testing/made-record.ts';
import { useFolder } from '#testing/use.ts';

const startedAt = '2026-03-01T10:00:00.000Z';
/** As many patches as are worth a thread. */
const batchSize = 600;

function newBatch(prefix: string): RecordPatch[] {
  return Array.from({ length: batchSize }, (_, number) =>
    madeRecord({
      id: `${prefix}-${number}`,
      name: `${prefix} Gazette ${number}`,
      email: `desk@${prefix}-${number}.example`,
      categories: ['music', 'climate'],
      description: `News of ${prefix} and its ${number} streets.`,
    }),
  );
}

describe('an import into the embedded store', () => {
  const dataDir = useFolder();
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: new Date(startedAt) }));
  afterEach(() => void vi.useRealTimers());

  it('writes the same whether or not its records are made ahead', async () => {
    const written = async (folder: string, isPrepared: boolean) => {
      const place = join(dataDir, folder);
      const store = openEmbedded(place);
      try {
        await saveBatches(store, isPrepared);
      } finally {
        await store.close();
      }
      return contentsOf(place);
    };
    const expected = await written('at once', false);
    expect(expected.records).toHaveLength(3 * batchSize - 1);
    expect(await written('ahead', true)).toEqual(expected);
  });
});

/** Of the second and the third batch: a record that exists, a repeated and a merged id, a suppressed record, no record. */
async function saveBatches(store: EmbeddedStore, isPrepared: boolean): Promise<void> {
  const changeSet = randomUUID();
  await store.changes.begin({ id: changeSet, action: 'import', operator: 'test', startedAt, undoes: null });
  await store.suppressions.add([
    { key: suppressionKey('domain', 'second-5.example'), reason: null, addedAt: startedAt },
  ]);
  const second = newBatch('second');
  const third = newBatch('third');
  const batches = [
    newBatch('first'),
    [
      ...second.slice(0, -4),
      madeRecord({ id: 'first-1', name: 'Another Name' }),
      madeRecord({ id: 'second-3', name: 'Said Twice' }),
      madeRecord({ id: 'first-3', name: 'Led Elsewhere' }),
      { id: 'no-record', audience: 12, updated_at: startedAt },
    ],
    [...third, ...second.slice(-4), madeRecord({ id: 'first-2', name: 'Left Alone' })],
  ];
  for (const [number, batch] of batches.entries()) {
    if (isPrepared) await store.records.prepare?.(batch);
    await store.records.merge(batch, changeSet);
    if (number === 0) await store.records.mergeDuplicates('first-2', ['first-3'], changeSet);
  }
}

/** Everything in the tables that a record has. */
function contentsOf(place: string) {
  using database = new DatabaseSync(databasePath(place), { readOnly: true });
  const all = (sql: string) => database.prepare(sql).all();
  return {
    records: all('SELECT * FROM records ORDER BY record'),
    documents: all('SELECT * FROM documents ORDER BY record'),
    changes: all('SELECT * FROM changes ORDER BY change'),
    changeSets: all('SELECT changes, bytes FROM change_sets'),
    terms: all('SELECT * FROM search_terms ORDER BY term'),
  };
}
