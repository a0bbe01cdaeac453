import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Transition } from '#records/changes/record-change.ts';
import type { MediaRecord, RecordPatch } from '#records/media-record.ts';
import type { OnContacts, RecordStore, SaveOutcome } from '#records/record-store.ts';
import { addressToken } from '#search/indexed/record-tokens.ts';
import {
  isChanged,
  mergedIdsOf,
  mergeWork,
  type RecordWork,
  RecordWorker,
  type Standing,
  transitionOf,
} from '../../record-work.ts';
import { openReader, transact } from '../database.ts';
import type { NewRecordForms } from '../index/record-forms.ts';
import { columnsOfRecord, nextRows, type RecordRow, readRecord, readState, recordColumns } from '../record-row.ts';
import { runOnStore, SqliteAway } from '../sqlite-errors.ts';
import { countRows, insertion } from '../sqlite-store.ts';
import { type DocumentTables, documentTables } from './document-tables.ts';
import { type RecordAhead, RecordsAhead } from './records-ahead.ts';
import { SqliteChangeLog } from './sqlite-change-log.ts';
import { SqliteMergedIds } from './sqlite-merged-ids.ts';
import { suppressionTable } from './sqlite-suppression-list.ts';
import { findSuppressed, suppressedKeysFinder } from './suppressed-records.ts';

const pageSize = 500;
/** One patch in this many is looked up, to guess whether a batch is of new records. */
const sampledEach = 50;

const selectStored =
  'SELECT record, id, body, secret, record IN (SELECT record FROM documents) AS is_found FROM records';

const selectByToken = `${selectStored} WHERE record IN
  (SELECT c.record FROM contact_tokens AS t CROSS JOIN contacts AS c ON c.contact = t.rowid WHERE contact_tokens MATCH ?)`;

/** The records in SQLite. The index changes in the same transaction. */
export class SqliteRecordStore extends RecordWorker implements RecordStore {
  readonly #database: DatabaseSync;
  readonly #select: StatementSync;
  readonly #selectAny: StatementSync;
  readonly #insert: StatementSync;
  readonly #update: StatementSync;
  readonly #countKnown: StatementSync;
  readonly #delete: StatementSync;
  readonly #documents: DocumentTables;
  readonly #changes: SqliteChangeLog;
  readonly #mergedIds: SqliteMergedIds;
  readonly #suppressions: ReturnType<typeof suppressionTable>;
  readonly #suppressedKeys: ReturnType<typeof suppressedKeysFinder>;
  readonly #ahead = new RecordsAhead();

  constructor(database: DatabaseSync) {
    super();
    this.#database = database;
    this.#select = database.prepare(`${selectStored} WHERE id = ?`);
    this.#selectAny = database.prepare(
      `${selectStored} WHERE name_key IN (SELECT value FROM json_each(?)) OR id IN (SELECT value FROM json_each(?))`,
    );
    this.#insert = database.prepare(insertion('records', columnsOfRecord));
    this.#update = database.prepare('UPDATE records SET body = ?2, secret = ?3, name_key = ?4 WHERE id = ?1');
    this.#countKnown = database.prepare(
      'SELECT count(*) AS count FROM records WHERE id IN (SELECT value FROM json_each(?))',
    );
    this.#delete = database.prepare('DELETE FROM records WHERE record = ?');
    this.#documents = documentTables(database);
    this.#changes = new SqliteChangeLog(database);
    this.#mergedIds = new SqliteMergedIds(database);
    this.#suppressions = suppressionTable(database);
    this.#suppressedKeys = suppressedKeysFinder(database);
  }

  async merge(patches: readonly RecordPatch[], changeSet?: string, onContacts?: OnContacts): Promise<SaveOutcome[]> {
    const ahead = await this.#ahead.take(patches);
    return this.change(mergeWork(patches, { ahead, onContacts }), changeSet, ahead);
  }

  async prepare(patches: readonly RecordPatch[]): Promise<void> {
    const sample = patches.filter((_, place) => place % sampledEach === 0).map(({ id }) => id);
    const knownRow = await runOnStore(() => this.#countKnown.get(JSON.stringify(sample)));
    if (Number(knownRow?.count) < sample.length / 2) this.#ahead.prepare(patches);
  }

  async find(id: string): Promise<MediaRecord | null> {
    return runOnStore(() => readStored(this.#select.get(id)));
  }

  async findAny(nameKeys: readonly number[], ids: readonly string[]): Promise<MediaRecord[]> {
    const rows = await runOnStore(() => this.#selectAny.all(JSON.stringify(nameKeys), JSON.stringify(ids)));
    return rows.flatMap((row) => readStored(row) ?? []);
  }

  /** By the index, which has a token for each address. */
  async findByAddresses(addresses: readonly string[]): Promise<MediaRecord[]> {
    if (addresses.length === 0) return [];
    const tokens = [...new Set(addresses.map(addressToken))].map((token) => `"${token}"`).join(' OR ');
    const rows = await runOnStore(() => this.#database.prepare(selectByToken).all(tokens));
    const lowerAddresses = new Set(addresses.map((address) => address.toLowerCase()));
    return rows
      .flatMap((row) => readStored(row) ?? [])
      .filter(({ contacts }) =>
        contacts.some(({ email }) => email !== null && lowerAddresses.has(email.toLowerCase())),
      );
  }

  protected async listIds(prefix: string): Promise<string[]> {
    const select = this.#database.prepare('SELECT id FROM records WHERE substr(id, 1, length(?1)) = ?1');
    return (await runOnStore(() => select.all(prefix))).map(({ id }) => String(id));
  }

  async count(): Promise<number> {
    return runOnStore(() => countRows(this.#database, 'records'));
  }

  async close(): Promise<void> {
    await this.#ahead.close();
  }

  /** Reads on a connection of its own, in one read transaction, so that it shows one moment. */
  async *readAll(onUnreadable: (count: number) => void = () => {}): AsyncGenerator<readonly MediaRecord[]> {
    using reader = await runOnStore(() => openReader(this.#path()));
    const rows = reader.prepare(`${selectStored} ORDER BY id`).iterate();
    for (;;) {
      const page = await runOnStore(() => nextRows(rows, pageSize));
      const records = page.map(readStored).filter((record) => record !== null);
      if (records.length > 0) yield records;
      if (records.length < page.length) onUnreadable(page.length - records.length);
      if (page.length < pageSize) return;
    }
  }

  #path(): string {
    const path = this.#database.location();
    if (path === null) throw new SqliteAway('the store is in memory');
    return path;
  }

  protected plan<Result>(work: RecordWork<Result>): Promise<Result> {
    return runOnStore(() => this.#plan(work, new Date(), () => {}).result);
  }

  /** Does the work in one transaction, and notes its changes in it. */
  protected change<Result>(
    work: RecordWork<Result>,
    changeSet: string | undefined,
    ahead?: ReadonlyMap<RecordPatch, RecordAhead>,
  ): Promise<Result> {
    const now = new Date();
    const write = () => {
      const newKeys: string[] = [];
      const suppressAlso = (following: ReadonlyMap<string, string>) => {
        newKeys.push(...this.#suppressions.addFollowing(following, now));
      };
      const { result, standings } = this.#plan(work, now, suppressAlso);
      const merged = changeSet === undefined ? [] : mergedIdsOf(standings, changeSet, now);
      for (const { id, keptId } of merged) this.#suppressions.handOnPeople(id, keptId, now);
      const transitions: Transition[] = [];
      const indexing: Array<() => void> = [];
      for (const standing of standings) {
        const { id, madeOf } = standing;
        if (isChanged(standing)) {
          const forms = madeOf && ahead?.get(madeOf)?.forms;
          indexing.push(this.#save(standing, forms));
          for (const transition of transitionOf(standing)) {
            transitions.push({ ...transition, digest: forms?.contentDigest });
          }
        }
        if (standing.comesBack) this.#mergedIds.release(id);
      }
      // Only now, because FTS5 flushes before each statement that SQLite may undo alone, such as an update of a record. In
      // between, that would cost a third of the time of an import that changes records.
      for (const index of indexing) index();
      if (newKeys.length > 0) this.#hide(new Set(newKeys));
      if (changeSet !== undefined) {
        this.#changes.write(changeSet, transitions, now);
        for (const mergedId of merged) this.#mergedIds.add(mergedId);
      }
      return result;
    };
    return runOnStore(() => transact(this.#database, write));
  }

  /** Hides what these suppressions hide of other records: people of this work may be there, too. */
  #hide(keys: ReadonlySet<string>): void {
    for (const { id } of findSuppressed(this.#database, keys)) {
      const row = this.#select.get(id);
      if (row !== undefined) this.#documents.show(row);
    }
  }

  #plan<Result>(
    { patches, decide }: RecordWork<Result>,
    now: Date,
    suppressAlso: (following: ReadonlyMap<string, string>) => void,
  ): { result: Result; standings: Stored[] } {
    const standings = new Map<string, Stored>();
    const readStanding = (id: string, row = this.#select.get(id)): Stored => {
      const keptId = patches && row === undefined ? this.#mergedIds.follow(id) : null;
      if (keptId !== null) return standings.get(keptId) ?? readStanding(keptId);
      const stored = readStored(row);
      const standing = { id, row, exists: row !== undefined, stored, next: stored };
      standings.set(id, standing);
      return standing;
    };
    const result = decide({
      now,
      standingOf: (id) => standings.get(id) ?? readStanding(id),
      suppressedKeys: this.#suppressedKeys,
      suppressAlso,
      isKept: (id) => this.#mergedIds.isKept(id),
    });
    return { result, standings: [...standings.values()] };
  }

  /** Writes or deletes a record. Returns a function that does the same to its index entries, for the same transaction. */
  #save({ id, row, next, keptId }: Stored, forms: NewRecordForms | undefined): () => void {
    if (next === null) {
      if (row === undefined) return () => {};
      this.#documents.announce(id, null, keptId);
      const removeEntries = this.#documents.removal(Number(row.record));
      this.#delete.run(Number(row.record));
      return removeEntries;
    }
    const visible = this.#documents.visiblePart(next);
    this.#documents.announce(id, visible);
    // What was made ahead knows no suppressions.
    const formsAhead = visible === next ? forms : undefined;
    const columns = formsAhead?.row ?? Object.values(recordColumns(next, visible ?? next));
    if (row === undefined) {
      const { lastInsertRowid } = this.#insert.run(...columns);
      return () => this.#documents.add(visible, Number(lastInsertRowid), formsAhead);
    }
    this.#update.run(...columns);
    return () => this.#documents.update(visible, Number(row.record));
  }
}

/** A standing with its row of `records`, if there is one. */
interface Stored extends Standing {
  row: RecordRow | undefined;
}

/** The record of a row; null if there is none. A row that is not in the index is read like an import would read it today. */
function readStored(row: RecordRow | undefined): MediaRecord | null {
  if (row === undefined) return null;
  if (row.is_found) return readRecord(row);
  const state = readState(row);
  return 'record' in state ? state.record : null;
}
