import { basename, join } from 'node:path';
import { everSince } from '#outbound/late-suppressions.ts';
import { type RecordPatch, sampleIdPrefix } from '#records/media-record.ts';
import type { MergedIds, RecordStore, SaveOutcome } from '#records/record-store.ts';
import type { SuppressionList } from '#records/suppression.ts';
import type { Kind } from '#records/vocabularies.ts';
import { BatchSaver, type ReadRow, saving } from './batch-saver.ts';
import { type ColumnMap, usualColumns } from './column-map.ts';
import { FileImport, type ImportProgress, type RunParts } from './import-file.ts';
import { addCounts, type ImportSummary } from './import-summary.ts';
import { Doubts, letLeave, type PeopleSource } from './leaving.ts';
import { MediaCells } from './media-cells.ts';
import { inputAt, type ReadOptions } from './open-input.ts';
import { PeopleAccount } from './people-account.ts';
import { PeopleCells } from './people-cells.ts';
import { PersonIds } from './person-ids.ts';
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
  const { records, dryRun, removesSample, changeSet, sheet = null, encoding = null, columns = usualColumns } = options;
  // Into an empty store, nobody leaves or moves.
  const hasEarlier = (await records.count()) > 0;
  const people = new PeopleAccount({ hasEarlier });
  const media = new MediaCells();
  const doubts = new Doubts();
  const findAny: RecordStore['findAny'] = async (keys, ids) => {
    const storedRecords = await records.findAny(keys, ids);
    return removesSample ? storedRecords.filter((record) => !isSample(record)) : storedRecords;
  };
  const listSuppressed = async () => (await options.suppressions?.listKeysSince(everSince)) ?? new Set<string>();
  const parts: RunParts = {
    resolve: async (ids) => (await options.mergedIds?.resolve(ids)) ?? new Map(),
    findAny,
    kind: options.kind,
    source: options.source?.name ?? null,
    media,
    peopleCells: new PeopleCells(),
    personIds: options.source == null ? null : new PersonIds(),
    earlierRows: new Map(),
    holder: new RowHolder<ReadRow>(media.rowsLeft),
    people,
    doubts,
    suppressed: await listSuppressed(),
    onProgress: options.onProgress ?? (() => {}),
  };
  const files: FileImport[] = [];
  for (const path of paths) {
    const input = await inputAt(path, { sheet, encoding, columns: options.columnsOf?.get(path) ?? columns });
    const about = join(options.rejectsFolder, fileNameFor(input.name, files.length));
    const file = new FileImport(input, about, parts);
    files.push(file);
    await file.look();
    if (file.account.summary.stopped !== null) break;
  }
  const sample = new SampleRemoval(options);
  const saver = new BatchSaver(
    files.map(({ account }) => account),
    people,
    {
      save: async (patches, onContacts) => {
        const outcomes = await (dryRun
          ? records.preview(patches, onContacts)
          : records.merge(patches, changeSet, onContacts));
        await sample.after(patches, outcomes);
        return outcomes;
      },
      prepare: dryRun ? null : (records.prepare?.bind(records) ?? null),
      resolve: parts.resolve,
      findAny,
      unite: async ([keep = '', ...doubleIds]) => {
        if (dryRun || changeSet === undefined) return true;
        return !('tooManyContacts' in (await records.mergeDuplicates(keep, doubleIds, changeSet)));
      },
      onReject: ({ key, cells }) => (key === null ? doubts.addPeople(cells) : doubts.addMedium(key)),
    },
  );
  let leaving = 0;
  let mayLeave = false;
  const isStopped = () => files.some(({ account }) => account.summary.stopped !== null);
  try {
    if (!isStopped()) await saving(() => media.settle(findAny));
    for (const file of files) if (file.isWhole) await file.import(saver);
    saver.add(parts.holder.rest());
    await saver.end();
    mayLeave = files.every((file) => file.isWhole) && !doubts.areOfAnybody;
    if (options.source != null && mayLeave && hasEarlier) {
      const suppressed = await listSuppressed();
      const changes = { people, doubts, suppressed, changeSet: dryRun ? null : (changeSet ?? null) };
      leaving = await saving(() => letLeave(records, options.source as PeopleSource, changes));
    }
    if (people.mayHaveMoved) await saving(() => people.settleMoves((addresses) => records.findByAddresses(addresses)));
  } catch (error) {
    const wholeFiles = files.filter((file) => file.isWhole);
    if (!isStopped()) (wholeFiles.find(({ account }) => account.hasUnsaved) ?? wholeFiles.at(-1))?.account.fail(error);
  }
  const summaries = files.map((file) => file.close());
  const stopped = summaries.findIndex((summary) => summary.stopped !== null);
  const [first] = files;
  return {
    import_id: dryRun ? null : (changeSet ?? null),
    dry_run: dryRun,
    ...addCounts(summaries),
    files: stopped < 0 ? summaries : summaries.slice(0, stopped + 1),
    people: people.counts,
    media_apart: people.apart,
    people_file: first === undefined ? null : await people.close(first.about),
    left_records: leaving,
    nobody_leaves: options.source != null && hasEarlier && !mayLeave,
    sample_removed: sample.removed,
    seconds: Math.round(performance.now() - start) / 1_000,
  };
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
