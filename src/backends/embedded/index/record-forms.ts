import { hash } from 'node:crypto';
import { digestContent } from '#records/changes/record-change.ts';
import { bestFirst, emptyContact } from '#records/contacts/contact.ts';
import { emptyRecord } from '#records/fields.ts';
import { splitSecret } from '#records/masking.ts';
import type { MediaRecord } from '#records/media-record.ts';
import { leanForm } from '#records/stored-record.ts';
import { searchableText } from '#search/indexed/searchable-text.ts';
import { embedRecord } from '#search/meaning/embed.ts';
import {
  contactColumns,
  contactColumnTypes,
  documentColumns,
  documentColumnTypes,
  type RecordRow,
  recordColumns,
} from '../record-row.ts';
import { contactIndexText, indexText } from './index-text.ts';

/** The columns of `search_text` and of `contact_text`. */
export const textColumns = Object.keys(indexText(emptyRecord('', 'outlet', ''))).slice(1);
export const contactTextColumns = Object.keys(contactIndexText(emptyContact(''), null)).slice(1);

/** 72 bits: a digest is compared only with the one before of the same row. */
const digestLength = 12;

/** What the index tables hold of a record. It follows from the record alone, so any thread can make it. */
export type RecordForms = ReturnType<typeof formsOf>;
export type ContactForms = RecordForms['contacts'][number];

export function formsOf(record: MediaRecord) {
  const searchable = searchableText(record);
  const text = Object.values(indexText(record, searchable));
  return {
    /** The values of documentColumnTypes. */
    document: documentColumns(record),
    /** Of each contact, best first: the values of contactColumnTypes, the tokens and then the values of contactTextColumns, and their digest. */
    contacts: bestFirst(record.contacts).map((contact, rank) => {
      const text = Object.values(contactIndexText(contact, record.language));
      return { columns: contactColumns(contact, rank), text, textDigest: digestText(text) };
    }),
    /** The tokens and then the values of textColumns, and their digest: FTS5 does not keep the text. */
    text,
    textDigest: digestText(text),
    meaning: embedRecord(record, searchable),
  };
}

function digestText(text: readonly string[]): string {
  return hash('sha256', JSON.stringify(text), 'base64url').slice(0, digestLength);
}

/** What is written of a new record, with the digest that its history keeps. */
export type NewRecordForms = ReturnType<typeof formsOfAll>[number];

export function formsOfAll(records: readonly MediaRecord[]) {
  return records.map((record) => ({
    ...formsOf(record),
    /** The values of columnsOfRecord. */
    row: Object.values(recordColumns(record)),
    contentDigest: digestContent(record),
  }));
}

export const selectRows = 'SELECT record, id, body, secret FROM records WHERE record > ? ORDER BY record LIMIT ?';
function columnsOf(table: string, types: Readonly<Record<string, string>>): string {
  return Object.keys(types)
    .map((column) => `${table}.${column}`)
    .join(', ');
}

/** The rows of records, with what the index holds of each (see keptForms). */
export const selectKept = `
  SELECT r.*, d.record IS NOT NULL AS is_kept,
    json_array(${columnsOf('d', documentColumnTypes)}) AS document,
    (SELECT json_group_array(json_array(${columnsOf('c', contactColumnTypes)}, c.contact_digest) ORDER BY c.rank)
      FROM contacts AS c JOIN contact_text_docsize AS t ON t.id = c.contact JOIN contact_tokens_docsize AS k ON k.id = c.contact WHERE c.record = r.record) AS contacts,
    r.record IN (SELECT record FROM meanings) AS has_meaning,
    (SELECT d.text_digest FROM search_text_docsize JOIN search_tokens_docsize USING (id) WHERE id = r.record) AS text_digest,
    iif(json_valid(r.body), r.body -> '$.contacts', 'null') AS masked
  FROM (${selectRows}) AS r LEFT JOIN documents AS d USING (record)`;
/** What the index should hold of a record, as one text: values, those of contacts, digest of the full text, whether it has a meaning, and masked contacts. */
export function wantedForms(record: MediaRecord): string {
  const { document, contacts, textDigest, meaning } = formsOf(record);
  const contactRows = contacts.map(({ columns, textDigest }) => [...columns, textDigest]);
  return JSON.stringify([
    document,
    contactRows,
    textDigest,
    meaning !== null,
    leanForm(splitSecret(record).masked).contacts,
  ]);
}

/** What the index holds of a record, as the same text; null if it has no entries. */
export function keptForms({ is_kept, document, contacts, text_digest, has_meaning, masked }: RecordRow): string | null {
  if (!is_kept) return null;
  const parse = (text: unknown) => JSON.parse(String(text));
  return JSON.stringify([parse(document), parse(contacts), text_digest, has_meaning === 1, parse(masked)]);
}
