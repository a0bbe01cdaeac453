import type { ColumnMap } from './column-map.ts';
import { markInvalid } from './decode-text.ts';
import { JsonObjects, tooLongObject } from './json-object.ts';
import { BrokenFile } from './refused-file.ts';
import type { Row, RowReader } from './row.ts';
import { maxLineBytes } from './split-lines.ts';

const [quote, backslash, comma, lineFeed, carriageReturn] = [0x22, 0x5c, 0x2c, 0x0a, 0x0d];
const openers = new Set([0x5b, 0x7b]);
const closers = new Set([0x5d, 0x7d]);
const spaces = new Set([0x20, 0x09, lineFeed, carriageReturn]);

/** An element that is being read: its bytes in earlier chunks, and its first line. */
interface Element {
  parts: Buffer[];
  length: number;
  line: number;
}

/**
 * One JSON array of objects, whether on one line or many. Elements are separated by counting brackets outside of texts and
 * then parsed one by one, so an invalid element costs only itself if its brackets and quotes match.
 */
export class JsonArrayReader implements RowReader {
  readonly format = 'json';
  readonly kind = null;
  readonly headings = [];
  readonly ignored: ReadonlySet<string>;
  readonly #objects: JsonObjects;
  #line = 1;
  #isAfterReturn = false;
  /** Open brackets; 1 between the elements. */
  #depth = 0;
  #isInText = false;
  #isEscaped = false;
  #isClosed = false;
  /** Whether something follows the array. */
  #goesOn = false;
  #element: Element | null = null;

  constructor(columns: ColumnMap) {
    this.#objects = new JsonObjects(columns);
    this.ignored = this.#objects.ignored;
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
      const endsElement = this.#depth === 1 && this.#element !== null && (byte === comma || closers.has(byte));
      if (endsElement) rows.push(this.#finish(chunk.subarray(start, at)));
      if (closers.has(byte)) this.#close();
      else if (this.#depth === 1 && this.#element === null && byte !== comma && !spaces.has(byte)) {
        this.#element = { parts: [], length: 0, line: this.#line };
        start = at;
      }
      if (openers.has(byte)) this.#depth += 1;
      else if (byte === quote) this.#isInText = true;
      this.#goesOn = this.#isClosed && !(spaces.has(byte) || (this.#depth === 0 && closers.has(byte)));
    }
    if (this.#element !== null) this.#keep(this.#element, chunk.subarray(start));
    return rows;
  }

  /** @throws BrokenFile if the array has no end, or if something follows it */
  end(): void {
    if (this.#goesOn) throw new BrokenFile('has something after the end of its JSON array');
    if (this.#isClosed) return;
    const where = this.#element === null ? '' : `, in the element that starts on line ${this.#element.line}`;
    throw new BrokenFile(`ends before its JSON array does${where}`);
  }

  #stepInText(byte: number): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (byte === backslash) this.#isEscaped = true;
    else if (byte === quote) this.#isInText = false;
  }

  #close(): void {
    this.#depth -= 1;
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
