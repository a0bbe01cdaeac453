import type { Visibility } from '#records/masking.ts';
import type { MediaRecord } from '#records/media-record.ts';
import type { Prepare } from '../database.ts';
import { type RecordRow, readAnswer } from '../record-row.ts';
import type { Searched } from './searched-rows.ts';

/** Reads rows by their numbers, in their order. Rows that are gone are left out. */
export type ReadRows = (rows: readonly number[]) => MediaRecord[];

/** Rows that a scan reads at once. */
const rowsOfScan = 200;

/** Reads what is stored of rows. */
export class StoredRows {
  readonly #prepare: Prepare;

  constructor(prepare: Prepare) {
    this.#prepare = prepare;
  }

  read(searched: Searched, rows: readonly number[], visibility: Visibility): MediaRecord[] {
    return rows.length === 0 ? [] : this.#select(searched, rows, visibility).map(readAnswer);
  }

  /** Reads rows in their order, each only once: names are compared before a page is read. */
  reader(searched: Searched, visibility: Visibility): ReadRows {
    const byRow = new Map<number, MediaRecord>();
    return (rows) => {
      const missing = rows.filter((row) => !byRow.has(row));
      for (const [place, record] of this.read(searched, missing, visibility).entries())
        byRow.set(missing[place] as number, record);
      return rows.flatMap((row) => byRow.get(row) ?? []);
    };
  }

  /** All that is stored of these rows, read as it is consumed. */
  *scan(searched: Searched, rows: Uint32Array): Generator<RecordRow> {
    for (let done = 0; done < rows.length; done += rowsOfScan) {
      yield* this.#select(searched, [...rows.subarray(done, done + rowsOfScan)], 'full');
    }
  }

  /** What is stored of these rows in this order: the body, and the secret if the caller may see it. */
  #select({ read, besides }: Searched, rows: readonly number[], visibility: Visibility): RecordRow[] {
    const columns = visibility === 'full' ? 'r.body, r.secret' : 'r.body';
    return this.#prepare(`SELECT ${columns}${besides} FROM json_each(?) AS p ${read} ORDER BY p.key`).all(
      JSON.stringify(rows),
    );
  }
}
