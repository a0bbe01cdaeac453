import type { DatabaseSync } from 'node:sqlite';
import type { MediaRecord } from '#domain/media-record.ts';
import { DocumentTables } from './document-tables.ts';
import { IndexTables, nextTables, servedTables } from './index-tables.ts';
import { Suppressed } from './suppressed.ts';

/**
 * Writes what search keeps of a record, by the record's row; of one that is suppressed it keeps nothing. While a rebuild
 * is under way it writes to both sets of tables, so that the next one misses nothing that is written meanwhile.
 */
export class DocumentWriter {
  readonly #database: DatabaseSync;
  readonly #suppressed: Suppressed;
  readonly #tables: IndexTables;
  readonly #served: DocumentTables;
  #next: DocumentTables | null = null;

  constructor(database: DatabaseSync) {
    this.#database = database;
    this.#suppressed = new Suppressed(database);
    this.#tables = new IndexTables(database);
    this.#served = new DocumentTables(database, servedTables);
  }

  /** Writes the record of a row of which the searched tables keep nothing yet. */
  add(record: MediaRecord, row: number): void {
    if (this.#suppressed.holds(record)) return;
    this.#served.add(record, row);
    const next = this.#findNext();
    // Where the searched tables have lost a row, the next ones may have it again.
    next?.remove(row);
    next?.add(record, row);
  }

  remove(row: number): void {
    this.#served.remove(row);
    this.#findNext()?.remove(row);
  }

  /** Makes one generation hold of a row what it should, whatever it held; null: nothing. */
  replace(generation: 'served' | 'next', record: MediaRecord | null, row: number): void {
    const tables = generation === 'served' ? this.#served : this.#openNext();
    tables.remove(row);
    if (record !== null && !this.#suppressed.holds(record)) tables.add(record, row);
  }

  /** Another process may have begun or ended a rebuild since the last write. */
  #findNext(): DocumentTables | null {
    return this.#tables.hasNext() ? this.#openNext() : null;
  }

  #openNext(): DocumentTables {
    this.#next ??= new DocumentTables(this.#database, nextTables);
    return this.#next;
  }
}
