import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { FacetField } from '#records/fields.ts';
import type { RowKind } from '#search/contact-row.ts';
import type { FacetValue } from '#search/facet-groups.ts';
import { compareTexts } from '#text/compare-texts.ts';
import { cached } from '#text/memoize.ts';
import { listFields } from '../record-row.ts';

export type SortColumn =
  | 'prominence'
  | 'audience'
  | 'updated_at'
  | 'created_at'
  | 'reachable'
  | 'name_key'
  | 'id'
  | 'record'
  | 'usable'
  | 'rank'
  | 'contact_name';

/** The rows of an index, with what notes the changes of their blocks. A contact has the values of its record, too. */
const sources = {
  records: { row: 'record', from: 'documents', blocks: 'document_blocks' },
  contacts: { row: 'contact', from: 'contacts CROSS JOIN documents USING (record)', blocks: 'contact_blocks' },
} as const;

interface Column<List extends Float64Array | Uint32Array> {
  list: List;
  edition: number;
  encode: (value: unknown) => number;
}

/** Rows whose changes are noted together. */
export const rowsOfBlock = 1_024;
const rowsAtOnce = 64 * rowsOfBlock;

/** Columns of records or contacts in memory, a few bytes a row. Read when first needed, then only blocks that changed. */
export class IndexColumns {
  readonly #source: (typeof sources)[RowKind];
  readonly #database: DatabaseSync;
  readonly #selectChanged: StatementSync;
  readonly #sorted = new Map<SortColumn, Column<Float64Array>>();
  readonly #codedColumns = new Map<FacetField, ReturnType<typeof codedColumn>>();
  #edition = -1;
  #end = 0;

  constructor(database: DatabaseSync, rows: RowKind) {
    this.#database = database;
    this.#source = sources[rows];
    this.#selectChanged = database.prepare(`SELECT block FROM ${this.#source.blocks} WHERE edition > ?`);
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

  /** The number that stands for a value in such a column. */
  encode(name: SortColumn, value: string | number | null): number {
    return encodings[name](value);
  }

  /** How often these rows have each value of a field, the most frequent first. */
  count(field: FacetField, rows: Uint32Array): FacetValue[] {
    const [codes, column] = this.#coded(field);
    const { values } = column;
    if (column.counts.length < values.length) column.counts = new Uint32Array(Math.ceil(values.length * 1.25));
    const { counts } = column;
    const met: number[] = [];
    for (let place = 0; place < rows.length; place += 1) {
      const code = codes[rows[place] as number] as number;
      const before = counts[code] as number;
      if (before === 0) met.push(code);
      counts[code] = before + 1;
    }
    const byValue = new Map<string, number>();
    for (const code of met) {
      const count = counts[code] as number;
      for (const value of values[code] ?? []) byValue.set(value, (byValue.get(value) ?? 0) + count);
      counts[code] = 0;
    }
    return largestFirst(byValue);
  }

  #coded(field: FacetField) {
    const column = cached(this.#codedColumns, field, () => codedColumn(listFields.includes(field)));
    return [this.#current(field, column, (size) => new Uint32Array(size)), column] as const;
  }

  /** How many records have a contact of these rows with each value of a field, the most frequent first. */
  countByRecord(field: FacetField, rows: Uint32Array): FacetValue[] {
    const counts = new Map<string, number>();
    const last = new Map<string, number>();
    const [codes, { values }] = this.#coded(field);
    const records = this.sorted('record');
    const ordered = rows.toSorted((a, b) => (records[a] as number) - (records[b] as number));
    for (const row of ordered) {
      for (const value of values[codes[row] as number] ?? []) {
        if (last.get(value) === records[row]) continue;
        last.set(value, records[row] as number);
        counts.set(value, (counts.get(value) ?? 0) + 1);
      }
    }
    return largestFirst(counts);
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
    const { row: key, from } = this.#source;
    const select = this.#database.prepare(
      `SELECT json_group_array(${key}) AS rows, json_group_array(${name}) AS list FROM ${from} WHERE ${key} >= ? AND ${key} < ?`,
    );
    const readBlock = (start: number, count: number) => {
      const { rows, list } = select.get(start, start + count) ?? {};
      const values: unknown[] = JSON.parse(String(list));
      column.list.set(emptyList(Math.min(count, column.list.length - start)), start);
      for (const [place, row] of (JSON.parse(String(rows)) as number[]).entries()) {
        column.list[row] = column.encode(values[place]);
      }
    };
    if (column.edition === -1) {
      for (let start = 0; start < this.#end; start += rowsAtOnce) readBlock(start, rowsAtOnce);
    } else {
      for (const { block } of this.#selectChanged.all(column.edition)) {
        const start = Number(block) * rowsOfBlock;
        if (start < column.list.length) readBlock(start, rowsOfBlock);
      }
    }
    column.edition = this.#edition;
    return column.list;
  }
}

function largestFirst(counts: ReadonlyMap<string, number>): FacetValue[] {
  const counted = Array.from(counts, ([value, count]) => ({ value, count }));
  return counted.sort((a, b) => b.count - a.count || compareTexts(a.value, b.value));
}

/**
 * A column of codes: the values of a row are `values[list[row]]`. Code 0 stands for none. `counts`: 0 for each code,
 * so that counting few rows makes no counters for all values.
 */
function codedColumn(isList: boolean): Column<Uint32Array> & { values: string[][]; counts: Uint32Array } {
  const codes = new Map<unknown, number>([[null, 0]]);
  const values: string[][] = [[]];
  const encode = (value: unknown) => {
    const code = codes.get(value);
    if (code !== undefined) return code;
    codes.set(value, values.length);
    return values.push(isList ? JSON.parse(String(value)) : [String(value)]) - 1;
  };
  return { list: new Uint32Array(0), edition: -1, encode, values, counts: new Uint32Array(0) };
}

const numberOf = (value: unknown) => (value === null ? Number.NaN : Number(value));

const timeOf = (value: unknown) => Date.parse(String(value));

/** The first six bytes as a number, because SQLite compares bytes. */
const firstBytes = (value: unknown) =>
  Buffer.concat([Buffer.from(String(value).slice(0, 6)), Buffer.alloc(6)]).readUIntBE(0, 6);

/** Whether different values of a column may have equal numbers. */
export function isShortened(name: SortColumn): boolean {
  return name === 'name_key' || name === 'id' || name === 'contact_name';
}

const encodings: Record<SortColumn, (value: unknown) => number> = {
  prominence: numberOf,
  audience: numberOf,
  updated_at: timeOf,
  created_at: timeOf,
  reachable: numberOf,
  record: numberOf,
  usable: numberOf,
  rank: numberOf,
  name_key: firstBytes,
  contact_name: (value) => (value === null ? Number.NaN : firstBytes(value)),
  // The first eight characters, since ids begin alike. They are nearly always ASCII, which fits 96 values.
  id: (value) => {
    const start = String(value).slice(0, 8).padEnd(8);
    let number = 0;
    for (let at = 0; at < 8; at += 1) number = number * 96 + Math.min(Math.max(start.charCodeAt(at), 32), 127) - 32;
    return number;
  },
};
