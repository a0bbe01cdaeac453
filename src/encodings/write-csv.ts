import { Readable, Transform, type TransformCallback } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { format } from 'fast-csv';
import type { MediaRecord } from '#domain/media-record.ts';
import type { Columns } from './columns.ts';

/** Bytes passed on at once: single rows would each cost a write to the socket. */
const chunkBytes = 64 * 1024;
/** Rows formatted in one turn of the event loop: a few milliseconds, so searches don't wait for exports. */
const sliceRows = 200;

/**
 * The steps that turn batches of records into a file (RFC 4180, UTF-8, CRLF, always with a heading line), for
 * `pipeline`. A batch is read only when the previous one has been passed on, so memory does not grow with the number of
 * rows.
 */
export function writeCsv(
  batches: AsyncIterable<readonly MediaRecord[]>,
  columns: Columns,
): [Readable, Transform, Transform] {
  const formatter = format<string[], string[]>({
    headers: [...columns.headings],
    alwaysWriteHeaders: true,
    rowDelimiter: '\r\n',
    includeEndRowDelimiter: true,
  });
  return [new RowReader(batches, columns), formatter, new ChunkJoiner()];
}

/** Yields the cells of each record, a slice at a time. */
class RowReader extends Readable {
  readonly #batches: AsyncIterator<readonly MediaRecord[]>;
  readonly #toCells: Columns['toCells'];
  #batch: readonly MediaRecord[] = [];
  /** The first record of the batch that was not yielded yet. */
  #next = 0;

  constructor(batches: AsyncIterable<readonly MediaRecord[]>, { toCells }: Columns) {
    super({ objectMode: true, highWaterMark: 1 });
    this.#batches = batches[Symbol.asyncIterator]();
    this.#toCells = toCells;
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
      const slice = this.#batch.slice(this.#next, this.#next + sliceRows);
      this.#next += slice.length;
      for (const record of slice) {
        const cells = this.#toCells(record);
        if (cells === null) continue;
        this.push(cells);
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

/** Joins small chunks into larger ones. */
class ChunkJoiner extends Transform {
  #chunks: Buffer[] = [];
  #bytes = 0;

  override _transform(chunk: Buffer, _encoding: BufferEncoding, callback: TransformCallback): void {
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    if (this.#bytes >= chunkBytes) this.#pass();
    callback();
  }

  override _flush(callback: TransformCallback): void {
    this.#pass();
    callback();
  }

  #pass(): void {
    this.push(Buffer.concat(this.#chunks, this.#bytes));
    this.#chunks = [];
    this.#bytes = 0;
  }
}
