import { digestContent } from '#records/changes/record-change.ts';
import type { MediaRecord } from '#records/media-record.ts';
import { type Cell, formsOf, type RecordForms } from './record-forms.ts';
import { recordColumns } from './record-row.ts';

/* Runs in a worker thread beside an import. */

/** What is written of a new record, with the digest that its history keeps. */
export interface NewRecordForms extends RecordForms {
  /** The values of columnsOfRecord. */
  row: Cell[];
  contentDigest: string;
}

export function formsOfAll(records: readonly MediaRecord[]): NewRecordForms[] {
  return records.map((record) => ({
    ...formsOf(record),
    row: Object.values(recordColumns(record)),
    contentDigest: digestContent(record),
  }));
}
