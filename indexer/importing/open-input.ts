import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { maskAddresses } from '#records/addresses/scrub-addresses.ts';
import type { ColumnMap } from './column-map.ts';
import { ZipArchive } from './open-zip.ts';
import { BrokenFile, RefusedFile } from './row.ts';
import { atLeast, joined } from './split-lines.ts';
import { isWorkbook, openSheet } from './workbook.ts';

/** How files are read that do not say it themselves. */
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
  /** Whether it can be opened more than once. */
  isRereadable: boolean;
  /** @throws RefusedFile if it cannot be read */
  open(): Promise<Source>;
}

const zipSignature = Buffer.from('PK\u0003\u0004');

/** The list at a path; `-` is standard input. A missing file is noticed when it is opened. */
export async function inputAt(path: string, options: ReadOptions): Promise<Input> {
  // A pipe has no size, and can be read only once.
  const size = await fileSize(path).catch(() => null);
  return {
    name: path === '-' ? 'standard input' : maskAddresses(path),
    isRereadable: size !== null,
    open: async () => ((await isZip(path, size)) ? openWorkbook(path, options) : openFile(path, options)),
  };
}

async function openFile(path: string, { encoding, columns }: ReadOptions): Promise<Source> {
  if (path !== '-' && (await stat(path).catch(() => null))?.isDirectory()) {
    throw new RefusedFile('not_a_file', `is a folder. Pass its files, such as ${maskAddresses(path)}/*.csv`);
  }
  return openSource(path, { encoding, columns });
}

async function openWorkbook(path: string, { sheet, columns }: ReadOptions): Promise<Source> {
  const archive = await ZipArchive.open(path);
  try {
    if (!isWorkbook(archive)) throw new RefusedFile('not_text', 'is a zip archive. Unpack it and pass its files');
    const { rows, otherSheets } = await openSheet(archive, sheet);
    const counted = countBytes(rows);
    const close = () => {
      void counted.chunks.return(undefined);
      archive.close();
    };
    return { isSheet: true, otherSheets, encoding: null, columns, size: null, ...counted, close };
  } catch (error) {
    archive.close();
    throw error;
  }
}

async function isZip(path: string, size: number | null): Promise<boolean> {
  if (size === null) return false;
  const file = await open(path).catch(() => null);
  if (file === null) return false;
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(zipSignature.length), 0, zipSignature.length, 0);
    return buffer.subarray(0, bytesRead).equals(zipSignature);
  } finally {
    await file.close();
  }
}

/** The decompressed bytes of a file, or a sheet of a workbook as CSV. */
export interface Source {
  isSheet: boolean;
  /** Names of the workbook's other sheets that have rows. */
  otherSheets: readonly string[];
  /** How its text is encoded if it is not UTF-8: a label such as `windows-1252`; null: it must be UTF-8 or UTF-16. */
  encoding: string | null;
  /** Which field each of its headings fills. */
  columns: ColumnMap;
  /** Total bytes as stored; null if unknown (standard input). */
  size: number | null;
  /** Bytes read so far, as stored. */
  bytesRead: () => number;
  /**
   * The SHA-256 in hexadecimal of the file as stored; of a sheet as the text that it is read as. null if it was not read
   * to its end.
   */
  sha256: () => string | null;
  chunks: AsyncGenerator<Buffer>;
  close: () => void;
}

const chunkSize = 256 * 1024;

/**
 * Opens a file, or standard input for `-`, and decompresses it if it is gzip, whatever its name.
 *
 * @throws RefusedFile if the file does not exist or cannot be read.
 */
async function openSource(path: string, form: Pick<Source, 'encoding' | 'columns'>): Promise<Source> {
  const size = await fileSize(path);
  const input: Readable = path === '-' ? process.stdin : createReadStream(path, { highWaterMark: chunkSize });
  const { chunks, ...counts } = countBytes(withReadFaults(input));
  return {
    ...form,
    isSheet: false,
    otherSheets: [],
    size,
    ...counts,
    chunks: unpacked(chunks),
    close: () => input.destroy(),
  };
}

/** The same chunks, counted and hashed as they are read. */
function countBytes(chunks: AsyncIterable<Buffer>): Pick<Source, 'chunks' | 'bytesRead' | 'sha256'> {
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

/**
 * The bytes of a file; null for input that can be read only once and in order: standard input and pipes.
 *
 * @throws RefusedFile if the file does not exist.
 */
async function fileSize(path: string): Promise<number | null> {
  if (path === '-') return null;
  try {
    const stats = await stat(path);
    return stats.isFile() ? stats.size : null;
  } catch (error) {
    if (error instanceof RefusedFile) throw error;
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw new RefusedFile('not_found', 'does not exist');
    throw cannotRead(error);
  }
}

function cannotRead(error: unknown): RefusedFile {
  const { code = 'unknown fault' } = error as NodeJS.ErrnoException;
  return new RefusedFile('cannot_read', `cannot be read (${code})`, { cause: error });
}

async function* withReadFaults(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let hasBegun = false;
  try {
    for await (const chunk of chunks) {
      hasBegun = true;
      yield chunk;
    }
  } catch (error) {
    if (hasBegun) throw new BrokenFile('cannot be read completely', { cause: error });
    throw cannotRead(error);
  }
}

/** The chunks, decompressed if they start like gzip. */
async function* unpacked(chunks: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  const first = await atLeast(chunks, 2);
  const all = joined(first, chunks);
  if (first[0] !== 0x1f || first[1] !== 0x8b) {
    yield* all;
    return;
  }
  const unpacking = pipeline(Readable.from(all), createGunzip({ chunkSize }), () => undefined);
  try {
    for await (const chunk of unpacking) yield chunk;
  } catch (error) {
    if (error instanceof RefusedFile || error instanceof BrokenFile) throw error;
    throw new BrokenFile('is gzip, but damaged or truncated', { cause: error });
  }
}
