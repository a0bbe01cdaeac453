import { basename, join } from 'node:path';
import { everSince } from '#outbound/late-suppressions.ts';
import { type RecordPatch, sampleIdPrefix } from '#records/media-record.ts';
import type { MergedIds, RecordStore, SaveOutcome } from '#records/record-store.ts';
import type { SuppressionList } from '#records/suppression.ts';
import type { Kind } from '#records/vocabularies.ts';
import { addCounts, type ImportSummary } from './accounting/import-summary.ts';
import { Doubts, letLeave, type PeopleSource } from './accounting/leaving.ts';
import { PeopleAccount } from './accounting/people-account.ts';
import { BatchSaver, type ReadRow, type SaveOptions, saving } from './batch-saver.ts';
import { type ColumnMap, usualColumns } from './columns/column-map.ts';
import { FileImport, type ImportProgress, type RunParts } from './import-file.ts';
import { MediaCells } from './media-cells.ts';
import { PeopleCells } from './people-cells.ts';
import { PersonIds } from './person-ids.ts';
import { inputAt, type ReadOptions } from './reading/open-input.ts';
import { RowHolder } from './repeated-rows.ts';

export interface ImportOptions extends Partial<ReadOptions> {
  records: RecordStore;
  /** The columns of single files, by path, instead of `columns`. */
  columnsOf?: ReadonlyMap<string, ColumnMap>;
  /** Where merged ids lead; absent if there are none. */
  mergedIds?: Pick<MergedIds, 'resolve'>;
  /** Whoever is on this list does not leave; absent if nobody is. */
  suppressions?: Pick<SuppressionList, 'listKeysSince'>;
  /** The change set to note changes in; absent in a dry run. */
  changeSet?: string;
  dryRun: boolean;
  /** Whether the first record that is not of the sample removes the sample. */
  removesSample: boolean;
  /** The kind of rows that have none; null if a heading or a type must tell it. */
  kind: Kind | null;
  /** The list whose people these are; null or absent without a name. */
  source?: PeopleSource | null;
  /** The folder for the files about each list: its rejected rows, and notes on others. */
  rejectsFolder: string;
  onProgress?: (progress: ImportProgress) => void;
}

/**
 * Imports lists, whose rows count as those of one file. Only a failing store ends the run. What was saved stays, and the files can
 * be imported again.
 */
export async function importFiles(paths: readonly string[], options: ImportOptions): Promise<ImportSummary> {
  const start = performance.now();
  const { records, dryRun, changeSet, source = null } = options;
  // Into an empty store, nobody leaves or moves.
  const hasEarlier = (await records.count()) > 0;
  const parts = await partsOf(options, hasEarlier);
  const { people, doubts, media, holder, findAny } = parts;
  const files = await lookAtFiles(paths, options, parts);
  const sample = new SampleRemoval(options);
  const accounts = files.map(({ account }) => account);
  const saver = new BatchSaver(accounts, people, savingOf(options, parts, sample));
  let leaving = 0;
  let mayLeave = false;
  try {
    if (!files.some(isStopped)) await saving(() => media.settle(findAny));
    for (const file of files) if (file.isWhole) await file.import(saver);
    saver.add(holder.rest());
    await saver.end();
    mayLeave = files.every((file) => file.isWhole) && !doubts.areOfAnybody;
    if (source !== null && mayLeave && hasEarlier) {
      const suppressed = await listSuppressed(options);
      const changes = { people, doubts, suppressed, changeSet: dryRun ? null : (changeSet ?? null) };
      leaving = await saving(() => letLeave(records, source, changes));
    }
    if (people.mayHaveMoved) await saving(() => people.settleMoves((addresses) => records.findByAddresses(addresses)));
  } catch (error) {
    noteFailure(files, error);
  }
  return {
    import_id: dryRun ? null : (changeSet ?? null),
    dry_run: dryRun,
    ...closeFiles(files),
    people: people.counts,
    media_apart: people.apart,
    people_file: files[0] === undefined ? null : await people.close(files[0].about),
    left_records: leaving,
    nobody_leaves: source !== null && hasEarlier && !mayLeave,
    sample_removed: sample.removed,
    seconds: Math.round(performance.now() - start) / 1_000,
  };
}

async function partsOf(options: ImportOptions, hasEarlier: boolean): Promise<RunParts> {
  const { records, mergedIds, kind, removesSample, source = null, onProgress = () => {} } = options;
  const media = new MediaCells();
  return {
    resolve: async (ids) => (await mergedIds?.resolve(ids)) ?? new Map(),
    findAny: async (keys, ids) => {
      const storedRecords = await records.findAny(keys, ids);
      return removesSample ? storedRecords.filter((record) => !isSample(record)) : storedRecords;
    },
    kind,
    source: source?.name ?? null,
    media,
    peopleCells: new PeopleCells(),
    personIds: source === null ? null : new PersonIds(),
    earlierRows: new Map(),
    holder: new RowHolder<ReadRow>(media.rowsLeft),
    people: new PeopleAccount({ hasEarlier }),
    doubts: new Doubts(),
    suppressed: await listSuppressed(options),
    onProgress,
  };
}

async function listSuppressed({ suppressions }: ImportOptions): Promise<ReadonlySet<string>> {
  return (await suppressions?.listKeysSince(everSince)) ?? new Set<string>();
}

/** Opens the files and looks at all rows of each, up to a file at which the store failed. */
async function lookAtFiles(paths: readonly string[], options: ImportOptions, parts: RunParts): Promise<FileImport[]> {
  const { columnsOf, rejectsFolder, sheet = null, encoding = null, columns = usualColumns } = options;
  const files: FileImport[] = [];
  for (const path of paths) {
    const input = await inputAt(path, { sheet, encoding, columns: columnsOf?.get(path) ?? columns });
    const file = new FileImport(input, join(rejectsFolder, fileNameFor(input.name, files.length)), parts);
    files.push(file);
    await file.look();
    if (isStopped(file)) break;
  }
  return files;
}

/** How planned records are saved. A dry run saves, prepares and unites nothing. */
function savingOf(
  { records, dryRun, changeSet }: ImportOptions,
  { resolve, findAny, doubts }: RunParts,
  sample: SampleRemoval,
): SaveOptions {
  return {
    save: async (patches, onContacts) => {
      const outcomes = await (dryRun
        ? records.preview(patches, onContacts)
        : records.merge(patches, changeSet, onContacts));
      await sample.after(patches, outcomes);
      return outcomes;
    },
    prepare: dryRun ? null : (records.prepare?.bind(records) ?? null),
    resolve,
    findAny,
    unite: async ([keep = '', ...doubleIds]) => {
      if (dryRun || changeSet === undefined) return true;
      return !('tooManyContacts' in (await records.mergeDuplicates(keep, doubleIds, changeSet)));
    },
    onReject: ({ key, cells }) => (key === null ? doubts.addPeople(cells) : doubts.addMedium(key)),
  };
}

function isStopped({ account }: FileImport): boolean {
  return account.summary.stopped !== null;
}

/** Notes a failure of the store at the file whose rows were not all saved, unless a file already has it. */
function noteFailure(files: readonly FileImport[], error: unknown): void {
  if (files.some(isStopped)) return;
  const wholeFiles = files.filter((file) => file.isWhole);
  (wholeFiles.find(({ account }) => account.hasUnsaved) ?? wholeFiles.at(-1))?.account.fail(error);
}

/** The sums over all files, and the summary of each up to one at which the store failed. */
function closeFiles(files: readonly FileImport[]) {
  const summaries = files.map((file) => file.close());
  const stoppedAt = summaries.findIndex((summary) => summary.stopped !== null);
  return { ...addCounts(summaries), files: stoppedAt < 0 ? summaries : summaries.slice(0, stoppedAt + 1) };
}

/** Removes the sample with the first record that is not of it. */
class SampleRemoval {
  removed = 0;
  readonly #options: ImportOptions;
  #hasOwn = false;

  constructor(options: ImportOptions) {
    this.#options = options;
  }

  async after(patches: readonly RecordPatch[], outcomes: readonly SaveOutcome[]): Promise<void> {
    const { records, dryRun, removesSample, changeSet } = this.#options;
    const isOwn = (patch: RecordPatch, at: number) => !isSample(patch) && outcomes[at] !== 'incomplete';
    if (!removesSample || this.#hasOwn || !patches.some(isOwn)) return;
    this.#hasOwn = true;
    this.removed = await (dryRun ? countSample(records) : records.removeByIdPrefix(sampleIdPrefix, changeSet));
  }
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
