import { subjectKey } from '#accounts/media-list.ts';
import type { IndexerBackends } from '#indexer/open-indexer.ts';
import { contactsNoted } from '#records/changes/earlier-change.ts';
import { type LoggedChange, valuesBefore } from '#records/changes/record-change.ts';
import type { Contact, KeptContact } from '#records/contacts/contact.ts';
import { shownContact } from '#records/contacts/with-contacts.ts';
import { keysOfContact, showKey, spelledAlike } from '#records/suppression.ts';
import { type ChangedFields, changedFields, type ShownChange, shownChange } from './change-sets.ts';
import { explainHiding, type HidingEntry } from './explain-hiding.ts';

/** All that is stored of an address, also where it is hidden: what its owner may ask for by law. */
export interface KnownOfAddress {
  contacts: {
    record_id: string;
    record_name: string;
    contact: Contact;
    /** The named sources that list it, each with its own id of the person. */
    sources: Readonly<Record<string, string | null>>;
    is_hidden: boolean;
    suppressed_by: HidingEntry[];
  }[];
  /** What changes did to contacts with this address, the newest change set first. Says nothing of other contacts. */
  history: (ShownChange & { record_id: string })[];
  /** Entries of customers' lists that name these contacts. */
  list_entries: {
    list_id: string;
    record_id: string;
    contact_id: string | null;
    note: string | null;
    status: string;
    added_at: string;
  }[];
  /** The entries that hide the address, wherever it comes. */
  suppressions: (HidingEntry & { added_at: string })[];
}

/** Reads all records and the whole history: hidden and former addresses are in no index. `onRead`: how many records were read. */
export async function findKnown(
  { records, changes, suppressions, lists }: Pick<IndexerBackends, 'records' | 'changes' | 'suppressions' | 'lists'>,
  address: string,
  onRead: (records: number) => void,
): Promise<KnownOfAddress> {
  const spelling = spelledAlike(address);
  const hasIt = ({ email }: KeptContact) => email !== null && spelledAlike(email) === spelling;
  const list = await suppressions.list();
  const keys = new Set(keysOfContact('', { email: address }));
  const result: KnownOfAddress = { contacts: [], history: [], list_entries: [], suppressions: [] };
  for (const { key, reason, addedAt } of list) {
    if (keys.has(key)) result.suppressions.push({ ...showKey(key), reason, added_at: addedAt });
  }
  let recordCount = 0;
  for await (const batch of records.readAll()) {
    for (const record of batch) {
      const contacts = record.contacts.filter(hasIt);
      if (contacts.length === 0) continue;
      const { suppressed_by: byRecord, hidden_contacts: hidden } = explainHiding(record, list);
      for (const contact of contacts) {
        const hiding = hidden.find(({ id }) => id === contact.id);
        result.contacts.push({
          ...{ record_id: record.id, record_name: record.name },
          contact: shownContact(contact),
          sources: contact.sources ?? {},
          is_hidden: hiding !== undefined || byRecord.length > 0,
          suppressed_by: [...byRecord, ...(hiding?.suppressed_by ?? [])],
        });
      }
    }
    recordCount += batch.length;
    onRead(recordCount);
  }
  const subjects = result.contacts.map(({ record_id: id, contact }) => subjectKey({ id, contactId: contact.id }));
  for (const { listId, id, contactId = null, note, status, addedAt } of await lists.findEntries(new Set(subjects))) {
    result.list_entries.push({
      list_id: listId,
      record_id: id,
      contact_id: contactId,
      note,
      status,
      added_at: addedAt,
    });
  }
  const idsAt = Map.groupBy(result.contacts, ({ record_id: id }) => id);
  for (const changeSet of await changes.list()) {
    for await (const page of changes.readChanges(changeSet.id)) {
      for (const change of page) {
        const ids = new Set(idsAt.get(change.id)?.map(({ contact }) => contact.id));
        const fields = fieldsOf(change, (contact) => hasIt(contact) || ids.has(contact.id));
        const isOrigin = change.is === 'created' && ids.size > 0;
        if (!isOrigin && Object.keys(fields).length === 0) continue;
        result.history.push({ record_id: change.id, ...shownChange(change, changeSet, fields) });
      }
    }
  }
  return result;
}

/** What a change did to some contacts. A creation does not say. */
function fieldsOf(change: LoggedChange, isAsked: (contact: KeptContact) => boolean): ChangedFields {
  if (change.is === 'created') return {};
  const before = contactsNoted(change.id, change.is === 'changed' ? valuesBefore(change) : change.before);
  const after = change.is === 'changed' ? contactsNoted(change.id, change.after) : [];
  const ids = new Set([...before, ...after].filter(isAsked).map(({ id }) => id));
  const contactsAsked = (contacts: readonly KeptContact[]) => ({ contacts: contacts.filter(({ id }) => ids.has(id)) });
  return changedFields(contactsAsked(before), contactsAsked(after));
}
