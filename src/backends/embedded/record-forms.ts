import type { MediaRecord } from '#records/media-record.ts';
import { digestText } from './document-digest.ts';
import { indexText } from './index-text.ts';
import { documentColumns, documentLists } from './record-row.ts';

export type Cell = string | number | null;

/** What the index tables hold of a record. It follows from the record alone, so any thread can make it. */
export interface RecordForms {
  /** The values of digestedColumns. */
  document: Cell[];
  lists: ReturnType<typeof documentLists>;
  /** The values of textColumns, and their digest. */
  text: string[];
  textDigest: string;
}

export const textColumns = ['exact', 'names', 'aliases', 'hosts', 'concepts', 'place', 'description'] as const;

export function formsOf(record: MediaRecord): RecordForms {
  const text = indexText(record);
  return {
    document: Object.values(documentColumns(record)),
    lists: documentLists(record),
    text: textColumns.map((column) => text[column]),
    textDigest: digestText(text),
  };
}
