import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { createGunzip } from 'node:zlib';
import { maskAddresses } from '#records/addresses/scrub-addresses.ts';
import type { ColumnMap } from './column-map.ts';
import { atLeast, decodeText, joined } from './decode-text.ts';
import { BrokenFile, RefusedFile } from './row.ts';
import { isWorkbook, readSheet, type SheetRow } from './workbook.ts';

export interface ReadOptions {
  /** The sheet of workbooks; null for the first one. */
  sheet: string | null;
  /** The encoding of text that is not UTF-8, a label such as `windows-1252`. */
  encoding: string | null;
  columns: ColumnMap;
}

/** A list to import: a file, a sheet of a workbook, or standard input. */
export interface Input {
  /** Its name for messages, without addresses. */
  name: string;
  columns: ColumnMap;
  /** From its start, as often as needed. Throws RefusedFile if it cannot be read. */
  open(): Promise<Source>;
}

/** The text of a file, unpacked and decoded; or the rows of a sheet. */
export interface Source {
  content: { texts: AsyncGenerator<string> } | { rows: readonly SheetRow[] };
  /** Names of the workbook's other visible sheets. */
  otherSheets: readonly string[];
  /** Bytes as stored; null if unknown. */
  size: number | null;
  /** Bytes read so far, as stored. */
  bytesRead: () => number;
  /** The SHA-256 of the file as stored, in hexadecimal; null if it was not read to its end. */
  sha256: () => string | null;
  close: () => void;
}

const chunkSize = 256 * 1024;

/** Whether a path can be read only once: standard input, or a pipe. */
export async function isPipe(path: string): Promise<boolean> {
  return path === '-' || ((await stat(path).catch(() => null))?.isFIFO() ?? false);
}

/** The list at a path; `-` is standard input. What can be read only once is held in memory. A missing file is noticed when it is opened. */
export async function inputAt(path: string, options: ReadOptions): Promise<Input> {
  const held = (await isPipe(path)) ? await buffer(path === '-' ? process.stdin : createReadStream(path)) : null;
  const size = held?.length ?? (await stat(path).catch(() => null))?.size ?? null;
  const stream = () => (held === null ? createReadStream(path, { highWaterMark: chunkSize }) : Readable.from([held]));
  return {
    name: path === '-' ? 'standard input' : maskAddresses(path),
    columns: options.columns,
    open: () => openSource(stream(), path, { ...options, size }),
  };
}

/** What a file is, its first bytes say, not its name. */
async function openSource(
  input: Readable,
  path: string,
  { sheet, encoding, size }: ReadOptions & { size: number | null },
): Promise<Source> {
  const { chunks, ...counts } = countBytes(withReadFaults(input, path));
  const start = await atLeast(chunks, 4);
  const all = joined(start, chunks);
  const source = { otherSheets: [], size, ...counts, close: () => input.destroy() };
  if (isWorkbook(start)) {
    const { rows, otherSheets } = readSheet(await buffer(all), sheet);
    return { ...source, content: { rows }, otherSheets };
  }
  const isPacked = start[0] === 0x1f && start[1] === 0x8b;
  return { ...source, content: { texts: decodeText(isPacked ? unpack(all) : all, encoding) } };
}

/** The same chunks, counted and hashed as they are read. */
function countBytes(chunks: AsyncIterable<Buffer>) {
  const hash = createHash('sha256');
  let bytesRead = 0;
  let sha256: string | null = null;
  async function* counted(): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      bytesRead += chunk.length;
      hash.update(chunk);
      yield chunk;
    }
    sha256 = hash.digest('hex');
  }
  return { chunks: counted(), bytesRead: () => bytesRead, sha256: () => sha256 };
}

async function* withReadFaults(chunks: AsyncIterable<Buffer>, path: string): AsyncGenerator<Buffer> {
  let hasBegun = false;
  try {
    for await (const chunk of chunks) {
      hasBegun = true;
      yield chunk;
    }
  } catch (cause) {
    if (hasBegun) throw new BrokenFile('cannot be read completely', { cause });
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw new RefusedFile('not_found', 'does not exist');
    if (code !== 'EISDIR') throw new RefusedFile('cannot_read', `cannot be read (${code})`, { cause });
    throw new RefusedFile('not_a_file', `is a folder. Pass its files, such as ${maskAddresses(path)}/*.csv`);
  }
}

async function* unpack(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* pipeline(Readable.from(chunks), createGunzip({ chunkSize }), () => {});
  } catch (cause) {
    if (cause instanceof BrokenFile) throw cause;
    throw new BrokenFile('is gzip, but damaged or truncated', { cause });
  }
}
