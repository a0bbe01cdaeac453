import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FileSummary, ImportSummary } from '#indexer/importing/accounting/import-summary.ts';
import { type ImportOptions, importFiles } from '#indexer/importing/run-import.ts';
import { type Maintained, openIndexer } from '#indexer/open-indexer.ts';
import type { MediaRecord } from '#records/media-record.ts';
import { everything } from '#search/search-query.ts';
import { storedRecord } from '#testing/backends.ts';
import type { Ended } from '#testing/processes.ts';
import { runHere } from '#testing/run-here.ts';

/** An embedded store and a folder of a test's own, to import files into. */
export class ImportBench {
  readonly folder: string;
  readonly backends: Maintained;

  constructor(folder: string, backends: Maintained) {
    this.folder = folder;
    this.backends = backends;
  }

  static async open(): Promise<ImportBench> {
    const folder = await mkdtemp(join(tmpdir(), 'masthead-import-'));
    return new ImportBench(folder, await openIndexer({ dataDir: join(folder, 'data') }));
  }

  async close(): Promise<void> {
    await this.backends.close();
    await rm(this.folder, { recursive: true });
  }

  /** Creates a file; returns its path. */
  async write(name: string, content: string | Uint8Array): Promise<string> {
    const path = join(this.folder, name);
    await writeFile(path, content);
    return path;
  }

  /** Runs a command of data staff on the store. */
  run(...args: string[]): Promise<Ended> {
    return runHere(['indexer/main.ts', ...args], { MASTHEAD_DATA_DIR: join(this.folder, 'data') });
  }

  async import(paths: readonly string[], options: Partial<ImportOptions> = {}): Promise<ImportSummary> {
    const summary = await importFiles(paths, {
      records: this.backends.records,
      dryRun: false,
      removesSample: true,
      kind: null,
      rejectsFolder: join(this.folder, 'rejects'),
      ...options,
    });
    for (const counted of [summary, ...summary.files]) {
      const { read, created, updated, unchanged, repeated, rejected } = counted;
      if (read !== created + updated + unchanged + repeated + rejected) throw new Error('the summary does not add up');
    }
    return summary;
  }

  /** Creates a file with this content and imports it. */
  async importText(name: string, content: string | Uint8Array, options?: Partial<ImportOptions>): Promise<FileSummary> {
    const { files } = await this.import([await this.write(name, content)], options);
    if (files[0] === undefined) throw new Error('no file was imported');
    return files[0];
  }

  /** The ids of the records that searches find. */
  async found(): Promise<string[]> {
    return (await Array.fromAsync(await this.backends.index.scan(everything))).flat().map(({ id }) => id);
  }

  /** All stored records by id, whether or not searches find them. */
  async records(): Promise<Map<string, MediaRecord>> {
    const records = new Map<string, MediaRecord>();
    for await (const batch of this.backends.records.readAll()) {
      for (const record of batch) records.set(record.id, record);
    }
    return records;
  }

  async record(id: string): Promise<MediaRecord> {
    const record = await storedRecord({ dataDir: join(this.folder, 'data') }, id);
    if (record === null) throw new Error(`there is no record ${id}`);
    return record;
  }

  /** What was written about rows that were rejected, as CSV, and about others, as NDJSON. */
  async aboutRows(): Promise<{ rejects: string; entries: Record<string, unknown>[] }> {
    const folder = join(this.folder, 'rejects');
    const names = await readdir(folder).catch(() => []);
    const read = (ending: string) =>
      Promise.all(names.filter((name) => name.endsWith(ending)).map((name) => readFile(join(folder, name), 'utf8')));
    const lines = (await read('.ndjson')).join('').split('\n').slice(0, -1);
    return { rejects: (await read('.csv')).join(''), entries: lines.map((line) => JSON.parse(line)) };
  }
}
