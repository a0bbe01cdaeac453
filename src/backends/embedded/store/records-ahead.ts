import { Piscina } from 'piscina';
import type { MediaRecord, RecordPatch } from '#records/media-record.ts';
import { mergeRecord } from '#records/merge-record.ts';
import type { NewRecordForms } from '../index/record-forms.ts';
import { formsFromLast, type SharedRecords, shareRecords } from './shared-records.ts';

/** The record that a patch makes if its id is new, and what is written of it. */
export interface RecordAhead {
  record: MediaRecord;
  forms: NewRecordForms;
}

interface Batch {
  /** The patches that make the records of `shared`, in the same order. */
  patches: readonly RecordPatch[];
  shared: SharedRecords;
  byThread: Promise<NewRecordForms[]>;
}

/** A smaller batch is done before the thread has started. */
const minBatch = 500;

/** Makes new records ahead, and in a thread what is written of them: half the work of an import (decisions/0090). */
export class RecordsAhead {
  readonly #threads = new Piscina<SharedRecords, NewRecordForms[]>({
    filename: new URL('./shared-records.ts', import.meta.url).href,
    name: 'formsFromFirst',
    minThreads: 0,
    maxThreads: 1,
    // The thread gets its next batch while it works, because the import is seldom free when it is done.
    concurrentTasksPerWorker: 2,
    idleTimeout: Number.POSITIVE_INFINITY,
  });
  readonly #batches = new WeakMap<RecordPatch, Batch>();

  /** Begins to make the records of patches that will be given to `take`. */
  prepare(patches: readonly RecordPatch[]): void {
    if (patches.length < minBatch) return;
    const now = new Date();
    const newRecords = patches.flatMap((patch) => {
      const result = mergeRecord(null, patch, now);
      return 'record' in result ? [{ patch, record: result.record }] : [];
    });
    const shared = shareRecords(newRecords.map(({ record }) => record));
    const byThread = this.#threads.run(shared).catch(() => []);
    const batch = { patches: newRecords.map(({ patch }) => patch), shared, byThread };
    for (const { patch } of newRecords) this.#batches.set(patch, batch);
  }

  /** What was made of these patches, finished here where the thread has not begun. Patches that were not prepared are absent. */
  async take(patches: readonly RecordPatch[]): Promise<ReadonlyMap<RecordPatch, RecordAhead>> {
    const batches = new Set(patches.map((patch) => this.#batches.get(patch)));
    return new Map((await Promise.all([...batches].map((batch) => (batch ? finish(batch) : [])))).flat());
  }

  close(): Promise<void> {
    return this.#threads.destroy();
  }
}

/** The records of a batch. Those at which the thread failed are left out. */
async function finish({ patches, shared, byThread }: Batch): Promise<[RecordPatch, RecordAhead][]> {
  const { records } = shared;
  const last = formsFromLast(shared);
  // If everything was made here, the thread may still be starting: it is not awaited.
  const first = last.length === records.length ? [] : await byThread;
  return records.flatMap((record, place): [RecordPatch, RecordAhead][] => {
    const forms = first[place] ?? last[place - records.length + last.length];
    return forms === undefined ? [] : [[patches[place] as RecordPatch, { record, forms }]];
  });
}
