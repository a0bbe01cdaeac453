import { hash } from 'node:crypto';
import { makeProbeRecords } from '#domain/probe-records.ts';
import { indexDocument } from './index-document.ts';
import { recordsMapping } from './records-mapping.ts';

/**
 * The form of an index as this version makes it: another for each change of its settings, its mapping, or of the documents
 * that become of records. An index of another form has to be built again.
 *
 * @param readingForm of what the records are read from
 */
export function indexForm(readingForm: string): string {
  const documents = makeProbeRecords().map(indexDocument);
  return hash('sha1', JSON.stringify([recordsMapping, readingForm, documents]), 'base64url');
}
