import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Items encoded in one turn of the event loop: a few milliseconds, so searches don't wait for exports. */
const itemsATurn = 200;

/**
 * Reads batches of records, or of other items, and yields what becomes of them, a slice at a time. A batch is read only when the previous
 * one has been passed on, so memory does not grow with their number.
 */
export class SliceReader<Item> extends Readable {
  readonly #batches: AsyncIterator<readonly Item[]>;
  readonly #encode: (items: readonly Item[]) => readonly unknown[];
  readonly #sliceItems: number;
  #batch: readonly Item[] = [];
  /** The first item of the batch that was not yielded yet. */
  #next = 0;

  /** @param encode what to yield for some of them, possibly nothing */
  constructor(
    batches: AsyncIterable<readonly Item[]>,
    encode: (items: readonly Item[]) => readonly unknown[],
    sliceItems = itemsATurn,
  ) {
    super({ objectMode: true, highWaterMark: 1 });
    this.#batches = batches[Symbol.asyncIterator]();
    this.#encode = encode;
    this.#sliceItems = sliceItems;
  }

  override _read(): void {
    this.#pushSlice().catch((error) => this.destroy(error));
  }

  async #pushSlice(): Promise<void> {
    let pushed = 0;
    while (pushed === 0) {
      if (this.#next >= this.#batch.length && !(await this.#takeBatch())) {
        this.push(null);
        return;
      }
      // Waiting requests get their turn before the next slice.
      await nextTurn();
      const slice = this.#batch.slice(this.#next, this.#next + this.#sliceItems);
      this.#next += slice.length;
      for (const encoded of this.#encode(slice)) {
        this.push(encoded);
        pushed += 1;
      }
    }
  }

  async #takeBatch(): Promise<boolean> {
    const { done, value } = await this.#batches.next();
    this.#batch = done ? [] : value;
    this.#next = 0;
    return !done;
  }

  /** The reader left or failed: the source is told, but not waited for, since it may be stuck. */
  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    this.#batches.return?.().catch(() => {});
    callback(error);
  }
}
