import { randomUUID } from 'node:crypto';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import type { MediaRecord } from '#domain/media-record.ts';
import type { DeadLetter } from '#ports/dead-letters.ts';
import type { Generation, IndexChange, IndexGenerations, PreparedChange } from '#ports/index-generations.ts';
import type { IdRange } from '#ports/record-source.ts';
import { transact } from './database.ts';
import { digestDocument, digestedColumns, digestRecord } from './document-digest.ts';
import { DocumentWriter } from './document-writer.ts';
import { IndexTables, nextTables, servedTables, type TableSet } from './index-tables.ts';
import { type RecordRow, recordColumns } from './record-row.ts';
import { readState } from './record-state.ts';
import { runOnIndex } from './sqlite-errors.ts';
import { findSuppressedRows } from './suppressed.ts';

/** Records that are written in one transaction, while which other processes wait to write. */
const batchSize = 250;
/** What they are left to begin in, between two transactions, in milliseconds. */
const gapMs = 5;
const nothing = new Uint8Array();
/** Pages of full text that are merged in one transaction. */
const pagesAMerge = 500;

/**
 * Generations as sets of tables in the one file: the searched one and, while one is built, the next. No older one is
 * kept. The records are in the same file, so what is written of one is what it is in the same transaction, whatever was
 * read of it before: versions have nothing to decide here.
 */
export class SqliteIndexGenerations implements IndexGenerations {
  readonly #database: DatabaseSync;
  readonly #tables: IndexTables;
  readonly #documents: DocumentWriter;
  readonly #selectRecord: StatementSync;
  readonly #updateBody: StatementSync;
  readonly #form: () => string;

  /** @param form of the index that this version makes; asked for when it is first needed */
  constructor(database: DatabaseSync, form: () => string) {
    this.#database = database;
    this.#tables = new IndexTables(database);
    this.#documents = new DocumentWriter(database);
    this.#selectRecord = database.prepare('SELECT record, id, body, email, email_source FROM records WHERE id = ?');
    this.#updateBody = database.prepare('UPDATE records SET body = ?, email_source = ? WHERE record = ?');
    this.#form = form;
  }

  async findLive(): Promise<Generation | null> {
    return runOnIndex(() => {
      const served = this.#database.prepare('SELECT name FROM index_generations WHERE is_served').get();
      return served === undefined ? null : this.#find(String(served.name));
    });
  }

  async find(index: string): Promise<Generation | null> {
    return runOnIndex(() => this.#find(index));
  }

  /** What a rebuild that was cut off has left is removed. */
  async create(birth: Date): Promise<string> {
    const name = `embedded-${birth.toISOString().toLowerCase().replaceAll(/[-:.]/g, '')}`;
    return this.#transact(() => {
      this.#removeNext();
      this.#tables.makeNext();
      this.#database
        .prepare('INSERT INTO index_generations (name, identity, is_served, form) VALUES (?, ?, 0, ?)')
        .run(name, randomUUID(), this.#form());
      return name;
    });
  }

  /** Without the record: what is written is read again (decisions/0096). */
  prepare({ id, version, record }: IndexChange): PreparedChange {
    return { id, version, document: record === null ? null : nothing };
  }

  async write(index: string, changes: readonly PreparedChange[]): Promise<DeadLetter[]> {
    const letters: DeadLetter[] = [];
    for (let start = 0; start < changes.length; start += batchSize) {
      if (start > 0) await pause(gapMs);
      const batch = changes.slice(start, start + batchSize);
      letters.push(...(await this.#transact(() => this.#writeBatch(index, batch))));
    }
    return letters;
  }

  /** Merges the full text into one piece, a little at a time, so that nobody waits long to write. */
  async finish(index: string): Promise<void> {
    const { text } = await runOnIndex(() => this.#requireTables(index));
    const command = `INSERT INTO ${text} (${text}, rank) VALUES ('merge', ?)`;
    // A negative count brings all pieces into one merge, which positive ones go on with; nothing more than the command
    // itself changes once it is done.
    for (let pages = -pagesAMerge, isDone = false; !isDone; pages = pagesAMerge) {
      isDone = await this.#transact(() => {
        const before = this.#countChanges();
        this.#database.prepare(command).run(pages);
        return this.#countChanges() - before < 2;
      });
      await pause(gapMs);
    }
  }

  /** What is written is found at once. */
  async refresh(): Promise<void> {}

  async publish(index: string): Promise<void> {
    await this.#transact(() => {
      if (this.#requireTables(index) === servedTables) return;
      this.#tables.swap();
      this.#database.exec(`
        DELETE FROM index_journal WHERE name IN (SELECT name FROM index_generations WHERE is_served);
        DELETE FROM index_generations WHERE is_served;
        UPDATE index_generations SET is_served = 1`);
    });
  }

  /** The searched one stays. An export reads on in its moment of the data, whatever is removed. */
  async remove(index: string): Promise<boolean> {
    return this.#transact(() => {
      const tables = this.#findTables(index);
      if (tables === nextTables) this.#removeNext();
      return tables !== servedTables;
    });
  }

  async list(): Promise<string[]> {
    return runOnIndex(() =>
      this.#database
        .prepare('SELECT name FROM index_generations ORDER BY name')
        .all()
        .map(({ name }) => String(name)),
    );
  }

  async readDigests(index: string, { after, upTo }: IdRange): Promise<ReadonlyMap<string, string>> {
    return runOnIndex(() => {
      const { documents, lists, text } = this.#requireTables(index);
      const rows = this.#database
        .prepare(
          `SELECT ${digestedColumns.map((column) => `d.${column}`).join(', ')},
             (SELECT json_group_array(json_array(field, value)) FROM ${lists} WHERE record = d.record) AS lists,
             (SELECT d.text_digest FROM ${text}_docsize WHERE id = d.record) AS text_digest,
             (SELECT json_array(body ->> '$.email', body ->> '$.email_source') FROM records
              WHERE record = d.record AND json_valid(body)) AS mask
           FROM ${documents} AS d WHERE d.id > ? AND d.id <= ifnull(?, x'')`,
        )
        .all(after, upTo);
      return new Map(
        rows.map(({ lists, text_digest, mask, ...columns }) => [
          String(columns.id),
          digestDocument({
            columns,
            lists: JSON.parse(String(lists)),
            textDigest: text_digest as string | null,
            mask: JSON.parse(String(mask)) as unknown[] | null,
          }),
        ]),
      );
    });
  }

  digestOf(record: MediaRecord): string {
    return digestRecord(record);
  }

  async findSuppressed(index: string, keys: readonly string[]): Promise<string[]> {
    return runOnIndex(() => {
      const { documents } = this.#requireTables(index);
      return findSuppressedRows(this.#database, documents, new Set(keys)).map(({ id }) => id);
    });
  }

  #writeBatch(index: string, changes: readonly PreparedChange[]): DeadLetter[] {
    const tables = this.#requireTables(index);
    const generation = tables === servedTables ? 'served' : 'next';
    const letters: DeadLetter[] = [];
    for (const { id } of changes) {
      const row = this.#selectRecord.get(id);
      if (row === undefined) {
        this.#removeLeft(id, tables);
        continue;
      }
      const state = readState(row);
      const isReadable = 'record' in state;
      if (isReadable) this.#renewBody(state.record, row);
      this.#documents.replace(generation, isReadable ? state.record : null, Number(row.record));
      if (!isReadable) letters.push({ id, reason: state.unreadable });
    }
    return letters;
  }

  /** Answers read the body: it has to hold the mask, every field, and texts without addresses, as this version writes them. */
  #renewBody(record: MediaRecord, row: RecordRow): void {
    const { body, email_source } = recordColumns(record);
    if (body === row.body && email_source === row.email_source) return;
    this.#updateBody.run(body, email_source, Number(row.record));
  }

  /** Removes what is there of a record that is not. */
  #removeLeft(id: string, tables: TableSet): void {
    const generation = tables === servedTables ? 'served' : 'next';
    const left = this.#database.prepare(`SELECT record FROM ${tables.documents} WHERE id = ?`).all(id);
    for (const { record } of left) this.#documents.replace(generation, null, Number(record));
  }

  #find(index: string): Generation | null {
    const found = this.#database
      .prepare('SELECT name, identity, form FROM index_generations WHERE name = ?')
      .get(index);
    if (found === undefined) return null;
    const { documents } = this.#requireTables(index);
    const { records } = this.#database.prepare(`SELECT count(*) AS records FROM ${documents}`).get() ?? {};
    return {
      index,
      identity: String(found.identity),
      isCurrent: found.form === this.#form(),
      records: Number(records),
    };
  }

  #findTables(index: string): TableSet | null {
    const found = this.#database.prepare('SELECT is_served FROM index_generations WHERE name = ?').get(index);
    if (found === undefined) return null;
    return found.is_served ? servedTables : nextTables;
  }

  #requireTables(index: string): TableSet {
    const tables = this.#findTables(index);
    if (tables === null) throw new Error(`the index ${index} no longer exists`);
    return tables;
  }

  #removeNext(): void {
    this.#tables.dropNext();
    this.#database.exec('DELETE FROM index_generations WHERE NOT is_served');
  }

  #countChanges(): number {
    return Number(this.#database.prepare('SELECT total_changes() AS changes').get()?.changes);
  }

  #transact<Result>(work: () => Result): Promise<Result> {
    return runOnIndex(() => transact(this.#database, work));
  }
}
