import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { FacetField } from '#records/fields.ts';
import type { FacetValue } from '#search/facet-groups.ts';
import { listFields } from './record-row.ts';

export type SortColumn = 'prominence' | 'audience' | 'updated_at' | 'created_at' | 'reachable' | 'name_key' | 'id';

interface Column<List extends Float64Array | Uint32Array> {
  list: List;
  edition: number;
  encode: (value: unknown) => number;
}

/** Rows whose changes `document_blocks` notes together. */
export const rowsOfBlock = 1_024;
const rowsAtOnce = 64 * rowsOfBlock;

/** Columns of `documents` in memory, a few bytes a record. Read when first needed, then only blocks that changed. */
export class DocumentColumns {
  readonly #database: DatabaseSync;
  readonly #selectChanged: StatementSync;
  readonly #sorted = new Map<SortColumn, Column<Float64Array>>();
  readonly #coded = new Map<FacetField, Column<Uint32Array> & { values: string[][] }>();
  #edition = -1;
  #end = 0;

  constructor(database: DatabaseSync) {
    this.#database = database;
    this.#selectChanged = database.prepare('SELECT block FROM document_blocks WHERE edition > ?');
  }

  /** Moves on to this edition of the index, whose rows are below `end`. Each column catches up when it is read next. */
  follow(edition: number, end: number): void {
    this.#edition = edition;
    this.#end = end;
  }

  /** A number for each row that sorts like its value; equal numbers may stand for different values. NaN if it is unknown. */
  sorted(name: SortColumn): Float64Array {
    const column = this.#sorted.get(name) ?? { list: new Float64Array(0), edition: -1, encode: encodings[name] };
    this.#sorted.set(name, column);
    return this.#current(name, column, (size) => new Float64Array(size).fill(Number.NaN));
  }

  /** How often these rows have each value of a field, the most frequent first. */
  count(field: FacetField, rows: Uint32Array): FacetValue[] {
    const column = this.#coded.get(field) ?? codedColumn(listFields.includes(field));
    this.#coded.set(field, column);
    const codes = this.#current(field, column, (size) => new Uint32Array(size));
    const counts = new Uint32Array(column.values.length);
    for (const row of rows) {
      const code = codes[row] as number;
      counts[code] = (counts[code] as number) + 1;
    }
    const byValue = new Map<string, number>();
    for (const [code, count] of counts.entries()) {
      if (count > 0)
        for (const value of column.values[code] ?? []) byValue.set(value, (byValue.get(value) ?? 0) + count);
    }
    const counted = Array.from(byValue, ([value, count]) => ({ value, count }));
    return counted.sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1));
  }

  #current<List extends Float64Array | Uint32Array>(
    name: string,
    column: Column<List>,
    emptyList: (size: number) => List,
  ): List {
    if (column.edition === this.#edition) return column.list;
    if (column.list.length < this.#end) {
      const longer = emptyList(Math.ceil(this.#end * 1.25));
      longer.set(column.list);
      column.list = longer;
    }
    const select = this.#database.prepare(
      `SELECT json_group_array(record) AS rows, json_group_array(${name}) AS list FROM documents WHERE record >= ? AND record < ?`,
    );
    const read = (start: number, count: number) => {
      const { rows, list } = select.get(start, start + count) ?? {};
      const values: unknown[] = JSON.parse(String(list));
      column.list.set(emptyList(Math.min(count, column.list.length - start)), start);
      for (const [place, row] of (JSON.parse(String(rows)) as number[]).entries()) {
        column.list[row] = column.encode(values[place]);
      }
    };
    if (column.edition === -1) {
      for (let start = 0; start < this.#end; start += rowsAtOnce) read(start, rowsAtOnce);
    } else {
      for (const { block } of this.#selectChanged.all(column.edition)) {
        const start = Number(block) * rowsOfBlock;
        if (start < column.list.length) read(start, rowsOfBlock);
      }
    }
    column.edition = this.#edition;
    return column.list;
  }
}

/** A column of codes: the values of a row are `values[list[row]]`. Code 0 stands for none. */
function codedColumn(isList: boolean): Column<Uint32Array> & { values: string[][] } {
  const codes = new Map<unknown, number>([[null, 0]]);
  const values: string[][] = [[]];
  const encode = (value: unknown) => {
    const known = codes.get(value);
    if (known !== undefined) return known;
    codes.set(value, values.length);
    return values.push(isList ? JSON.parse(String(value)) : [String(value)]) - 1;
  };
  return { list: new Uint32Array(0), edition: -1, encode, values };
}

const numberOf = (value: unknown) => (value === null ? Number.NaN : Number(value));

const timeOf = (value: unknown) => Date.parse(String(value));

const encodings: Record<SortColumn, (value: unknown) => number> = {
  prominence: numberOf,
  audience: numberOf,
  updated_at: timeOf,
  created_at: timeOf,
  reachable: numberOf,
  // The first six bytes as a number, because SQLite compares bytes.
  name_key: (value) => Buffer.concat([Buffer.from(String(value).slice(0, 6)), Buffer.alloc(6)]).readUIntBE(0, 6),
  // The first eight characters, since ids begin alike. They are nearly always ASCII, which fits 96 values.
  id: (value) => {
    const start = String(value).slice(0, 8).padEnd(8);
    let number = 0;
    for (let at = 0; at < 8; at += 1) number = number * 96 + Math.min(Math.max(start.charCodeAt(at), 32), 127) - 32;
    return number;
  },
};
