import { hash } from 'node:crypto';
import { emptyRecord } from '#records/fields.ts';
import { maskRecord } from '#records/masking.ts';
import type { MediaRecord } from '#records/media-record.ts';
import { type IndexText, indexText } from './index-text.ts';
import { documentColumns, documentLists } from './record-row.ts';

/** The columns of `documents` derived from the record, in digest order. */
export const digestedColumns = Object.keys(documentColumns(emptyRecord('', 'outlet', '')));

/** 132 bits: enough to make collisions of texts impossible in practice. */
const digestLength = 22;

/** The digest of a full text, stored with its document because FTS5 does not keep the text. */
export function digestText(text: IndexText): string {
  return digest(Object.values(text));
}

/** The digest of what the index should hold of a record. */
export function digestRecord(record: MediaRecord): string {
  const { email, email_source } = maskRecord(record);
  return digestDocument({
    values: Object.values(documentColumns(record)),
    lists: documentLists(record),
    textDigest: digestText(indexText(record)),
    mask: [email, email_source],
  });
}

/** What the index holds of a record. */
export interface KeptDocument {
  /** Of digestedColumns. */
  values: readonly unknown[];
  /** Pairs of a field and one of its values, in any order. */
  lists: ReadonlyArray<readonly string[]>;
  /** Null if there is no full text, or it is unknown. */
  textDigest: string | null;
  /** What the body has instead of the address and its source; null if there is no body. */
  mask: readonly unknown[] | null;
}

/** The digest of what the index holds of a record. */
export function digestDocument({ values, lists, textDigest, mask }: KeptDocument): string {
  return digest([values, lists.map((pair) => JSON.stringify(pair)).toSorted(), textDigest, mask]);
}

function digest(value: unknown): string {
  return hash('sha256', JSON.stringify(value), 'base64url').slice(0, digestLength);
}
