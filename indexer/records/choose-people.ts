import type { IndexerBackends } from '#indexer/open-indexer.ts';
import { bestFirst, type KeptContact } from '#records/contacts/contact.ts';
import type { MediaRecord } from '#records/media-record.ts';
import { contactSuppressionKey, isOwnAddress, keysOfContact, suppressionKey } from '#records/suppression.ts';
import { UsageError } from '#src/command-line/command-line.ts';
import { describeMissing } from './merge-duplicates.ts';

type RecordStores = Pick<IndexerBackends, 'records' | 'mergedIds'>;

/** A record with those of its contacts that an operator named by id. */
export interface ChosenContacts {
  record: MediaRecord;
  chosen: readonly KeptContact[];
}

/** The record that `--contact` is about. @throws UsageError unless exactly one id was passed */
export function oneRecord(ids: readonly string[]): string {
  const [id, ...otherIds] = ids;
  if (id === undefined || otherIds.length > 0) {
    throw new UsageError('--contact needs the id of one record, such as: outlet-4711 --contact ID');
  }
  return id.trim();
}

/** The contacts of a record with these ids; or which ids there are. */
export async function findContacts(
  { records, mergedIds }: RecordStores,
  recordId: string,
  contactIds: readonly string[],
): Promise<ChosenContacts | { fault: string }> {
  const record = await records.find(recordId);
  if (record === null) return { fault: (await describeMissing(mergedIds, [recordId])).join(' ') };
  const contactsById = new Map(record.contacts.map((contact) => [contact.id, contact]));
  const unknown = contactIds.find((id) => !contactsById.has(id));
  if (unknown !== undefined) return { fault: `${unknownContact(record, unknown)}.` };
  return { record, chosen: contactIds.flatMap((id) => contactsById.get(id) ?? []) };
}

export function unknownContact({ id, contacts }: Pick<MediaRecord, 'id' | 'contacts'>, contactId: string): string {
  return `${id} has no contact ${contactId}. ${contacts.length === 0 ? 'It has none' : `It has ${listContactIds(contacts)}`}`;
}

/** `V1StGXR8_Z (person), …`, best first. */
export function listContactIds(contacts: readonly KeptContact[]): string {
  return bestFirst(contacts)
    .map(({ id, kind }) => `${id} (${kind})`)
    .join(', ');
}

/**
 * The keys that hide a contact's person: her name at the medium, and her address unless people of other names there have it too
 * (`isShared`). None if the contact has neither: no later import could know it again.
 */
export function keysOfChosen(
  { id, contacts }: MediaRecord,
  contact: KeptContact,
): { byName: string | null; byAddress: string | null; isShared: boolean } {
  const isShared = contact.email !== null && !isOwnAddress(contact, contacts);
  const address = contact.email === null || isShared ? null : suppressionKey('address', contact.email);
  return { byName: contactSuppressionKey(id, contact.name), byAddress: address, isShared };
}

/** The entries of the list that hide contacts as people, and those that these follow from. */
export async function entriesThatHide(
  suppressions: Pick<IndexerBackends['suppressions'], 'list'>,
  { record, chosen }: ChosenContacts,
): Promise<string[]> {
  const keys = new Set(chosen.flatMap((contact) => keysOfContact(record.id, contact)));
  const entries = (await suppressions.list()).filter(({ key }) => keys.has(key) && !key.startsWith('domain '));
  return [...new Set(entries.flatMap(({ key, follows }) => (follows === undefined ? [key] : [key, follows])))];
}
