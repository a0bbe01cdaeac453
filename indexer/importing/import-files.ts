import { basename, join } from 'node:path';
import { type RecordPatch, sampleIdPrefix } from '#records/media-record.ts';
import type { MergedIds, RecordStore, SaveOutcome } from '#records/record-store.ts';
import type { Kind } from '#records/vocabularies.ts';
import { type ColumnMap, usualColumns } from './column-map.ts';
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
 * Imports lists (`-`: standard input) one after another. A file's faults stop no other file; a failing store ends the
 * run. What was saved stays: importing the files again gives the same as one uninterrupted run.
 */
export async function importFiles(paths: readonly string[], options: ImportOptions): Promise<ImportSummary> {
  const start = performance.now();
  const files: FileSummary[] = [];
  const { records, dryRun, removesSample, changeSet, sheet = null, encoding = null, columns = usualColumns } = options;
  let removed = 0;
  let hasOwn = false;
  /** The first record that is not of the sample removes it. */
  const save = async (patches: readonly RecordPatch[]): Promise<SaveOutcome[]> => {
    const outcomes = await (dryRun ? records.preview(patches) : records.merge(patches, changeSet));
    if (removesSample && !hasOwn && patches.some((patch, at) => !isSample(patch) && outcomes[at] !== 'incomplete')) {
      hasOwn = true;
      removed = await (dryRun ? countSample(records) : records.removeByIdPrefix(sampleIdPrefix, changeSet));
    }
    return outcomes;
  };
  for (const path of paths) {
    const input = await inputAt(path, { sheet, encoding, columns: options.columnsOf?.get(path) ?? columns });
    const summary = await importFile(input, {
      save,
      prepare: dryRun ? null : (records.prepare?.bind(records) ?? null),
      resolve: async (ids) => (await options.mergedIds?.resolve(ids)) ?? new Map(),
      findAny: async (keys, ids) => {
        const found = await records.findAny(keys, ids);
        return removesSample ? found.filter((record) => !isSample(record)) : found;
      },
      unite: async ([keep = '', ...others]) => {
        if (!dryRun && changeSet !== undefined) await records.mergeDuplicates(keep, others, changeSet);
      },
      about: join(options.rejectsFolder, fileNameFor(input.name, files.length)),
      kind: options.kind,
      onProgress: options.onProgress ?? (() => {}),
    });
    files.push(summary);
    if (summary.stopped !== null) break;
  }
  return {
    import_id: dryRun ? null : (changeSet ?? null),
    dry_run: dryRun,
    ...addCounts(files),
    files,
    sample_removed: removed,
    seconds: Math.round(performance.now() - start) / 1_000,
  };
}

/** The beginning of the names of the files about a list, which is the nth of its import. */
function fileNameFor(name: string, place: number): string {
  // File systems take names of 255 bytes.
  const start = basename(name)
    .replace(/[\s*]+/g, '-')
    .slice(0, 50);
  return `${start}-${new Date().toISOString().replaceAll(':', '-')}${place === 0 ? '' : `-${place + 1}`}`;
}

async function countSample(records: RecordStore): Promise<number> {
  let count = 0;
  for await (const page of records.readAll()) count += page.filter(isSample).length;
  return count;
}

function isSample({ id }: { id: string }): boolean {
  return id.startsWith(sampleIdPrefix);
}
