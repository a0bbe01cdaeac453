import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { ImportSummary } from '#indexer/importing/accounting/import-summary.ts';
import { type ImportOptions, importFiles } from '#indexer/importing/run-import.ts';
import { newChangeSetId } from '#records/changes/change-set.ts';
import type { MediaRecord } from '#records/media-record.ts';
import type { TestStores } from '#testing/backends.ts';

/** A row of a made list: cells by heading; an absent one is a missing cell. */
export type MadeRow = { [heading: string]: string };

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

  import(...texts: string[]): Promise<ImportSummary> {
    return this.importWith({}, ...texts);
  }

  async importWith(
    options: Partial<Pick<ImportOptions, 'kind' | 'source' | 'dryRun'>>,
    ...texts: string[]
  ): Promise<ImportSummary> {
    const paths: string[] = [];
    for (const text of texts) {
      this.#files += 1;
      paths.push(join(this.#folder, `list-${this.#files}`));
      await writeFile(paths.at(-1) as string, text);
    }
    const { records, mergedIds, suppressions, changes } = this.#stores;
    const changeSet = newChangeSetId(new Date());
    await changes.begin({
      ...{ id: changeSet, action: 'import', operator: 'test', undoes: null },
      startedAt: '2026-01-01T00:00:00.000Z',
    });
    const summary = await importFiles(paths, {
      ...{ records, mergedIds, suppressions, changeSet, dryRun: false, removesSample: false, kind: null },
      ...options,
      rejectsFolder: join(this.#folder, 'rejects'),
    });
    for (const { read, created, updated, unchanged, repeated, rejected } of [summary, ...summary.files]) {
      expect(read).toBe(created + updated + unchanged + repeated + rejected);
    }
    const { read, created, updated, unchanged, repeated, suppressed, rejected } = summary.people;
    expect(read).toBe(created + updated + unchanged + repeated + suppressed + rejected);
    return summary;
  }

  async readAll(): Promise<MediaRecord[]> {
    return (await Array.fromAsync(this.#stores.records.readAll())).flat();
  }

  async clear(): Promise<void> {
    await this.#stores.records.removeByIdPrefix('');
  }
}

/** As NDJSON, where a missing cell is a missing key, or as CSV, where it is empty. */
export function writeList(rows: readonly MadeRow[], isCsv: boolean): string {
  if (!isCsv) return rows.map((row) => `${JSON.stringify(row)}\n`).join('');
  const headings = ['kind', 'name', 'url', 'feed_url', 'country', 'region', 'city', 'description'];
  return [headings, ...rows.map((row) => headings.map((heading) => row[heading] ?? ''))]
    .map((cells) => `${cells.join(',')}\n`)
    .join('');
}
