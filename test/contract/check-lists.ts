import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { importFiles } from '#indexer/importing/import-files.ts';
import type { ImportSummary } from '#indexer/importing/import-summary.ts';
import { newChangeSetId } from '#records/changes/change-set.ts';
import type { MediaRecord } from '#records/media-record.ts';
import { urlKey } from '#records/normalize/normalize-url.ts';
import { Dice } from '#sample/dice.ts';
import type { TestStores } from '#testing/backends.ts';
import { nameKey } from '#text/fold.ts';
import { drawList, type MadeList, type MadeRow, shuffled, writeList } from './draw-lists.ts';

/** Imports lists into a store as one change set, each of a file of its own. */
export class ListImporter {
  readonly #stores: TestStores;
  readonly #folder: string;
  #files = 0;

  private constructor(stores: TestStores, folder: string) {
    this.#stores = stores;
    this.#folder = folder;
  }

  static async open(stores: TestStores): Promise<ListImporter> {
    return new ListImporter(stores, await mkdtemp(join(tmpdir(), 'masthead-lists-')));
  }

  close(): Promise<void> {
    return rm(this.#folder, { recursive: true });
  }

  async import(...texts: string[]): Promise<ImportSummary> {
    const paths: string[] = [];
    for (const text of texts) {
      this.#files += 1;
      paths.push(join(this.#folder, `list-${this.#files}`));
      await writeFile(paths.at(-1) as string, text);
    }
    const { records, mergedIds, changes } = this.#stores;
    const changeSet = newChangeSetId(new Date());
    await changes.begin({
      ...{ id: changeSet, action: 'import', operator: 'test', undoes: null },
      startedAt: '2026-01-01T00:00:00.000Z',
    });
    const summary = await importFiles(paths, {
      ...{ records, mergedIds, changeSet, dryRun: false, removesSample: false, kind: null },
      rejectsFolder: join(this.#folder, 'rejects'),
    });
    for (const { read, created, updated, unchanged, repeated, rejected } of [summary, ...summary.files]) {
      expect(read).toBe(created + updated + unchanged + repeated + rejected);
    }
    return summary;
  }

  async readAll(): Promise<MediaRecord[]> {
    const all: MediaRecord[] = [];
    for await (const batch of this.#stores.records.readAll()) all.push(...batch);
    return all;
  }

  async clear(): Promise<void> {
    await this.#stores.records.removeByIdPrefix('');
  }
}

/** Lists of so many seeds that are imported together. */
const listsAtOnce = 100;

/** Imports made lists of these seeds in every way, and checks what must hold of all of them. */
export async function checkLists(importer: ListImporter, seeds: number): Promise<void> {
  for (let first = 1; first <= seeds; first += listsAtOnce) {
    const isCsv = (first / listsAtOnce) % 2 < 1;
    for (const isSteady of [false, true]) {
      const draw = (order: number) =>
        Array.from({ length: listsAtOnce }, (_, place) => drawList(first + place, isSteady, order));
      const whole = await importWhole(importer, draw(0), { isCsv, isSteady });
      expect(await importWhole(importer, draw(1), { isCsv, isSteady })).toEqual(whole);
      if (isSteady)
        for (const isOneRun of [true, false]) {
          expect(await importParts(importer, draw(2), { isOneRun, isCsv, dice: new Dice(first) })).toEqual(whole);
        }
    }
  }
}

/** Returns what of the records does not depend on the order of rows: of media with several pages, how many there are. */
async function importWhole(
  importer: ListImporter,
  lists: readonly MadeList[],
  { isCsv, isSteady }: { isCsv: boolean; isSteady: boolean },
): Promise<string[]> {
  await importer.clear();
  const rows = lists.flatMap((list) => list.rows);
  const text = writeList(shuffled(rows, new Dice(rows.length)), isCsv);
  const before = await importer.import(text);
  expect(before).toMatchObject({ read: rows.length, updated: 0, unchanged: 0, rejected: 0 });
  const records = await importer.readAll();
  expect(records).toHaveLength(before.created);
  expectNames(records, lists);
  expect(await importer.import(text)).toMatchObject({ created: 0, updated: 0, repeated: before.repeated });
  expect(await importer.readAll()).toEqual(records);
  return isSteady ? describe(records) : records.map(({ kind, name }) => `${kind} ${nameKey(name)}`).sort();
}

/** The lists in three files, of one import or of three. */
async function importParts(
  importer: ListImporter,
  lists: readonly MadeList[],
  { isOneRun, isCsv, dice }: { isOneRun: boolean; isCsv: boolean; dice: Dice },
): Promise<string[]> {
  await importer.clear();
  const parts: MadeRow[][] = [[], [], []];
  for (const row of lists.flatMap(({ rows }) => rows)) parts[dice.below(3)]?.push(row);
  const texts = parts.map((rows) => writeList(rows, isCsv));
  const run = async () => {
    let created = 0;
    if (isOneRun) return (await importer.import(...texts)).created;
    for (const text of texts) created += (await importer.import(text)).created;
    return created;
  };
  await run();
  const records = await importer.readAll();
  expectNames(records, lists);
  expect(await run()).toBe(0);
  expect(describe(await importer.readAll())).toEqual(describe(records));
  return describe(records);
}

function expectNames(records: readonly MediaRecord[], lists: readonly MadeList[]): void {
  const stored = new Set(records.map(({ kind, name }) => `${kind} ${nameKey(name)}`));
  expect(stored).toEqual(new Set(lists.flatMap(({ names }) => [...names])));
}

function describe(records: readonly MediaRecord[]): string[] {
  const page = (url: string | null) => (url === null ? '-' : urlKey(url));
  return records
    .map(({ kind, name, url, feed_url }) => [kind, nameKey(name), page(url), page(feed_url)].join(' '))
    .sort();
}
