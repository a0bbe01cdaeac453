import type { MediaRecord } from '#records/media-record.ts';
import type { ColumnMap } from './column-map.ts';
import { invalidMark, markInvalid } from './decode-text.ts';
import {
  addToList,
  type LineReader,
  listFields,
  noteIgnored,
  quoteHeading,
  RefusedFile,
  type Row,
  type RowFault,
} from './row.ts';
import { maxLineBytes } from './split-lines.ts';

const lineEnd = /\r\n|\n|\r/;

/** One JSON object per line. Blank lines are ignored. */
export class NdjsonReader implements LineReader {
  readonly format = 'ndjson';
  readonly kind = null;
  readonly ignored: ReadonlySet<string>;
  readonly #objects: JsonObjects;
  #line = 1;

  /** @throws RefusedFile if the file starts with JSON, but not with one object per line. */
  constructor(beginning: Buffer, columns: ColumnMap) {
    this.#objects = new JsonObjects(columns);
    this.ignored = this.#objects.ignored;
    const start = beginning.toString('utf8', 0, 1_000).trimStart();
    if (/^\{\s*[\r\n]/.test(start)) {
      throw new RefusedFile(
        'json_over_lines',
        'has JSON over several lines that is neither an array of records nor an object with one. Write one object per line: jq -c . FILE',
      );
    }
  }

  get headings(): readonly string[] {
    return this.#objects.keys;
  }

  read(lines: Buffer): Row[] {
    const rows: Row[] = [];
    const texts = markInvalid(lines).toString().split(lineEnd);
    if (texts.at(-1) === '') texts.pop();
    for (const text of texts) {
      if (text.trim() !== '') rows.push(this.#objects.read(this.#line, text));
      this.#line += 1;
    }
    return rows;
  }

  skipLine(): Row[] {
    this.#line += 1;
    return [{ line: this.#line - 1, cells: '', fault: tooLongObject }];
  }

  end(): Row[] {
    return [];
  }
}

const faults = {
  not_utf8: { code: 'not_utf8', reason: 'the line is not valid UTF-8' },
  not_an_object: { code: 'not_an_object', reason: 'the line is not a JSON object, such as {"name": "…"}' },
} as const satisfies Record<string, RowFault>;

export const tooLongObject: RowFault = {
  code: 'too_long',
  reason: `the line is longer than ${maxLineBytes / 1024 / 1024} MiB`,
};

/** Reads JSON objects as rows, by keys that are called like fields. */
export class JsonObjects {
  readonly ignored = new Set<string>();
  readonly #columns: ColumnMap;
  readonly #fields = new Map<string, keyof MediaRecord | null>();

  constructor(columns: ColumnMap) {
    this.#columns = columns;
  }

  /** The keys seen so far, unless there are very many. */
  get keys(): readonly string[] {
    return [...this.#fields.keys()];
  }

  /** The row of a text that starts on a line, or what is wrong with it. */
  read(line: number, text: string): Row {
    if (text.length > maxLineBytes / 4 && Buffer.byteLength(text) > maxLineBytes)
      return { line, cells: '', fault: tooLongObject };
    if (text.includes(invalidMark)) return { line, cells: text, fault: faults.not_utf8 };
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch (error) {
      return { line, cells: text, fault: notJson(error) };
    }
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return { line, cells: text, fault: faults.not_an_object };
    return this.#readObject(line, value as Record<string, unknown>);
  }

  #readObject(line: number, object: Record<string, unknown>): Row {
    const source: { [Key in keyof MediaRecord]?: unknown } = {};
    for (const key of Object.keys(object)) {
      const field = this.#fieldOf(key);
      if (field === null) noteIgnored(this.ignored, key);
      else if (!Object.hasOwn(source, field)) source[field] = object[key];
      else if (listFields.has(field)) source[field] = addToList(source[field], object[key]);
      else return { line, cells: object, fault: this.#duplicateKey(object, field) };
    }
    return { line, cells: object, source, isShort: false };
  }

  #fieldOf(key: string): keyof MediaRecord | null {
    let field = this.#fields.get(key);
    if (field === undefined) {
      field = this.#columns.fieldOf(key);
      if (this.#fields.size < 10_000) this.#fields.set(key, field);
    }
    return field;
  }

  #duplicateKey(object: Record<string, unknown>, field: string): RowFault {
    const keys = Object.keys(object)
      .filter((key) => this.#fieldOf(key) === field)
      .map(quoteHeading);
    return { code: 'duplicate_key', reason: `${keys.join(' and ')} both mean ${field}; keep one of them` };
  }
}

/** The engine's message would show part of the line, so only the position is used. */
function notJson(error: unknown): RowFault {
  const place = /position (\d+)/.exec(String((error as Error).message))?.[1];
  const where = place === undefined ? '' : ` (character ${Number(place) + 1})`;
  return { code: 'not_json', reason: `the line is not valid JSON${where}` };
}
