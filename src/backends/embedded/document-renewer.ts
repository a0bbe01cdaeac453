import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { deadLetterId } from '#domain/dead-letter-id.ts';
import type { Difference } from '#ports/index-maintenance.ts';
import { digestDocument, digestedColumns, digestRecord } from './document-digest.ts';
import { DocumentTables } from './document-tables.ts';
import { type RecordRow, recordColumns } from './record-row.ts';
import { readState } from './record-state.ts';
import { Suppressed } from './suppressed.ts';

/** Records renewed per transaction, during which other processes wait to write. */
const batchSize = 250;
/** Records read at a time without writing. */
const pageSize = 1_000;

const recordsAfter =
  'SELECT record, id, body, email, email_source FROM records WHERE record > ? ORDER BY record LIMIT ?';
/** Index entries of records that are gone; see DocumentTables.remove. */
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
  readonly #suppressed: Suppressed;
  readonly #selectAfter: StatementSync;
  readonly #selectOne: StatementSync;
  readonly #selectKept: StatementSync;
  readonly #selectLeft: StatementSync;
  readonly #updateBody: StatementSync;
  readonly #saveLetter: StatementSync;
  readonly #removeLetter: StatementSync;

  constructor(database: DatabaseSync) {
    this.#documents = new DocumentTables(database);
    this.#suppressed = new Suppressed(database);
    this.#selectAfter = database.prepare(recordsAfter);
    this.#selectOne = database.prepare('SELECT record, id, body, email, email_source FROM records WHERE record = ?');
    this.#selectKept = database.prepare(`
      SELECT r.*, d.record IS NOT NULL AS is_kept, json_array(${digestedColumns.map((column) => `d.${column}`).join(', ')}) AS kept,
        (SELECT json_group_array(json_array(field, value)) FROM document_lists WHERE record = r.record) AS lists,
        (SELECT d.text_digest FROM search_text_docsize WHERE id = r.record) AS text_digest,
        iif(json_valid(r.body), json_array(r.body ->> '$.email', r.body ->> '$.email_source'), 'null') AS mask
      FROM (${recordsAfter}) AS r LEFT JOIN documents AS d USING (record)`);
    this.#selectLeft = database.prepare(leftovers);
    this.#updateBody = database.prepare('UPDATE records SET body = ?, email_source = ? WHERE record = ?');
    this.#saveLetter = database.prepare('REPLACE INTO dead_letters (id, reason, at) VALUES (?, ?, ?)');
    this.#removeLetter = database.prepare('DELETE FROM dead_letters WHERE id = ?');
  }

  /** Counts the records after a row that searches should find. */
  countFindable(after: number): Step & { found: number } {
    const rows = this.#selectAfter.all(after, pageSize);
    const found = rows.filter((row) => {
      const state = readState(row);
      return 'record' in state && !this.#suppressed.holds(state.record);
    });
    return { ...stepOf(rows, pageSize), found: found.length };
  }

  /**
   * Renews the records behind a row.
   *
   * @param sparesEqual leaves what search keeps of a record alone if `compareAfter` would find it as it should be
   */
  renewAfter(after: number, sparesEqual: boolean): Step {
    const rows = (sparesEqual ? this.#selectKept : this.#selectAfter).all(after, batchSize);
    for (const row of rows) this.#renew(row, sparesEqual && keptDigest(row) === this.#wantedDigest(row));
    return stepOf(rows, batchSize);
  }

  /** Renews a row, whether or not it contains a record. */
  renewRow(row: number): void {
    const found = this.#selectOne.get(row);
    if (found === undefined) this.#documents.remove(row);
    else this.#renew(found, false);
  }

  /** The rows of records that are gone but still have index entries. */
  listLeft(): number[] {
    return this.#selectLeft.all().map(({ record }) => Number(record));
  }

  /** Compares the records after a row with their index entries, in one snapshot. */
  compareAfter(after: number): Step & { differences: RowDifference[] } {
    const rows = this.#selectKept.all(after, pageSize);
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
    return 'record' in state && !this.#suppressed.holds(state.record) ? digestRecord(state.record) : null;
  }

  #renew(row: RecordRow, isSpared: boolean): void {
    const state = readState(row);
    if (!isSpared) this.#documents.replace('record' in state ? state.record : null, Number(row.record));
    const letter = deadLetterId(String(row.id));
    if ('unreadable' in state) {
      this.#saveLetter.run(letter, state.unreadable, new Date().toISOString());
      return;
    }
    this.#removeLetter.run(letter);
    // Answers read the body, so it must contain the mask, every field, and texts without addresses, as this version
    // writes them.
    const { body, email_source } = recordColumns(state.record);
    if (body !== row.body || email_source !== row.email_source) {
      this.#updateBody.run(body, email_source, Number(row.record));
    }
  }
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
