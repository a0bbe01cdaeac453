import { digestContent } from '#domain/changes/record-change.ts';
import type { MediaRecord } from '#domain/media-record.ts';
import { formsOf, type RecordForms } from './record-forms.ts';

/* Runs in a worker thread beside an import. */

/** What is written of a new record, with the digest that its history keeps. */
export interface NewRecordForms extends RecordForms {
  contentDigest: string;
}

export function formsOfAll(records: readonly MediaRecord[]): NewRecordForms[] {
  return records.map((record) => ({ ...formsOf(record), contentDigest: digestContent(record) }));
}
