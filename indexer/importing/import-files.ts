import { basename, join } from 'node:path';
import type { RecordPatch } from '#records/media-record.ts';
import { sampleIdPrefix } from '#records/media-record.ts';
import type { MergedIds, RecordStore, RowDigests, SaveOutcome } from '#records/record-store.ts';
import type { Kind } from '#records/vocabularies.ts';
import { type ColumnMap, usualColumns } from './column-map.ts';
import { ListFile } from './file-account.ts';
import { type ImportProgress, importFile } from './import-file.ts';
import { addCounts, type FileSummary, type ImportSummary } from './import-summary.ts';
import { inputAt, type ReadOptions } from './open-input.ts';

export interface ImportOptions extends Partial<ReadOptions> {
  records: RecordStore;
  /** The columns of single paths, in place of `columns`. */
  columnsOf?: ReadonlyMap<string, ColumnMap>;
  /** Where ids lead that were merged; absent if none was. */
  mergedIds?: Pick<MergedIds, 'resolve'>;
  /** The change set that notes what changes; absent if nothing does. */
  changeSet?: string;
  /** Reports what would happen and changes nothing. */
  dryRun: boolean;
  /** Whether the first other record removes the sample records. */
  removesSample: boolean;
  /** The kind of rows that have none; null if the heading or the type must say it. */
  kind: Kind | null;
  /** Where rejected rows go, and what was noted of others: files for each list. */
  rejectsFolder: string;
  onProgress?: (progress: ImportProgress) => void;
}

/**
 * Imports lists (`-`: standard input) one after another. A file's faults are in the summary and do not stop other files; a failing store ends the run. What was saved before stays, and importing the same files again gives
 * the same result as one uninterrupted run.
 */
export async function importFiles(paths: readonly string[], options: ImportOptions): Promise<ImportSummary> {
  const start = performance.now();
  const room = new SampleRoom(options);
  const files: FileSummary[] = [];
  const { sheet = null, encoding = null, columns = usualColumns } = options;
  for (const path of paths) {
    const input = await inputAt(path, { sheet, encoding, columns: options.columnsOf?.get(path) ?? columns });
    const about = join(options.rejectsFolder, fileNameFor(input.name, files.length));
    const [rejects, notes] = [new ListFile(`${about}.rejects.csv`), new ListFile(`${about}.rows.ndjson`)];
    const summary = await importFile(input, {
      save: room.save,
      prepare: options.dryRun ? null : (options.records.prepare?.bind(options.records) ?? null),
      findMerged: async (rows) => (room.isDone ? await options.records.findMerged?.(rows) : null) ?? new Set(),
      resolve: async (ids) => (await options.mergedIds?.resolve(ids)) ?? new Map(),
      findAny: async (keys, ids) => (await options.records.findAny(keys, ids)).filter(({ id }) => !room.isToGo(id)),
      unite: async ([keep = '', ...others]) => {
        if (options.dryRun || options.changeSet === undefined) return;
        await options.records.mergeDuplicates(keep, others, options.changeSet);
      },
      rejects,
      notes,
      kind: options.kind,
      onProgress: options.onProgress ?? (() => {}),
    });
    files.push(summary);
    await rejects.close();
    await notes.close();
    if (summary.stopped !== null) break;
  }
  const seconds = Math.round(performance.now() - start) / 1_000;
  return {
    import_id: options.dryRun ? null : (options.changeSet ?? null),
    dry_run: options.dryRun,
    ...addCounts(files),
    files,
    sample_removed: room.removed,
    seconds,
  };
}

const maxNameLength = 50;

/** The beginning of the names of the files about a list, which is the nth of its import. */
function fileNameFor(name: string, place: number): string {
  // File systems take names of 255 bytes.
  const start = basename(name)
    .replace(/[\s*]+/g, '-')
    .slice(0, maxNameLength);
  return `${start}-${new Date().toISOString().replaceAll(':', '-')}${place === 0 ? '' : `-${place + 1}`}`;
}

/** Saves records, and deletes the sample before the first record that is not part of it; a dry run only counts both. */
class SampleRoom {
  removed = 0;
  /** Whether no sample is left to remove; what is not saved until then would not remove it. */
  isDone: boolean;
  readonly #records: RecordStore;
  readonly #changeSet: string | undefined;
  readonly #isDry: boolean;
  /** Whether sample records are there that the import removes. */
  #isLeaving: boolean;

  constructor({ records, changeSet, removesSample, dryRun }: ImportOptions) {
    this.#records = records;
    this.#isDry = dryRun;
    this.#changeSet = changeSet;
    this.isDone = !removesSample;
    this.#isLeaving = removesSample;
  }

  /** Whether the record is of the sample, and the first other one removes it. */
  isToGo(id: string): boolean {
    return this.#isLeaving && isSample({ id });
  }

  save = async (patches: readonly RecordPatch[], rows: RowDigests): Promise<SaveOutcome[]> => {
    if (!this.isDone && (await this.#holdsOwn(patches))) {
      this.isDone = true;
      this.#isLeaving = this.#isDry;
      this.removed = await (this.#isDry
        ? this.#count()
        : this.#records.removeByIdPrefix(sampleIdPrefix, this.#changeSet));
    }
    return this.#isDry ? this.#records.preview(patches) : this.#records.merge(patches, this.#changeSet, rows);
  };

  async #count(): Promise<number> {
    let count = 0;
    for await (const page of this.#records.readAll()) count += page.filter(isSample).length;
    return count;
  }

  /** Whether one of them is about to be saved and is not a sample record. */
  async #holdsOwn(patches: readonly RecordPatch[]): Promise<boolean> {
    const outcomes = await this.#records.preview(patches);
    return patches.some((patch, index) => !isSample(patch) && outcomes[index] !== 'incomplete');
  }
}

function isSample({ id }: { id: string }): boolean {
  return id.startsWith(sampleIdPrefix);
}
