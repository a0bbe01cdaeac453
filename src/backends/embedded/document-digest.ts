import { hash } from 'node:crypto';
import { maskRecord } from '#domain/masking.ts';
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
  const { email, email_source } = maskRecord(record);
  return digestDocument({
    values: Object.values(documentColumns(record)),
    lists: documentLists(record),
    textDigest: digestText(indexText(record)),
    mask: [email, email_source],
  });
}

/** What search keeps of a record. */
export interface KeptDocument {
  /** Of digestedColumns. */
  values: readonly unknown[];
  /** Each a field with one of its values, in any order. */
  lists: ReadonlyArray<readonly string[]>;
  /** Null where there is no full text, or it is not known which. */
  textDigest: string | null;
  /** What the body has in place of the address and of its source; null where there is no body. */
  mask: readonly unknown[] | null;
}

/** The digest of what search keeps of a record. */
export function digestDocument({ values, lists, textDigest, mask }: KeptDocument): string {
  return digest([values, lists.map((pair) => JSON.stringify(pair)).toSorted(), textDigest, mask]);
}

function digest(value: unknown): string {
  return hash('sha256', JSON.stringify(value), 'base64url').slice(0, digestLength);
}
