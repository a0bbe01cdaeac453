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
  /** The columns of single files, by path, instead of `columns`. */
  columnsOf?: ReadonlyMap<string, ColumnMap>;
  /** Where merged ids lead; absent if there are none. */
  mergedIds?: Pick<MergedIds, 'resolve'>;
  /** The change set to note changes in; absent in a dry run. */
  changeSet?: string;
  dryRun: boolean;
  /** Whether the first record that is not of the sample removes the sample. */
  removesSample: boolean;
  /** The kind of rows that have none; null if a heading or a type must tell it. */
  kind: Kind | null;
  /** The folder for the files about each list: its rejected rows, and notes on others. */
  rejectsFolder: string;
  onProgress?: (progress: ImportProgress) => void;
}

/** Imports lists one after another. Only a failing store ends the run. What was saved stays, and the files can be imported again. */
export async function importFiles(paths: readonly string[], options: ImportOptions): Promise<ImportSummary> {
  const start = performance.now();
  const files: FileSummary[] = [];
  const { records, dryRun, removesSample, changeSet, sheet = null, encoding = null, columns = usualColumns } = options;
  let removed = 0;
  let hasOwn = false;
  /** Saves records. The first one that is not of the sample removes the sample. */
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

/** How the names of the files about a list begin. `place`: which list of the import it is, from 0. */
function fileNameFor(name: string, place: number): string {
  // File systems allow names of 255 bytes.
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
