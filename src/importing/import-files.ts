import { basename, join } from 'node:path';
import type { RecordPatch } from '#domain/media-record.ts';
import { sampleIdPrefix } from '#domain/media-record.ts';
import type { Kind } from '#domain/vocabularies.ts';
import type { MergedIds } from '#ports/merged-ids.ts';
import type { RecordStore, RowDigests, SaveOutcome } from '#ports/record-store.ts';
import { type ColumnMap, usualColumns } from './column-map.ts';
import { type FileImport, type ImportProgress, importFile } from './import-file.ts';
import { addCounts, type FileSummary, type ImportSummary } from './import-summary.ts';
import { inputAt, type ReadOptions } from './open-input.ts';
import { RejectsFile } from './rejects-file.ts';

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
  /** The file for all rejects; null for one file per input file, in `rejectsFolder`. */
  rejectsPath: string | null;
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
  const shared = options.rejectsPath === null ? null : new RejectsFile(options.rejectsPath);
  const save: FileImport['save'] = options.dryRun ? (patches) => options.records.preview(patches) : room.save;
  const files: FileSummary[] = [];
  const { sheet = null, encoding = null, columns = usualColumns } = options;
  for (const path of paths) {
    const input = await inputAt(path, { sheet, encoding, columns: options.columnsOf?.get(path) ?? columns });
    const rejects = shared ?? new RejectsFile(rejectsPathFor(input.name, options.rejectsFolder));
    const summary = await importFile(input, {
      save,
      prepare: options.dryRun ? null : (options.records.prepare?.bind(options.records) ?? null),
      findMerged: async (rows) =>
        (options.dryRun || room.isDone ? await options.records.findMerged?.(rows) : null) ?? new Set(),
      resolve: async (ids) => (await options.mergedIds?.resolve(ids)) ?? new Map(),
      rejects,
      kind: options.kind,
      onProgress: options.onProgress ?? (() => {}),
    });
    files.push(summary);
    if (shared === null) await rejects.close();
    if (summary.stopped !== null) break;
  }
  await shared?.close();
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

function rejectsPathFor(name: string, folder: string): string {
  // File systems take names of 255 bytes.
  const start = basename(name)
    .replace(/[\s*]+/g, '-')
    .slice(0, maxNameLength);
  return join(folder, `${start}-${new Date().toISOString().replaceAll(':', '-')}.ndjson`);
}

/** Saves records, and deletes the sample before the first record that is not part of it. */
class SampleRoom {
  removed = 0;
  /** Whether no sample is left to remove; what is not saved until then would not remove it. */
  isDone: boolean;
  readonly #records: RecordStore;
  readonly #changeSet: string | undefined;

  constructor({ records, changeSet, removesSample }: ImportOptions) {
    this.#records = records;
    this.#changeSet = changeSet;
    this.isDone = !removesSample;
  }

  save = async (patches: readonly RecordPatch[], rows: RowDigests): Promise<SaveOutcome[]> => {
    if (!this.isDone && (await this.#holdsOwn(patches))) {
      this.isDone = true;
      this.removed = await this.#records.removeByIdPrefix(sampleIdPrefix, this.#changeSet);
    }
    return this.#records.merge(patches, this.#changeSet, rows);
  };

  /** Whether one of them is about to be saved and is not a sample record. */
  async #holdsOwn(patches: readonly RecordPatch[]): Promise<boolean> {
    const outcomes = await this.#records.preview(patches);
    return patches.some(({ id }, index) => !id.startsWith(sampleIdPrefix) && outcomes[index] !== 'incomplete');
  }
}
