import { Piscina } from 'piscina';
import type { MediaRecord, RecordPatch } from '#records/media-record.ts';
import { mergeRecord } from '#records/merge-record.ts';
import type { NewRecordForms } from './record-forms.ts';

/** The record that a patch makes if none has its id yet, and what is written of it. */
export interface RecordAhead {
  record: MediaRecord;
  forms: NewRecordForms;
}

/** Smaller batches end before the thread has started. */
const minBatch = 500;

/** Makes new records ahead, and in a thread what is written of them: a good third of an import (decisions/0090). */
export class RecordsAhead {
  readonly #threads = new Piscina<MediaRecord[], NewRecordForms[]>({
    filename: new URL('./record-forms.ts', import.meta.url).href,
    name: 'formsOfAll',
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: Number.POSITIVE_INFINITY,
  });
  readonly #coming = new WeakMap<RecordPatch, Promise<ReadonlyMap<RecordPatch, RecordAhead>>>();
  #isStarted = false;

  /** Begins to make the records of patches that `take` will be asked for. */
  prepare(patches: readonly RecordPatch[]): void {
    if (patches.length < minBatch) return;
    // The thread starts while the first batch is saved without it.
    const coming = this.#make(this.#isStarted ? patches : []);
    if (this.#isStarted) for (const patch of patches) this.#coming.set(patch, coming);
    this.#isStarted = true;
  }

  /** What was made of these patches; nothing of those that were not prepared, and nothing if the thread failed. */
  async take(patches: readonly RecordPatch[]): Promise<ReadonlyMap<RecordPatch, RecordAhead>> {
    const batches = await Promise.all(new Set(patches.map((patch) => this.#coming.get(patch))));
    return batches.length === 1 ? (batches[0] ?? new Map()) : new Map(batches.flatMap((made) => [...(made ?? [])]));
  }

  close(): Promise<void> {
    return this.#threads.destroy();
  }

  async #make(patches: readonly RecordPatch[]): Promise<ReadonlyMap<RecordPatch, RecordAhead>> {
    const now = new Date();
    const made = patches.flatMap((patch) => {
      const result = mergeRecord(null, patch, now);
      return 'record' in result ? [{ patch, record: result.record }] : [];
    });
    try {
      const forms = await this.#threads.run(made.map(({ record }) => record));
      return new Map(
        made.map(({ patch, record }, place) => [patch, { record, forms: forms[place] as NewRecordForms }]),
      );
    } catch {
      return new Map();
    }
  }
}
