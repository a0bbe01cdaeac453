import { Piscina } from 'piscina';
import type { MediaRecord, RecordPatch } from '#records/media-record.ts';
import { mergeRecord } from '#records/merge-record.ts';
import type { NewRecordForms } from './record-forms.ts';
import { formsFromLast, type SharedRecords, shareRecords } from './shared-records.ts';

/** The record that a patch makes if none has its id yet, and what is written of it. */
export interface RecordAhead {
  record: MediaRecord;
  forms: NewRecordForms;
}

interface Batch {
  /** Of each record of `shared` the patch that makes it. */
  patches: readonly RecordPatch[];
  shared: SharedRecords;
  byThread: Promise<NewRecordForms[]>;
}

/** Smaller batches end before the thread has started. */
const minBatch = 500;

/** Makes new records ahead, and in a thread what is written of them, half of the work of an import (decisions/0090). */
export class RecordsAhead {
  readonly #threads = new Piscina<SharedRecords, NewRecordForms[]>({
    filename: new URL('./shared-records.ts', import.meta.url).href,
    name: 'formsFromFirst',
    minThreads: 0,
    maxThreads: 1,
    // The thread gets its next batch while it works: when it is done, the import is seldom free to send one.
    concurrentTasksPerWorker: 2,
    idleTimeout: Number.POSITIVE_INFINITY,
  });
  readonly #batches = new WeakMap<RecordPatch, Batch>();

  /** Begins to make the records of patches that `take` will be asked for. */
  prepare(given: readonly RecordPatch[]): void {
    if (given.length < minBatch) return;
    const now = new Date();
    const made = given.flatMap((patch) => {
      const result = mergeRecord(null, patch, now);
      return 'record' in result ? [{ patch, record: result.record }] : [];
    });
    const shared = shareRecords(made.map(({ record }) => record));
    const byThread = this.#threads.run(shared).catch(() => []);
    const batch = { patches: made.map(({ patch }) => patch), shared, byThread };
    for (const { patch } of made) this.#batches.set(patch, batch);
  }

  /** What was made of these patches; what the thread has not begun is made here. Nothing of those that were not prepared. */
  async take(patches: readonly RecordPatch[]): Promise<ReadonlyMap<RecordPatch, RecordAhead>> {
    const batches = new Set(patches.map((patch) => this.#batches.get(patch)));
    return new Map((await Promise.all([...batches].map((batch) => (batch ? finish(batch) : [])))).flat());
  }

  close(): Promise<void> {
    return this.#threads.destroy();
  }
}

/** Without the records at which the thread failed. */
async function finish({ patches, shared, byThread }: Batch): Promise<[RecordPatch, RecordAhead][]> {
  const { records } = shared;
  const last = formsFromLast(shared);
  // A thread that has begun nothing may still be starting.
  const first = last.length === records.length ? [] : await byThread;
  return records.flatMap((record, place): [RecordPatch, RecordAhead][] => {
    const forms = first[place] ?? last[place - records.length + last.length];
    return forms === undefined ? [] : [[patches[place] as RecordPatch, { record, forms }]];
  });
}
