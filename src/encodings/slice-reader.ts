import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Items encoded in one turn of the event loop: a few milliseconds, so searches don't wait for exports. */
const itemsATurn = 200;
/** What is passed on at once: each piece costs a write to the socket. */
const chunkLength = 64 * 1024;

/** Encodes batches slice by slice. Each is read only when the last was passed on, so memory does not grow with them. */
export class SliceReader<Item> extends Readable {
  readonly #batches: AsyncIterator<readonly Item[]>;
  readonly #encode: (items: readonly Item[]) => string | Promise<string>;
  readonly #sliceItems: number;
  #batch: readonly Item[] = [];
  /** The first item of the batch that is not encoded yet. */
  #next = 0;
  /** What is encoded and not passed on yet. */
  #text: string;

  /**
   * @param encode the text of some of them, possibly none
   * @param options what comes before all of them, and how many are encoded at a time
   */
  constructor(
    batches: AsyncIterable<readonly Item[]>,
    encode: (items: readonly Item[]) => string | Promise<string>,
    { start = '', sliceItems = itemsATurn }: { start?: string; sliceItems?: number } = {},
  ) {
    super({ highWaterMark: 1 });
    this.#batches = batches[Symbol.asyncIterator]();
    this.#encode = encode;
    this.#sliceItems = sliceItems;
    this.#text = start;
  }

  override _read(): void {
    this.#pushChunk().catch((error) => this.destroy(error));
  }

  async #pushChunk(): Promise<void> {
    let isAtEnd = false;
    while (!isAtEnd && this.#text.length < chunkLength) {
      if (this.#next >= this.#batch.length && !(await this.#takeBatch())) isAtEnd = true;
      // Waiting requests get their turn before the next slice.
      await nextTurn();
      const slice = this.#batch.slice(this.#next, this.#next + this.#sliceItems);
      this.#next += slice.length;
      this.#text += await this.#encode(slice);
    }
    const text = this.#text;
    this.#text = '';
    if (text !== '') this.push(Buffer.from(text));
    if (isAtEnd) this.push(null);
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
