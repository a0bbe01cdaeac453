import type { IndexerBackends } from '#indexer/open-indexer.ts';
import { contactsNoted, withoutNoted } from '#records/changes/earlier-change.ts';
import type { FieldValues, RecordChange } from '#records/changes/record-change.ts';
import type { KeptContact } from '#records/contacts/contact.ts';
import { isSameUnderOtherId } from '#records/contacts/same-contact.ts';
import type { MediaRecord } from '#records/media-record.ts';
import { storedForm } from '#records/stored-record.ts';

type History = Pick<IndexerBackends, 'records' | 'changes' | 'mergedIds'>;

/** More changes than a record ever has. */
const maxChanges = 10_000;

/**
 * Deletes the history of records, and of records that were merged into them, because an undo would bring these back. If one of
 * them was ever merged into yet another record, that one's history has its values, so it is deleted too. It goes first: if
 * the command is interrupted, the history of the others still leads to it.
 */
export async function forgetRecords(history: History, ids: readonly string[]): Promise<void> {
  const { ownIds, keptIds } = await listHistories(history, ids);
  await history.changes.rewrite(keptIds, () => null);
  await history.changes.rewrite(ownIds, () => null);
}

/**
 * Takes contacts that a record no longer has out of its history, and out of that of every record with which it was merged. What
 * the history says of its other contacts stays.
 */
export async function forgetContacts(
  history: History,
  recordId: string,
  contactIds: ReadonlySet<string>,
  deleted: readonly KeptContact[],
): Promise<void> {
  const changes = await history.changes.listChangesOf(recordId, maxChanges);
  const earlier = changes.flatMap(contactsIn).filter(({ id }) => contactIds.has(id));
  const versions = [...deleted, ...earlier];
  const { ownIds, keptIds } = await listHistories(history, [recordId]);
  for (const id of [...keptIds, ...ownIds]) {
    const presentIds = new Set((await history.records.find(id))?.contacts.map((contact) => contact.id));
    const isForgotten = (contact: KeptContact) =>
      !presentIds.has(contact.id) &&
      ((id === recordId && contactIds.has(contact.id)) ||
        versions.some((version) => isSameUnderOtherId(version, contact)));
    await history.changes.rewrite([id], (change) => withoutContacts(change, isForgotten));
  }
}

/** These records and those that were merged into them; and those into which any of them ever was. */
async function listHistories({ changes, mergedIds }: History, ids: readonly string[]) {
  const ownIds = new Set([...ids, ...(await mergedIds.listLeadingTo(ids))]);
  const allIds = new Set(ownIds);
  for (const id of allIds) {
    for (const change of await changes.listChangesOf(id, maxChanges)) {
      if (change.is !== 'changed' && change.kept !== undefined) allIds.add(change.kept);
    }
  }
  return { ownIds: [...ownIds], keptIds: [...allIds.difference(ownIds)] };
}

/** The values that a change holds, of before and after it. */
function valuesIn(change: RecordChange): FieldValues[] {
  if (change.is === 'created') return [];
  return change.is === 'deleted' ? [change.before] : [change.before, change.after];
}

function contactsIn(change: RecordChange): KeptContact[] {
  return valuesIn(change).flatMap((values) => contactsNoted(change.id, values));
}

/** The change without what it says of contacts; the same object if it says nothing of them. */
function withoutContacts(change: RecordChange, isForgotten: (contact: KeptContact) => boolean): RecordChange {
  const forgotten = new Set(contactsIn(change).filter(isForgotten));
  if (forgotten.size === 0 || change.is === 'created') return change;
  const before = withoutNoted(change.before, forgotten);
  if (change.is === 'changed') return { ...change, before, after: withoutNoted(change.after, forgotten) };
  return { ...change, before: storedForm(before as MediaRecord) as MediaRecord };
}
