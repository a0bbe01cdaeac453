import type { DatabaseSync } from 'node:sqlite';
import { deadLetterId } from '#records/normalize/normalize-id.ts';
import type { Difference } from '#search/index-maintenance.ts';
import { digestDocument, digestedColumns, digestRecord } from './document-digest.ts';
import { type DocumentTables, documentTables } from './document-tables.ts';
import { type RecordRow, recordColumns } from './record-row.ts';
import { readState } from './record-state.ts';
import { suppressionCheck } from './suppressed.ts';

/** Records renewed per transaction, during which other processes wait to write. */
const batchSize = 250;
/** Records read at a time without writing. */
const pageSize = 1_000;

const recordsAfter =
  'SELECT record, id, body, email, email_source FROM records WHERE record > ? ORDER BY record LIMIT ?';
/** Index entries of records that are gone; see documentTables. */
const leftovers = `
  SELECT record FROM documents WHERE record NOT IN (SELECT record FROM records)
  UNION SELECT record FROM document_lists WHERE record NOT IN (SELECT record FROM documents)
  UNION SELECT id FROM search_text_docsize WHERE id NOT IN (SELECT record FROM documents)`;

/** One step through the records: the last row it reached (null: the end), and how many records it read. */
export interface Step {
  last: number | null;
  read: number;
}

/** A difference between a row of the records and its index entries. */
export interface RowDifference extends Difference {
  row: number;
}

/**
 * Derives the index entries of records from their rows again, and compares the two. Writes belong into a transaction,
 * so a search sees each record either as it was or as it is.
 */
export class DocumentRenewer {
  readonly #documents: DocumentTables;
  readonly #isSuppressed: ReturnType<typeof suppressionCheck>;
  readonly #statements: ReturnType<typeof prepareStatements>;

  constructor(database: DatabaseSync) {
    this.#documents = documentTables(database);
    this.#isSuppressed = suppressionCheck(database);
    this.#statements = prepareStatements(database);
  }

  /** Counts the records after a row that searches should find. */
  countFindable(after: number): Step & { found: number } {
    const rows = this.#statements.selectAfter.all(after, pageSize);
    const found = rows.filter((row) => {
      const state = readState(row);
      return 'record' in state && !this.#isSuppressed(state.record);
    });
    return { ...stepOf(rows, pageSize), found: found.length };
  }

  /**
   * Renews the records behind a row.
   *
   * @param sparesEqual leaves what search keeps of a record alone if `compareAfter` would find it as it should be
   */
  renewAfter(after: number, sparesEqual: boolean): Step {
    const rows = (sparesEqual ? this.#statements.selectKept : this.#statements.selectAfter).all(after, batchSize);
    for (const row of rows) this.#renew(row, sparesEqual && keptDigest(row) === this.#wantedDigest(row));
    return stepOf(rows, batchSize);
  }

  /** Renews a row, whether or not it contains a record. */
  renewRow(row: number): void {
    const found = this.#statements.selectOne.get(row);
    if (found === undefined) this.#documents.remove(row);
    else this.#renew(found, false);
  }

  /** The rows of records that are gone but still have index entries. */
  listLeft(): number[] {
    return this.#statements.selectLeft.all().map(({ record }) => Number(record));
  }

  /** Compares the records after a row with their index entries, in one snapshot. */
  compareAfter(after: number): Step & { differences: RowDifference[] } {
    const rows = this.#statements.selectKept.all(after, pageSize);
    const differences = rows.flatMap((row): RowDifference[] => {
      const wanted = this.#wantedDigest(row);
      const kept = keptDigest(row);
      if (kept === wanted) return [];
      const is = kept === null ? 'missing' : wanted === null ? 'extra' : 'stale';
      return [{ row: Number(row.record), id: String(row.id), is }];
    });
    return { ...stepOf(rows, pageSize), differences };
  }

  /** Null if searches should not find the record. */
  #wantedDigest(row: RecordRow): string | null {
    const state = readState(row);
    return 'record' in state && !this.#isSuppressed(state.record) ? digestRecord(state.record) : null;
  }

  #renew(row: RecordRow, isSpared: boolean): void {
    const state = readState(row);
    if (!isSpared) this.#documents.replace('record' in state ? state.record : null, Number(row.record));
    const id = deadLetterId(String(row.id));
    if ('unreadable' in state) {
      this.#statements.saveDeadLetter.run(id, state.unreadable, new Date().toISOString());
      return;
    }
    this.#statements.removeDeadLetter.run(id);
    // Answers read the body, so it must contain the mask, every field, and texts without addresses, as this version
    // writes them.
    const { body, email_source } = recordColumns(state.record);
    if (body !== row.body || email_source !== row.email_source) {
      this.#statements.updateBody.run(body, email_source, Number(row.record));
    }
  }
}

function prepareStatements(database: DatabaseSync) {
  const columns = digestedColumns.map((column) => `d.${column}`).join(', ');
  return {
    selectAfter: database.prepare(recordsAfter),
    selectOne: database.prepare('SELECT record, id, body, email, email_source FROM records WHERE record = ?'),
    selectKept: database.prepare(`
      SELECT r.*, d.record IS NOT NULL AS is_kept, json_array(${columns}) AS kept,
        (SELECT json_group_array(json_array(field, value)) FROM document_lists WHERE record = r.record) AS lists,
        (SELECT d.text_digest FROM search_text_docsize WHERE id = r.record) AS text_digest,
        iif(json_valid(r.body), json_array(r.body ->> '$.email', r.body ->> '$.email_source'), 'null') AS mask
      FROM (${recordsAfter}) AS r LEFT JOIN documents AS d USING (record)`),
    selectLeft: database.prepare(leftovers),
    updateBody: database.prepare('UPDATE records SET body = ?, email_source = ? WHERE record = ?'),
    saveDeadLetter: database.prepare('REPLACE INTO dead_letters (id, reason, at) VALUES (?, ?, ?)'),
    removeDeadLetter: database.prepare('DELETE FROM dead_letters WHERE id = ?'),
  };
}

function stepOf(rows: readonly RecordRow[], limit: number): Step {
  return { last: rows.length < limit ? null : Number(rows.at(-1)?.record), read: rows.length };
}

/** Null if the record has no index entries. */
function keptDigest({ is_kept, kept, lists, text_digest, mask }: RecordRow): string | null {
  if (!is_kept) return null;
  return digestDocument({
    values: JSON.parse(String(kept)),
    lists: JSON.parse(String(lists)),
    textDigest: text_digest as string | null,
    mask: JSON.parse(String(mask)),
  });
}
