import type { ColumnMap } from './column-map.ts';
import { markInvalid } from './decode-text.ts';
import { JsonObjects, tooLongObject } from './ndjson-reader.ts';
import { BrokenFile, RefusedFile, type Row, type RowReader } from './row.ts';
import { maxLineBytes } from './split-lines.ts';

const [quote, backslash, comma, lineFeed, carriageReturn] = [0x22, 0x5c, 0x2c, 0x0a, 0x0d];
const brace = 0x7b;
const openers = new Set([0x5b, brace]);
const closers = new Set([0x5d, 0x7d]);
const spaces = new Set([0x20, 0x09, lineFeed, carriageReturn]);

/** An element that is being read: its bytes in earlier chunks, and its first line. */
interface Element {
  parts: Buffer[];
  length: number;
  line: number;
}

/** Where an array of records begins that is a value of one object, such as `{"data":[…]}`. */
export interface WrappedArray {
  /** The bytes and lines before it. */
  offset: number;
  line: number;
}

/**
 * Finds the array of records that is a value of the object with which a text begins; null for an object without one.
 *
 * @throws RefusedFile if there are several
 */
export function findWrappedArray(text: string): WrappedArray | null {
  // What is in texts is no bracket.
  const bare = text.replace(/"(?:[^"\\]|\\.)*"?/g, (quoted) => '_'.repeat(quoted.length));
  const starts: number[] = [];
  let depth = 0;
  for (const { 0: found, index } of bare.matchAll(/[{}\]]|\[\s*\{?/g)) {
    if (depth === 1 && found.startsWith('[') && found.endsWith('{')) starts.push(index);
    if (found === '}' || found === ']') depth -= 1;
    else depth += found.startsWith('[') && found.endsWith('{') ? 2 : 1;
    if (depth === 0) break;
  }
  const [start] = starts;
  if (start === undefined) return null;
  if (starts.length > 1) {
    throw new RefusedFile(
      'json_over_lines',
      'has several arrays of records in one JSON object; put each into its own file',
    );
  }
  const before = text.slice(0, start);
  return { offset: Buffer.byteLength(before), line: before.split(/\r\n|\n|\r/).length };
}

/**
 * One array of JSON objects, whether on one line or many, alone or as a value of an object. Elements are separated by
 * counting brackets outside of texts and then parsed one by one, so an invalid element costs only itself if its brackets
 * and quotes match.
 */
export class JsonArrayReader implements RowReader {
  readonly format = 'json';
  readonly kind = null;
  readonly ignored: ReadonlySet<string>;
  readonly #objects: JsonObjects;
  #line: number;
  #isAfterReturn = false;
  /** Open brackets around the array, and now. */
  readonly #outside: number;
  #depth: number;
  /** Whether the value around, or beside the array, is an array. */
  #isInArray = false;
  #isInText = false;
  #isEscaped = false;
  #isClosed = false;
  /** Whether the array has ended. */
  #isRead = false;
  /** Whether something follows that should not. */
  #goesOn = false;
  #element: Element | null = null;

  /** @param wrapped null for an array that is alone; otherwise the bytes are read from where it begins */
  constructor(columns: ColumnMap, wrapped: WrappedArray | null) {
    this.#line = wrapped?.line ?? 1;
    this.#outside = wrapped === null ? 0 : 1;
    this.#depth = this.#outside;
    this.#objects = new JsonObjects(columns);
    this.ignored = this.#objects.ignored;
  }

  get headings(): readonly string[] {
    return this.#objects.keys;
  }

  /** The rows whose elements end in this chunk. */
  read(chunk: Buffer): Row[] {
    const rows: Row[] = [];
    let start = 0;
    for (let at = 0; at < chunk.length && !this.#goesOn; at += 1) {
      const byte = chunk[at] as number;
      this.#countLine(byte);
      if (this.#isInText) {
        this.#stepInText(byte);
        continue;
      }
      const isBetween = this.#depth === this.#outside + 1 && !this.#isRead;
      const endsElement = isBetween && this.#element !== null && (byte === comma || closers.has(byte));
      if (endsElement) rows.push(this.#finish(chunk.subarray(start, at)));
      if (closers.has(byte)) this.#close();
      else if (isBetween && this.#element === null && byte !== comma && !spaces.has(byte)) {
        this.#element = { parts: [], length: 0, line: this.#line };
        start = at;
      }
      if (openers.has(byte)) this.#open(byte);
      else if (byte === quote) this.#isInText = true;
      if (this.#isClosed) this.#goesOn = !(spaces.has(byte) || (this.#depth === 0 && closers.has(byte)));
    }
    if (this.#element !== null) this.#keep(this.#element, chunk.subarray(start));
    return rows;
  }

  /** @throws BrokenFile if the array has no end, or if something follows it */
  end(): void {
    if (this.#goesOn) throw new BrokenFile('has something after the end of its JSON array that was not read');
    if (this.#isClosed) return;
    const where = this.#element === null ? '' : `, in the element that starts on line ${this.#element.line}`;
    throw new BrokenFile(`ends before its JSON array does${where}`);
  }

  #stepInText(byte: number): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (byte === backslash) this.#isEscaped = true;
    else if (byte === quote) this.#isInText = false;
  }

  /** A second array of objects beside the first is not read. */
  #open(byte: number): void {
    this.#goesOn = this.#isRead && byte === brace && this.#isInArray && this.#depth === this.#outside + 1;
    if (this.#depth === this.#outside) this.#isInArray = byte !== brace;
    this.#depth += 1;
  }

  #close(): void {
    this.#depth -= 1;
    this.#isRead ||= this.#depth === this.#outside;
    this.#isClosed ||= this.#depth === 0;
  }

  #finish(last: Buffer): Row {
    const { parts, length, line } = this.#element as Element;
    this.#element = null;
    if (length + last.length > maxLineBytes) return { line, cells: '', fault: tooLongObject };
    return this.#objects.read(
      line,
      markInvalid(Buffer.concat([...parts, last]))
        .toString()
        .trim(),
    );
  }

  /** Of an element that is too long, only its length is kept. */
  #keep(element: Element, part: Buffer): void {
    element.length += part.length;
    if (element.length > maxLineBytes) element.parts = [];
    else element.parts.push(part);
  }

  #countLine(byte: number): void {
    if (byte === carriageReturn || (byte === lineFeed && !this.#isAfterReturn)) this.#line += 1;
    this.#isAfterReturn = byte === carriageReturn;
  }
}
