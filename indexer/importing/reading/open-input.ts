import { isAscii, isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { createGunzip } from 'node:zlib';
import { maskAddresses } from '#records/addresses/scrub-addresses.ts';
import type { ColumnMap } from '../columns/column-map.ts';
import { BrokenFile, maxRowLength, RefusedFile } from '../row.ts';
import { holdsTables, readTables } from './markdown-tables.ts';
import { isWorkbook, maxUnpacked, readSheet, type SheetRow, tooLarge } from './workbook.ts';

export interface ReadOptions {
  /** The sheet of workbooks, or the section of a text in Markdown with tables; null for the first or longest one. */
  sheet: string | null;
  /** The encoding of text that is not UTF-8, such as `windows-1252`. */
  encoding: string | null;
  columns: ColumnMap;
}

/** A list to import: a file, a sheet of a workbook, or standard input. */
export interface Input {
  /** Its name for messages, without addresses. */
  name: string;
  columns: ColumnMap;
  /** Opens it at its start; can be called again. Throws RefusedFile if it cannot be read. */
  open(): Promise<Source>;
}

/** The text of a file, decompressed and decoded; or the rows of a sheet. */
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

/** The list at a path; `-` is standard input. A pipe is kept in memory. A missing file is noticed only by `open`. */
export async function inputAt(path: string, options: ReadOptions): Promise<Input> {
  const file = () => (path === '-' ? process.stdin : createReadStream(path, { highWaterMark: chunkSize }));
  const pipedChunks: Buffer[] | null = (await isPipe(path)) ? await file().toArray() : null;
  const size =
    pipedChunks?.reduce((sum, { length }) => sum + length, 0) ?? (await stat(path).catch(() => null))?.size ?? null;
  return {
    name: path === '-' ? 'standard input' : maskAddresses(path),
    columns: options.columns,
    open: () => openSource(pipedChunks === null ? file() : Readable.from(pipedChunks), path, { ...options, size }),
  };
}

/** The first bytes of a file tell its format, not its name. */
async function openSource(
  input: Readable,
  path: string,
  { sheet, encoding, columns, size }: ReadOptions & { size: number | null },
): Promise<Source> {
  const { chunks, ...counts } = countBytes(withReadFaults(input, path));
  const start = await atLeast(chunks, 4);
  const allChunks = joined(start, chunks);
  const source = { otherSheets: [], size, ...counts, close: () => input.destroy() };
  if (isWorkbook(start)) {
    // It is read as a whole.
    if (size !== null && size > maxUnpacked) throw tooLarge();
    const { rows, otherSheets } = await readSheet(await buffer(allChunks), sheet);
    return { ...source, content: { rows }, otherSheets };
  }
  const isPacked = start[0] === 0x1f && start[1] === 0x8b;
  const texts = decodeText(isPacked ? unpack(allChunks) : allChunks, encoding);
  const { value: beginning = '' } = await texts.next();
  const allTexts = joined(beginning, texts);
  if (!holdsTables(beginning)) return { ...source, content: { texts: allTexts } };
  const { rows, otherSheets } = readTables((await Array.fromAsync(allTexts)).join(''), sheet, columns);
  return { ...source, content: { rows }, otherSheets };
}

/** The same chunks. Counts and hashes them while they are read. */
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

/** How many bytes tell the encoding and the format. */
const probeSize = 64 * 1024;

const saveAs = 'save the file as "CSV UTF-8"';

/** How some files begin that are not text, in hexadecimal. */
const signatures: readonly (readonly [start: string, what: string])[] = [
  ['425a68', 'compressed with bzip2; decompress it first'],
  ['fd377a58', 'compressed with xz; decompress it first'],
  ['28b52ffd', 'compressed with zstd; decompress it first'],
  ['25504446', 'a PDF; use CSV or NDJSON'],
];

/** Replaces bytes that are invalid in the encoding. No text contains it, because it is a noncharacter. */
export const invalidMark = '\ufdd0';

/**
 * The text of a file without its byte order mark. The first piece is long enough to tell the format. UTF-16 is recognized by
 * its mark. Other text must begin as UTF-8 or be in the named encoding, or RefusedFile is thrown.
 */
async function* decodeText(chunks: AsyncGenerator<Buffer>, encoding: string | null): AsyncGenerator<string> {
  const probe = await atLeast(chunks, probeSize);
  if (probe.length === 0) throw new RefusedFile('empty', 'is empty');
  const start = probe.toString('latin1', 0, 3);
  const label = start.startsWith('ÿþ') ? 'utf-16le' : start.startsWith('þÿ') ? 'utf-16be' : encodingOf(probe, encoding);
  const allChunks = joined(probe, chunks);
  if (label === 'utf-8') yield* decodeUtf8(allChunks);
  else yield* decodeOther(allChunks, label);
}

function encodingOf(probe: Buffer, named: string | null): string {
  const signature = signatures.find(([start]) => probe.toString('hex', 0, 4).startsWith(start));
  if (signature) throw new RefusedFile('not_text', `is ${signature[1]}`);
  const text = probe.subarray(0, probeSize);
  if (text.filter((byte) => byte === 0).length > text.length / 4) {
    throw new RefusedFile('not_utf8', `is not text, or is UTF-16 without a byte order mark; ${saveAs}`);
  }
  // The probe may end within a character, unless it is the whole file.
  const wholeCharacters = probe.length < probeSize ? text : text.subarray(0, text.length - splitLength(text));
  if (isUtf8(wholeCharacters) && (named === null || !isAscii(wholeCharacters))) return 'utf-8';
  if (named !== null) return named;
  const encodings = 'windows-1252 (Western Europe), windows-1251 (Cyrillic), shift_jis or gb18030';
  throw new RefusedFile(
    'not_utf8',
    `is not UTF-8. Import it again with its --encoding, such as ${encodings}, or ${saveAs}`,
  );
}

async function* decodeUtf8(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let carry: Buffer = Buffer.alloc(0);
  let isStart = true;
  for await (const chunk of chunks) {
    const bytes = carry.length === 0 ? chunk : Buffer.concat([carry, chunk]);
    const end = bytes.length - splitLength(bytes);
    const text = withMarks(bytes.subarray(0, end));
    yield isStart && text.startsWith('\ufeff') ? text.slice(1) : text;
    carry = bytes.subarray(end);
    isStart = false;
  }
  if (carry.length > 0) yield withMarks(carry);
}

/** How many bytes at the end are the beginning of a UTF-8 character that is not complete. */
function splitLength(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] as number;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return back < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) ? back : 0;
  }
  return 0;
}

/** Decodes UTF-8, with invalidMark for invalid bytes. A U+FFFD in the text stays. */
function withMarks(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString();
  const parts = bytes.toString('latin1').split('\u00ef\u00bf\u00bd');
  return parts.map((part) => Buffer.from(part, 'latin1').toString().replaceAll('\ufffd', invalidMark)).join('\ufffd');
}

async function* decodeOther(chunks: AsyncIterable<Buffer>, label: string): AsyncGenerator<string> {
  const decoder = new TextDecoder(label);
  // Other encodings have no U+FFFD, so the decoder writes it only for invalid bytes.
  const marked = (text: string) => (label.startsWith('utf-16') ? text : text.replaceAll('\ufffd', invalidMark));
  for await (const chunk of chunks) yield marked(decoder.decode(chunk, { stream: true }));
  yield marked(decoder.decode());
}

/** The first chunks joined to at least `length` bytes, or to all there are. */
export async function atLeast(chunks: AsyncIterator<Buffer>, length: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  for (let total = 0; total < length; ) {
    const { value, done } = await chunks.next();
    if (done) break;
    parts.push(value);
    total += value.length;
  }
  return parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts);
}

export async function* joined<Part>(first: Part, rest: AsyncIterable<Part>): AsyncGenerator<Part> {
  yield first;
  yield* rest;
}

/** A line without its line end; null for a line that is too long. */
export type Line = string | null;

/** Lines of a text. `isCut`: the last one has no line end, so the file may have been cut off there. */
export interface Lines {
  lines: Line[];
  isCut: boolean;
}

/** Splits a text at LF, CRLF or CR. Keeps nothing of lines that are too long, so memory is limited. */
export async function* splitLines(texts: AsyncIterable<string>): AsyncGenerator<Lines> {
  let carry = '';
  let isTooLong = false;
  for await (const text of texts) {
    const pendingText = carry + text;
    // A CR at the very end may be half of a CRLF.
    const lines: Line[] = pendingText.includes('\r') ? pendingText.split(/\r\n|\n|\r(?!$)/) : pendingText.split('\n');
    carry = lines.pop() ?? '';
    if (isTooLong && lines.length > 0) {
      lines[0] = null;
      isTooLong = false;
    }
    if (carry.length > maxRowLength) {
      isTooLong = true;
      carry = carry.endsWith('\r') ? '\r' : '';
    }
    yield { lines: lines.map((line) => (line !== null && line.length > maxRowLength ? null : line)), isCut: false };
  }
  if (isTooLong) yield { lines: [null], isCut: true };
  else if (carry !== '') yield { lines: [carry.replace(/\r$/, '')], isCut: !carry.endsWith('\r') };
}
