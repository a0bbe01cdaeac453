import { type Readable, Transform, type TransformCallback } from 'node:stream';
import { format } from 'fast-csv';
import type { Columns } from './columns.ts';
import { SliceReader } from './slice-reader.ts';

/** Bytes passed on at once: single rows would each cost a write to the socket. */
const chunkBytes = 64 * 1024;

/** Tells spreadsheets that the file is UTF-8. */
const byteOrderMark = Buffer.from('\ufeff');

/**
 * The steps that turn batches of items into a file (RFC 4180, UTF-8, CRLF, always with a heading line), for
 * `pipeline`; with a byte order mark in front if asked.
 */
export function writeCsv<Item>(
  batches: AsyncIterable<readonly Item[]>,
  { headings, toCells }: Columns<Item>,
  hasMark = false,
): [Readable, Transform, Transform] {
  const formatter = format<string[], string[]>({
    headers: [...headings],
    alwaysWriteHeaders: true,
    rowDelimiter: '\r\n',
    includeEndRowDelimiter: true,
  });
  const rows = new SliceReader(batches, (items) => items.map(toCells).filter((cells) => cells !== null));
  return [rows, formatter, new ChunkJoiner(hasMark ? [byteOrderMark] : [])];
}

/** Joins small chunks into larger ones. */
class ChunkJoiner extends Transform {
  #chunks: Buffer[];
  #bytes = 0;

  /** @param first what comes before everything else */
  constructor(first: readonly Buffer[]) {
    super();
    this.#chunks = [...first];
    this.#bytes = first.reduce((sum, { length }) => sum + length, 0);
  }

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
