import { hash } from 'node:crypto';
import type { SQLOutputValue } from 'node:sqlite';
import { emptyRecord, type MediaRecord } from '#domain/media-record.ts';
import { type IndexText, indexText } from './index-text.ts';
import { documentColumns, documentLists } from './record-row.ts';

/** The columns of `documents` that follow from the record, in the order in which they are digested. */
export const digestedColumns = Object.keys(documentColumns(emptyRecord('', 'outlet', '')));

/** 132 bits: more than enough that no two texts meet. */
const digestLength = 22;

/** What stands for a full text, which FTS5 does not keep, beside its document. */
export function digestText(text: IndexText): string {
  return digest(Object.values(text));
}

/** The digest of what search should keep of a record. */
export function digestRecord(record: MediaRecord): string {
  return digestDocument(documentColumns(record), documentLists(record), digestText(indexText(record)));
}

/**
 * The digest of what search keeps of a record.
 *
 * @param lists each a field with one of its values, in any order
 * @param textDigest null where there is no full text, or it is not known which
 */
export function digestDocument(
  columns: Readonly<Record<string, SQLOutputValue>>,
  lists: ReadonlyArray<readonly string[]>,
  textDigest: string | null,
): string {
  const values = digestedColumns.map((column) => columns[column]);
  return digest([values, lists.map((pair) => JSON.stringify(pair)).toSorted(), textDigest]);
}

function digest(value: unknown): string {
  return hash('sha256', JSON.stringify(value), 'base64url').slice(0, digestLength);
}
