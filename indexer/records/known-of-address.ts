import { subjectKey } from '#accounts/media-list.ts';
import type { IndexerBackends } from '#indexer/open-indexer.ts';
import { contactsNoted } from '#records/changes/earlier-change.ts';
import { type LoggedChange, valuesBefore } from '#records/changes/record-change.ts';
import type { KeptContact } from '#records/contacts/contact.ts';
import { shownContact } from '#records/contacts/with-contacts.ts';
import { keysOfContact, type Suppression, showKey, spelledAlike } from '#records/suppression.ts';
import { type ChangedFields, changedFields, shownChange } from './change-sets.ts';
import { explainHiding } from './explain-hiding.ts';

type Stores = Pick<IndexerBackends, 'records' | 'changes' | 'suppressions' | 'lists'>;
type IsAsked = (contact: KeptContact) => boolean;
type FoundContacts = Awaited<ReturnType<typeof findContacts>>;

export type KnownOfAddress = Awaited<ReturnType<typeof findKnown>>;

/**
 * All that is stored of an address, also where it is hidden: what its owner may ask for by law. Reads all records and the whole
 * history: hidden and former addresses are in no index. `onRead`: how many records were read.
 */
export async function findKnown(stores: Stores, address: string, onRead: (records: number) => void) {
  const spelling = spelledAlike(address);
  const hasIt = ({ email }: KeptContact) => email !== null && spelledAlike(email) === spelling;
  const list = await stores.suppressions.list();
  const keys = new Set(keysOfContact('', { email: address }));
  const contacts = await findContacts(stores.records, { hasIt, list, onRead });
  return {
    contacts,
    history: await listHistory(stores.changes, contacts, hasIt),
    list_entries: await listEntries(stores.lists, contacts),
    /** The entries that hide the address, wherever it comes. */
    suppressions: list
      .filter(({ key }) => keys.has(key))
      .map(({ key, reason, addedAt }) => ({ ...showKey(key), reason, added_at: addedAt })),
  };
}

async function findContacts(
  records: Stores['records'],
  { hasIt, list, onRead }: { hasIt: IsAsked; list: readonly Suppression[]; onRead: (records: number) => void },
) {
  let recordCount = 0;
  const found = [];
  for await (const batch of records.readAll()) {
    for (const record of batch) {
      const contacts = record.contacts.filter(hasIt);
      if (contacts.length === 0) continue;
      const { suppressed_by: byRecord, hidden_contacts: hidden } = explainHiding(record, list);
      for (const contact of contacts) {
        const hiding = hidden.find(({ id }) => id === contact.id);
        found.push({
          ...{ record_id: record.id, record_name: record.name },
          contact: shownContact(contact),
          /** The named sources that list it, each with its own id of the person. */
          sources: contact.sources ?? {},
          is_hidden: hiding !== undefined || byRecord.length > 0,
          suppressed_by: [...byRecord, ...(hiding?.suppressed_by ?? [])],
        });
      }
    }
    recordCount += batch.length;
    onRead(recordCount);
  }
  return found;
}

/** Entries of customers' lists that name these contacts. */
async function listEntries(lists: Stores['lists'], contacts: FoundContacts) {
  const subjects = contacts.map(({ record_id: id, contact }) => subjectKey({ id, contactId: contact.id }));
  const entries = await lists.findEntries(new Set(subjects));
  return entries.map(({ listId, id, contactId = null, note, status, addedAt }) => ({
    ...{ list_id: listId, record_id: id, contact_id: contactId },
    ...{ note, status, added_at: addedAt },
  }));
}

/** What changes did to contacts with this address, the newest change set first. Says nothing of other contacts. */
async function listHistory(changes: Stores['changes'], contacts: FoundContacts, hasIt: IsAsked) {
  const contactsAt = Map.groupBy(contacts, ({ record_id: id }) => id);
  const history = [];
  for (const changeSet of await changes.list()) {
    for await (const page of changes.readChanges(changeSet.id)) {
      for (const change of page) {
        const ids = new Set(contactsAt.get(change.id)?.map(({ contact }) => contact.id));
        const fields = fieldsOf(change, (contact) => hasIt(contact) || ids.has(contact.id));
        const isOrigin = change.is === 'created' && ids.size > 0;
        if (!isOrigin && Object.keys(fields).length === 0) continue;
        history.push({ record_id: change.id, ...shownChange(change, changeSet, fields) });
      }
    }
  }
  return history;
}

/** What a change did to some contacts. A creation does not say. */
function fieldsOf(change: LoggedChange, isAsked: IsAsked): ChangedFields {
  if (change.is === 'created') return {};
  const before = contactsNoted(change.id, change.is === 'changed' ? valuesBefore(change) : change.before);
  const after = change.is === 'changed' ? contactsNoted(change.id, change.after) : [];
  const ids = new Set([...before, ...after].filter(isAsked).map(({ id }) => id));
  const contactsAsked = (contacts: readonly KeptContact[]) => ({ contacts: contacts.filter(({ id }) => ids.has(id)) });
  return changedFields(contactsAsked(before), contactsAsked(after));
}
