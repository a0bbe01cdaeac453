import type { MediaRecord } from '#domain/media-record.ts';
import { digestText } from './document-digest.ts';
import { indexText } from './index-text.ts';
import { documentColumns, documentLists, recordColumns } from './record-row.ts';

type Cell = string | number | null;

/** What the tables hold of a record. It follows from the record alone, so any thread can make it. */
export interface RecordForms {
  /** The values of columnsOfRecord. */
  row: Cell[];
  /** The values of digestedColumns. */
  document: Cell[];
  lists: ReturnType<typeof documentLists>;
  /** The values of the columns of `search_text`, and their digest. */
  text: string[];
  textDigest: string;
}

export function formsOf(record: MediaRecord): RecordForms {
  const text = indexText(record);
  return {
    row: Object.values(recordColumns(record)),
    document: Object.values(documentColumns(record)),
    lists: documentLists(record),
    text: Object.values(text),
    textDigest: digestText(text),
  };
}
