import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { importFiles } from '../../indexer/importing/import-files.ts';
import type { Stores } from '../../src/backends/stores.ts';
import type { MediaRecord } from '../../src/records/media-record.ts';
import { median } from './measure.ts';

/** An empty store to import into. */
export interface ImportStore extends Pick<Stores, 'records' | 'changes' | 'mergedIds'> {
  /** Returns work that inserts these records into another empty store, ready-made, without anything that the product checks. */
  prepareBare(records: readonly MediaRecord[]): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

/** Rows per second: of the clock, and of processor time of this process, which other work on the machine changes less. */
export interface ImportRate {
  clock: number;
  processor: number;
}

export interface ImportFigures {
  rows: number;
  /** Medians of the rounds. */
  first: ImportRate;
  again: ImportRate;
  bare: ImportRate;
}

/** Imports the files into an empty store, then once more, then inserts the same records barely; a first round warms up. */
export async function measureImport(
  files: readonly string[],
  rounds: number,
  openStore: () => Promise<ImportStore>,
): Promise<ImportFigures> {
  const rates: Record<'first' | 'again' | 'bare', ImportRate[]> = { first: [], again: [], bare: [] };
  let rows = 0;
  for (let round = 0; round <= rounds; round += 1) {
    const store = await openStore();
    try {
      const importAll = () => importInto(store, files);
      const first = await rateOf(importAll);
      const again = await rateOf(importAll);
      if (again.changed > 0) throw new Error(`the second import changed ${again.changed} records`);
      const stored: MediaRecord[] = [];
      for await (const batch of store.records.readAll()) stored.push(...batch);
      const insert = await store.prepareBare(stored);
      const bare = await rateOf(async () => {
        await insert();
        return { rows: stored.length, changed: 0 };
      });
      rows = first.rows;
      if (round > 0)
        for (const [side, rate] of Object.entries({ first, again, bare })) rates[side as 'first'].push(rate);
    } finally {
      await store.close();
    }
  }
  const middle = (of: readonly ImportRate[]): ImportRate => ({
    clock: median(of.map(({ clock }) => clock)),
    processor: median(of.map(({ processor }) => processor)),
  });
  return { rows, first: middle(rates.first), again: middle(rates.again), bare: middle(rates.bare) };
}

interface Imported {
  rows: number;
  changed: number;
}

async function rateOf(work: () => Promise<Imported>): Promise<ImportRate & Imported> {
  const before = process.cpuUsage();
  const start = performance.now();
  const done = await work();
  const ms = performance.now() - start;
  const { user, system } = process.cpuUsage(before);
  return { ...done, clock: (done.rows * 1_000) / ms, processor: (done.rows * 1_000_000) / (user + system) };
}

/** Imports files as the command does, with a history. */
async function importInto({ records, changes, mergedIds }: ImportStore, files: readonly string[]): Promise<Imported> {
  const changeSet = randomUUID();
  const startedAt = new Date().toISOString();
  await changes.begin({ id: changeSet, action: 'import', operator: 'bench', startedAt, undoes: null });
  const rejectsFolder = await mkdtemp(join(tmpdir(), 'masthead-bench-'));
  try {
    const summary = await importFiles(files, {
      ...{ records, mergedIds, changeSet, rejectsFolder },
      dryRun: false,
      removesSample: true,
      kind: 'outlet',
    });
    const fault = summary.files
      .map(({ refused, broken, stopped }) => refused?.reason ?? broken ?? stopped)
      .find(Boolean);
    if (fault) throw new Error(fault);
    return { rows: summary.read, changed: summary.created + summary.updated };
  } finally {
    await rm(rejectsFolder, { recursive: true });
  }
}
