import type { ListEntry } from '#accounts/media-list.ts';
import type { KeptContact } from '#records/contacts/contact.ts';
import { bestFirst } from '#records/contacts/contact.ts';
import type { MediaRecord } from '#records/media-record.ts';
import { meetsContactFilters } from '#search/contact-filters.ts';
import { contactOfRow, contactRow, type RowKind } from '#search/contact-row.ts';
import type { EntriesByRecord } from '#search/lists/list-entries.ts';
import { isListed, type SearchQuery } from '#search/search-query.ts';

/** Rows that are passed on at once. A batch of records may have many times as many contacts. */
const rowsAtOnce = 1_000;

/** The contacts of a record that a query is about, best first: those that meet its filters, and that its list names. */
export function contactsThatMeet(
  { id: recordId, contacts }: MediaRecord,
  query: Pick<SearchQuery, 'filters' | 'listedContacts' | 'unlistedContacts'>,
): KeptContact[] {
  return bestFirst(contacts).filter(
    (contact) => meetsContactFilters(contact, query.filters) && isListed(query, recordId, contact.id),
  );
}

/** The rows of the contacts that `choose` picks of each record. */
export async function* contactRows(
  batches: AsyncIterable<readonly MediaRecord[]>,
  choose: (record: MediaRecord) => readonly KeptContact[],
): AsyncGenerator<readonly MediaRecord[]> {
  for await (const batch of batches) {
    let rows: MediaRecord[] = [];
    for (const record of batch) {
      for (const contact of choose(record)) rows.push(contactRow(record, contact));
      if (rows.length < rowsAtOnce) continue;
      yield rows;
      rows = [];
    }
    if (rows.length > 0) yield rows;
  }
}

/** Rows of contacts without those whose contact was suppressed. */
export async function* rowsWithContact(
  batches: AsyncIterable<readonly MediaRecord[]>,
): AsyncGenerator<readonly MediaRecord[]> {
  for await (const batch of batches) yield batch.filter((row) => contactOfRow(row) !== undefined);
}

/**
 * What a list notes of a row: the entry about its contact, else about the medium. With rows of records the entry about the medium
 * itself, else about the first contact that the list names.
 */
export function entryOfRow(row: MediaRecord, list: EntriesByRecord, rows: RowKind): ListEntry | undefined {
  const entries = list.get(row.id) ?? [];
  const ofContact = rows === 'contacts' ? contactOfRow(row)?.id : undefined;
  const entryAbout = (contactId?: string) => entries.find((entry) => entry.contactId === contactId);
  return entryAbout(ofContact) ?? (rows === 'contacts' ? entryAbout() : entries[0]);
}
