import type { ChangeBatch } from '#backends/mongo/mongo-change-stream.ts';
import type { MongoRecordSource } from '#backends/mongo/mongo-record-source.ts';

/** Small, so that changes need not wait long meanwhile. */
const pageSize = 250;

/**
 * Dates the records that earlier versions left, page by page between the batches that the sync follows. A page has its turn
 * when everything is followed that was changed before its ids were read: what another tool has written since the upgrade is
 * then dated already, as a change of now.
 */
export class EarlierDating {
  readonly #source: MongoRecordSource;
  #page: { ids: readonly string[]; mark: string } | null = null;
  #last = '';
  #dated = 0;
  #isDone = false;

  constructor(source: MongoRecordSource) {
    this.#source = source;
  }

  /** Takes the next step if it is time for it. Returns how many records were dated in all once that was the last one. */
  async advance({ marks }: ChangeBatch): Promise<number | null> {
    if (this.#isDone || (this.#page !== null && !marks.includes(this.#page.mark))) return null;
    const { earlier } = this.#source;
    if (this.#page !== null) {
      await this.#source.read(this.#page.ids);
      this.#dated += this.#page.ids.length;
    }
    const ids = await earlier.listNext(this.#last, pageSize);
    if (ids !== null && ids.length > 0) {
      this.#page = { ids, mark: await this.#source.mark() };
      this.#last = ids.at(-1) ?? this.#last;
      return null;
    }
    this.#isDone = true;
    if (ids === null) return null;
    await earlier.noteAllDated();
    return this.#dated;
  }
}
