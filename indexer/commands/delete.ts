import type { Command } from 'commander';
import { type IndexerBackends, withReadyBackends } from '#indexer/open-indexer.ts';
import { deadLetterId, normalizeId } from '#records/normalize/normalize-values.ts';
import type { Amendment, RecordStore } from '#records/record-store.ts';
import type { IndexMaintenance } from '#search/indexed/index-maintenance.ts';
import { type JsonFlag, printResult, reportFault } from '#src/command-line/command-line.ts';
import { describeUndo } from '#src/command-line/output.ts';
import { countOf } from '#text/printed.ts';
import { findContacts, oneRecord } from '../records/choose-people.ts';
import { doRecorded } from '../records/do-recorded.ts';
import { forgetContacts, forgetRecords } from '../records/forget-history.ts';
import { describeMissing } from '../records/merge-duplicates.ts';

type DeleteFlags = JsonFlag & { contact?: string[]; forGood?: boolean };

export function addTo(program: Command): void {
  program
    .command('delete')
    .description('delete records or contacts, from searches too; exits with 0 only if all of them existed')
    .argument('<id...>', 'ids of records')
    .option('--contact <id...>', 'not the record that you name, but these contacts of it')
    .option('--for-good', 'also delete them from the history, so that nothing can bring them back')
    .action(deleteGiven);
}

async function deleteGiven(ids: string[], { contact: contactIds, forGood = false, json }: DeleteFlags): Promise<void> {
  const recordId = contactIds && oneRecord(ids);
  const subjects = contactIds
    ? contactIds.map((id) => `contact ${id} of record ${deadLetterId(recordId ?? '')}`)
    : ids.map((id) => `record ${deadLetterId(id.trim())}`);
  await withReadyBackends(async (backends) => {
    const deletion = await doRecorded(backends, {
      action: 'delete',
      subjects,
      async work(changeSet): Promise<Deletion> {
        const options = { changeSet, forGood };
        const done =
          contactIds && recordId
            ? await deleteContacts(backends, recordId, new Set(contactIds), options)
            : await deleteRecords(backends, ids, options);
        return { ...done, change_set: !forGood && done.deleted.length > 0 ? changeSet : null };
      },
      describe: ({ deleted, unknown }) => `${deleted.length} deleted, ${unknown.length} unknown`,
      count: ({ deleted }) => ({ deleted: deleted.length }),
    });
    printResult(deletion, (done) => describeDeletion(done, contactIds ? 'contact' : 'record', forGood), json);
    const fault = forGood ? await erase(backends.maintenance) : null;
    if (fault !== null) {
      reportFault(`Bytes of what was deleted may stay in the store's files: ${fault}. Run the command again later.`);
    }
    for (const missing of await describeUnknown(backends, deletion.unknown, recordId)) reportFault(missing);
  });
}

interface Deletion {
  deleted: string[];
  unknown: string[];
  /** Undoes it; null if nothing does, or if nothing was deleted. */
  change_set: string | null;
}

type Deleted = Omit<Deletion, 'change_set'>;

interface DeleteOptions {
  changeSet: string;
  forGood: boolean;
}

async function deleteRecords(
  backends: IndexerBackends,
  ids: readonly string[],
  { changeSet, forGood }: DeleteOptions,
): Promise<Deleted> {
  const { records, maintenance, mergedIds } = backends;
  const deletion = await removeEach(records, ids, changeSet);
  // Unknown ids may have been deleted by an interrupted run.
  const goneIds = [...deletion.deleted, ...deletion.unknown];
  await maintenance.hideDeleted(goneIds);
  if (!forGood) return deletion;
  // Not an id that was merged into another record: it is reported, and its merge can still be undone.
  const leading = await mergedIds.resolve(goneIds);
  const forgotten = goneIds.filter((id) => !leading.has(id));
  await forgetRecords(backends, forgotten);
  return deletion;
}

async function deleteContacts(
  backends: IndexerBackends,
  recordId: string,
  ids: ReadonlySet<string>,
  { changeSet, forGood }: DeleteOptions,
): Promise<Deleted> {
  const { records, maintenance, mergedIds } = backends;
  const withoutThem: Amendment = ({ contacts }) => ({ contacts: contacts.filter(({ id }) => !ids.has(id)) });
  const [amended] = await records.amend([recordId], withoutThem, changeSet);
  const deletedContacts = amended?.before.contacts.filter(({ id }) => ids.has(id)) ?? [];
  await maintenance.hideDeleted([recordId]);
  // Also unknown ids, as above, but not those of a record whose merge can be undone.
  const isMerged = (await mergedIds.resolve([recordId])).has(recordId);
  if (forGood && !isMerged) await forgetContacts(backends, recordId, ids, deletedContacts);
  const deleted = deletedContacts.map(({ id }) => id);
  return { deleted, unknown: [...ids.difference(new Set(deleted))] };
}

/** Says of ids that there is nothing with them: no record, or no contact of the record that was named. */
async function describeUnknown(
  backends: IndexerBackends,
  ids: readonly string[],
  recordId: string | undefined,
): Promise<string[]> {
  if (recordId === undefined || ids.length === 0) return describeMissing(backends.mergedIds, ids);
  const chosen = await findContacts(backends, recordId, ids);
  return 'fault' in chosen ? [chosen.fault] : [];
}

/** Returns why bytes of deleted records may stay in the store's files; null if none do. */
async function erase(maintenance: IndexMaintenance): Promise<string | null> {
  try {
    return (await maintenance.eraseDeleted()) ? null : 'another program still reads the store as it was';
  } catch (error) {
    const { message, cause } = error as Error;
    return cause instanceof Error ? cause.message : message;
  }
}

function describeDeletion({ deleted, change_set }: Deletion, unit: string, forGood: boolean): string {
  const done = `${countOf(deleted.length, unit)} deleted${forGood ? ' for good' : ''}.`;
  if (forGood) return `${done} Earlier backups and lists still have what they had: docs/data-staff.md.`;
  return change_set === null ? done : `${done} ${describeUndo(change_set)}`;
}

/** Deletes the records with these ids, which are normalized as in an import. */
async function removeEach(records: RecordStore, ids: readonly string[], changeSet: string): Promise<Deleted> {
  const deletion: Deleted = { deleted: [], unknown: [] };
  const typedIds = ids.map((typed) => ({ given: typed, id: null, ...normalizeId(typed) }));
  for (const [name, { id }] of new Map(typedIds.map((typedId) => [typedId.id ?? typedId.given, typedId]))) {
    const count = id === null ? 0 : await records.remove([id], changeSet);
    (count > 0 ? deletion.deleted : deletion.unknown).push(name);
  }
  return deletion;
}
