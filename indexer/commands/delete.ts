import type { Command } from 'commander';
import { type IndexerBackends, withReadyBackends } from '#indexer/open-indexer.ts';
import { deadLetterId, normalizeId } from '#records/normalize/normalize-values.ts';
import type { RecordStore } from '#records/record-store.ts';
import type { IndexMaintenance } from '#search/index-maintenance.ts';
import { type JsonFlag, printResult, reportFault } from '#src/command-line/command-line.ts';
import { describeUndo } from '#src/command-line/output.ts';
import { countOf } from '#text/printed.ts';
import { doRecorded } from '../records/do-recorded.ts';
import { describeMissing } from '../records/merge-duplicates.ts';

interface DeleteFlags extends JsonFlag {
  forGood?: boolean;
}

export function addTo(program: Command): void {
  program
    .command('delete')
    .description('delete records, from searches too; exits with 0 only if all of them existed')
    .argument('<id...>', 'ids of records')
    .option('--for-good', 'also delete their changes, so that nothing can bring them back')
    .action(deleteRecords);
}

async function deleteRecords(ids: string[], { forGood = false, json }: DeleteFlags): Promise<void> {
  await withReadyBackends(async (backends) => {
    const { records, changes, maintenance, mergedIds } = backends;
    const deletion = await doRecorded(backends, {
      action: 'delete',
      subjects: ids.map((id) => `record ${deadLetterId(id.trim())}`),
      async work(changeSet) {
        const done = await removeEach(records, ids, changeSet);
        // Unknown ids may have been deleted by an interrupted run.
        const gone = [...done.deleted, ...done.unknown];
        await maintenance.hideDeleted(gone);
        // Not an id that was merged into another record: it is reported below, and its merge can still be undone.
        const leading = forGood ? await mergedIds.resolve(gone) : new Map();
        if (forGood)
          await forget(
            { changes, mergedIds },
            gone.filter((id) => !leading.has(id)),
          );
        const isUndoable = !forGood && done.deleted.length > 0;
        return { ...done, change_set: isUndoable ? changeSet : null };
      },
      describe: ({ deleted, unknown }) => `${deleted.length} deleted, ${unknown.length} unknown`,
      count: ({ deleted }) => ({ deleted: deleted.length }),
    });
    printResult(deletion, (done) => describeDeletion(done, forGood), json);
    const fault = forGood ? await erase(maintenance) : null;
    if (fault !== null) {
      reportFault(`Bytes of deleted records may stay in the store's files: ${fault}. Run the command again later.`);
    }
    for (const missing of await describeMissing(backends.mergedIds, deletion.unknown)) reportFault(missing);
  });
}

/** More changes than a record ever has. */
const maxChanges = 10_000;

/**
 * Deletes the history of records, and of records that were merged into them, because an undo would bring these back. If one of
 * them was ever merged into yet another record, that one's history has its values, so it is deleted too. It goes first: if
 * the command is interrupted, the history of the others still leads to it.
 */
async function forget({ changes, mergedIds }: Pick<IndexerBackends, 'changes' | 'mergedIds'>, ids: readonly string[]) {
  const own = new Set([...ids, ...(await mergedIds.listLeadingTo(ids))]);
  const all = new Set(own);
  for (const id of all) {
    for (const change of await changes.listChangesOf(id, maxChanges)) {
      if (change.is !== 'changed' && change.kept !== undefined) all.add(change.kept);
    }
  }
  await changes.forget([...all.difference(own)]);
  await changes.forget([...own]);
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

function describeDeletion({ deleted, change_set }: Deletion & { change_set: string | null }, forGood: boolean): string {
  const done = `${countOf(deleted.length, 'record')} deleted${forGood ? ' for good' : ''}.`;
  if (forGood) return `${done} Earlier backups and lists still have what they had: docs/data-staff.md.`;
  return change_set === null ? done : `${done} ${describeUndo(change_set)}`;
}

interface Deletion {
  deleted: string[];
  unknown: string[];
}

/** Deletes the records with these ids, which are normalized as in an import. */
async function removeEach(records: RecordStore, ids: readonly string[], changeSet: string): Promise<Deletion> {
  const deletion: Deletion = { deleted: [], unknown: [] };
  const read = ids.map((given) => ({ given, id: null, ...normalizeId(given) }));
  for (const [name, { id }] of new Map(read.map((one) => [one.id ?? one.given, one]))) {
    const count = id === null ? 0 : await records.remove([id], changeSet);
    (count > 0 ? deletion.deleted : deletion.unknown).push(name);
  }
  return deletion;
}
