import type { MediaRecord } from '#domain/media-record.ts';
import { findField } from '#domain/normalize/find-field.ts';
import { invalidMark, markInvalid } from './decode-text.ts';
import { RefusedFile } from './refused-file.ts';
import { noteIgnored, quoteHeading, type Row, type RowFault, type RowReader } from './row.ts';
import { maxLineBytes } from './split-lines.ts';

const lineEnd = /\r\n|\n|\r/;

const faults = {
  not_utf8: { code: 'not_utf8', reason: 'the line is not valid UTF-8' },
  too_long: { code: 'too_long', reason: `the line is longer than ${maxLineBytes / 1024 / 1024} MiB` },
  not_an_object: { code: 'not_an_object', reason: 'the line is not a JSON object, such as {"name": "…"}' },
} as const satisfies Record<string, RowFault>;

/** One JSON object per line. Blank lines are ignored. */
export class NdjsonReader implements RowReader {
  readonly format = 'ndjson';
  readonly kind = null;
  readonly ignored = new Set<string>();
  readonly #fields = new Map<string, keyof MediaRecord | null>();
  #line = 1;

  /** @throws RefusedFile if the file starts with JSON, but not with one object per line. */
  constructor(beginning: Buffer) {
    const start = beginning.toString('utf8', 0, 1_000).trimStart();
    if (start.startsWith('[')) {
      throw new RefusedFile('json_array', "is a JSON array, but NDJSON has one object per line: jq -c '.[]' FILE");
    }
    if (/^\{\s*[\r\n]/.test(start)) {
      throw new RefusedFile(
        'json_over_lines',
        'spreads a JSON value over several lines, but NDJSON has one object per line: jq -c . FILE',
      );
    }
  }

  read(lines: Buffer): Row[] {
    const rows: Row[] = [];
    const texts = markInvalid(lines).toString().split(lineEnd);
    if (texts.at(-1) === '') texts.pop();
    for (const text of texts) {
      if (text.trim() !== '') rows.push(this.#readLine(text));
      this.#line += 1;
    }
    return rows;
  }

  skipLine(): Row[] {
    this.#line += 1;
    return [{ line: this.#line - 1, fault: faults.too_long }];
  }

  end(): Row[] {
    return [];
  }

  #readLine(text: string): Row {
    const line = this.#line;
    if (text.length > maxLineBytes / 4 && Buffer.byteLength(text) > maxLineBytes)
      return { line, fault: faults.too_long };
    if (text.includes(invalidMark)) return { line, fault: faults.not_utf8 };
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch (error) {
      return { line, fault: notJson(error) };
    }
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return { line, fault: faults.not_an_object };
    return this.#readObject(value as Record<string, unknown>);
  }

  #readObject(object: Record<string, unknown>): Row {
    const source: { [Key in keyof MediaRecord]?: unknown } = {};
    const line = this.#line;
    for (const key of Object.keys(object)) {
      const field = this.#fieldOf(key);
      if (field === null) noteIgnored(this.ignored, key);
      else if (Object.hasOwn(source, field)) return { line, fault: duplicateKey(object, field) };
      else source[field] = object[key];
    }
    return { line, source, isShort: false };
  }

  #fieldOf(key: string): keyof MediaRecord | null {
    let field = this.#fields.get(key);
    if (field === undefined) {
      field = findField(key);
      if (this.#fields.size < 10_000) this.#fields.set(key, field);
    }
    return field;
  }
}

/** The engine's message would show part of the line, so only the position is used. */
function notJson(error: unknown): RowFault {
  const place = /position (\d+)/.exec(String((error as Error).message))?.[1];
  const where = place === undefined ? '' : ` (character ${Number(place) + 1})`;
  return { code: 'not_json', reason: `the line is not valid JSON${where}` };
}

function duplicateKey(object: Record<string, unknown>, field: string): RowFault {
  const keys = Object.keys(object)
    .filter((key) => findField(key) === field)
    .map(quoteHeading);
  return { code: 'duplicate_key', reason: `${keys.join(' and ')} both mean ${field}; keep one of them` };
}
