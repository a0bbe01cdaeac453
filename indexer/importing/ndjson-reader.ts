import type { ColumnMap } from './column-map.ts';
import { markInvalid } from './decode-text.ts';
import { JsonObjects, tooLongObject } from './json-object.ts';
import { RefusedFile } from './refused-file.ts';
import type { LineReader, Row } from './row.ts';

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
