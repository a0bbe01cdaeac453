import type { ListEntry } from '#accounts/media-list.ts';
import type { FileChoices } from '#outbound/export-records.ts';
import { entryOfRow } from '#outbound/export-rows.ts';
import { shownContact } from '#records/contacts/with-contacts.ts';
import { isDerived, pickKeys, recordKeys } from '#records/fields.ts';
import type { MediaRecord, RecordKey } from '#records/media-record.ts';
import { contactOfRow } from '#search/contact-row.ts';
import { encodeSlices } from './encode-slices.ts';

/**
 * A line of JSON for each row: the record with all its contacts; or, if contacts are the rows, `{"contact","record"}`, where the
 * record has no keys of contacts. `fields` selects keys of the record.
 */
export function writeNdjson(
  batches: AsyncIterable<readonly MediaRecord[]>,
  { fields = recordKeys, list, hasDates = false, rows = 'records' }: FileChoices = {},
): AsyncIterable<Buffer> {
  const encode = rows === 'contacts' ? toContactLine(fields) : (record: MediaRecord) => pickKeys(record, fields);
  const toLine = (row: MediaRecord) =>
    `${JSON.stringify({ ...encode(row), ...(list && notesOf(entryOfRow(row, list, rows), hasDates)) })}\n`;
  return encodeSlices(batches, (records) => records.map(toLine).join(''));
}

function toContactLine(fields: readonly RecordKey[]) {
  const keys = fields.filter((key) => !isDerived(key) && key !== 'contacts');
  return (row: MediaRecord) => {
    const contact = contactOfRow(row);
    return { contact: contact ? shownContact(contact) : null, record: pickKeys(row, keys) };
  };
}

function notesOf({ status = 'none', note = null, contactedAt = null }: Partial<ListEntry> = {}, hasDates: boolean) {
  return { ...(hasDates && { list_contacted_at: contactedAt }), list_status: status, list_note: note };
}
