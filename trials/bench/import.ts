import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { importFiles } from '../../indexer/importing/run-import.ts';
import { openEmbedded } from '../../src/backends/embedded/open-embedded.ts';
import type { Stores } from '../../src/backends/stores.ts';
import { newTestDatabase } from '../../test/support/mongo-database.ts';
import { median } from './measure.ts';

/** An empty store to import into. */
interface ImportStore extends Pick<Stores, 'records' | 'changes' | 'mergedIds'> {
  close(): Promise<void>;
}

/** Rows per second of clock time, and of this process's processor time, which depends less on other work on the machine. */
interface ImportRate {
  rowsPerSecond: number;
  rowsPerProcessorSecond: number;
}

/**
 * Imports the files into an empty store, and then once more. Returns the medians of the rounds, without a first one to warm up.
 *
 * @param mongodb the URL of a server; an embedded store without one
 */
export async function measureImport(files: readonly string[], rounds: number, mongodb: string | null) {
  const rates: Record<'first' | 'again', ImportRate[]> = { first: [], again: [] };
  let rows = 0;
  for (let round = 0; round <= rounds; round += 1) {
    const store = await (mongodb === null ? openEmbeddedStore() : openMongoStore(mongodb));
    try {
      const first = await importInto(store, files);
      const again = await importInto(store, files);
      if (again.changed > 0) throw new Error(`the second import changed ${again.changed} records`);
      rows = first.rows;
      if (round === 0) continue;
      rates.first.push(first);
      rates.again.push(again);
    } finally {
      await store.close();
    }
  }
  const middle = (of: readonly ImportRate[]): ImportRate => ({
    rowsPerSecond: median(of.map(({ rowsPerSecond }) => rowsPerSecond)),
    rowsPerProcessorSecond: median(of.map(({ rowsPerProcessorSecond }) => rowsPerProcessorSecond)),
  });
  return { rows, 'first import': middle(rates.first), 'second import': middle(rates.again) };
}

/** Imports files as the command does, with a history. */
async function importInto({ records, changes, mergedIds }: ImportStore, files: readonly string[]) {
  const changeSet = randomUUID();
  const startedAt = new Date().toISOString();
  await changes.begin({ id: changeSet, action: 'import', operator: 'bench', startedAt, undoes: null });
  const rejectsFolder = await mkdtemp(join(tmpdir(), 'masthead-bench-'));
  const before = process.cpuUsage();
  const start = performance.now();
  const summary = await importFiles(files, {
    records,
    mergedIds,
    changeSet,
    rejectsFolder,
    dryRun: false,
    removesSample: true,
    kind: 'outlet',
  });
  const ms = performance.now() - start;
  const { user, system } = process.cpuUsage(before);
  await rm(rejectsFolder, { recursive: true });
  const fault = summary.files.map(({ refused, broken, stopped }) => refused?.reason ?? broken ?? stopped).find(Boolean);
  if (fault) throw new Error(fault);
  const { read: rows, created, updated } = summary;
  const rates = { rowsPerSecond: (rows * 1_000) / ms, rowsPerProcessorSecond: (rows * 1_000_000) / (user + system) };
  return { rows, changed: created + updated, ...rates };
}

async function openEmbeddedStore(): Promise<ImportStore> {
  const dataDir = await mkdtemp(join(tmpdir(), 'masthead-bench-'));
  const store = openEmbedded(dataDir);
  const close = async () => {
    await store.close();
    await rm(dataDir, { recursive: true });
  };
  return { ...store, close };
}

async function openMongoStore(url: string): Promise<ImportStore> {
  const database = newTestDatabase(url);
  const store = await database.open();
  await store.whenPrepared();
  return { ...store, close: database.close };
}
