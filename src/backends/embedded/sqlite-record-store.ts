import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { MediaRecord, RecordPatch } from '#domain/media-record.ts';
import { type MergeResult, mergeRecord } from '#domain/merge-record.ts';
import type { RecordStore, SaveOutcome } from '#ports/record-store.ts';
import { type DocumentTables, documentTables } from './document-tables.ts';
import { type RecordRow, readRecord, recordColumns } from './record-row.ts';
import { readState } from './record-state.ts';
import { runOnStore } from './sqlite-errors.ts';
import { countRows, insertion, SqliteStore } from './sqlite-store.ts';

/** The records in SQLite. The index changes in the same transaction. */
export class SqliteRecordStore extends SqliteStore implements RecordStore {
  readonly #select: StatementSync;
  readonly #insert: StatementSync;
  readonly #update: StatementSync;
  readonly #delete: StatementSync;
  readonly #documents: DocumentTables;

  constructor(database: DatabaseSync) {
    super(database);
    this.#select = database.prepare(`
      SELECT record, id, body, email, email_source, record IN (SELECT record FROM documents) AS is_found
      FROM records WHERE id = ?`);
    this.#insert = database.prepare(insertion('records', ['id', 'body', 'email', 'email_source']));
    this.#update = database.prepare(
      'UPDATE records SET body = :body, email = :email, email_source = :email_source WHERE id = :id',
    );
    this.#delete = database.prepare('DELETE FROM records WHERE record = ?');
    this.#documents = documentTables(database);
  }

  async merge(patches: readonly RecordPatch[]): Promise<SaveOutcome[]> {
    const now = new Date();
    return this.transact(() =>
      patches.map((patch) => {
        const row = this.#select.get(patch.id);
        const result = mergeRecord(readStored(row), patch, now);
        if ('record' in result) this.#write(result.record, row ? Number(row.record) : null);
        return result.outcome;
      }),
    );
  }

  async preview(patches: readonly RecordPatch[]): Promise<SaveOutcome[]> {
    const now = new Date();
    const merged = new Map<string, MediaRecord>();
    return runOnStore(() =>
      patches.map((patch) => {
        const stored = merged.get(patch.id) ?? readStored(this.#select.get(patch.id));
        const result: MergeResult = mergeRecord(stored, patch, now);
        if ('record' in result) merged.set(patch.id, result.record);
        return result.outcome;
      }),
    );
  }

  async find(id: string): Promise<MediaRecord | null> {
    return runOnStore(() => readStored(this.#select.get(id)));
  }

  async remove(ids: readonly string[]): Promise<number> {
    return this.transact(() => {
      const rows = [...new Set(ids)].map((id) => this.#select.get(id)).filter((row) => row !== undefined);
      for (const row of rows) this.#remove(Number(row.record));
      return rows.length;
    });
  }

  async removeByIdPrefix(prefix: string): Promise<number> {
    return this.transact(() => {
      const rows = this.database.prepare('SELECT record FROM records WHERE substr(id, 1, length(?1)) = ?1').all(prefix);
      for (const { record } of rows) this.#remove(Number(record));
      return rows.length;
    });
  }

  async count(): Promise<number> {
    return runOnStore(() => countRows(this.database, 'records'));
  }

  /** Writes a record and its index entries; `row` is the row of the record that it replaces, null for a new one. */
  #write(record: MediaRecord, row: number | null): void {
    if (row === null) {
      this.#documents.add(record, Number(this.#insert.run(recordColumns(record)).lastInsertRowid));
      return;
    }
    this.#update.run(recordColumns(record));
    this.#documents.replace(record, row);
  }

  #remove(row: number): void {
    this.#documents.remove(row);
    this.#delete.run(row);
  }
}

/** The record of a row; of one that search does not find only what an import of today would leave of it; null: nothing. */
function readStored(row: RecordRow | undefined): MediaRecord | null {
  if (row === undefined) return null;
  if (row.is_found) return readRecord(row);
  const state = readState(row);
  return 'record' in state ? state.record : null;
}
