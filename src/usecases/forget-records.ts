import type { ChangeSet } from '#domain/changes/change-set.ts';
import type { LoggedChange, RecordChange } from '#domain/changes/record-change.ts';
import type { RecordKey } from '#domain/media-record.ts';
import type { ChangeLog } from '#ports/change-log.ts';

type Log = Pick<ChangeLog, 'find' | 'findMany' | 'listChangesOf' | 'readChanges' | 'forget'>;

/** Fields whose values belong to one medium: whoever else has one got it in a merge. */
const ownFields = [
  'email',
  'phone',
  'contact_name',
  'url',
  'feed_url',
  'linkedin_url',
  'description',
] as const satisfies RecordKey[];
/** Changes of a record that are looked at. */
const maxChanges = 10_000;

/**
 * Deletes for good what the history has of these records. If one was merged into another and taken out again, that one's
 * changes since the merge hold its values too: those go as well. Can be repeated if it was cut off.
 */
export async function forgetRecords(changes: Log, ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    const own = await changes.listChangesOf(id, maxChanges);
    const values = ownValues(own);
    const merges = await mergesAmong(changes, own);
    const since = own.findLast(({ changeSet }) => merges.has(changeSet))?.at;
    if (since === undefined) continue;
    for (const keptId of await findHolders(changes, merges, values)) {
      if (ids.includes(keptId)) continue;
      const history = await changes.listChangesOf(keptId, maxChanges);
      const traces = history.filter((change) => change.at >= since && holds(change, values));
      await changes.forget(
        [keptId],
        traces.map(({ changeSet }) => changeSet),
      );
    }
  }
  await changes.forget(ids);
}

/** The merges in which a record took part, and what took them back. */
async function mergesAmong(changes: Log, own: readonly LoggedChange[]): Promise<ReadonlySet<string>> {
  const merges = new Set<string>();
  for (const set of await changes.findMany(own.map(({ changeSet }) => changeSet))) {
    if (await isOfMerge(changes, set)) merges.add(set.id);
  }
  return merges;
}

/** An undo of what the history no longer has may be one of a merge. */
async function isOfMerge(changes: Log, { action, undoes }: ChangeSet): Promise<boolean> {
  if (action !== 'undo') return action === 'merge' || action === 'unmerge';
  const undone = undoes === null ? null : await changes.find(undoes);
  return undone === null || isOfMerge(changes, undone);
}

/** The records that one of these change sets gave one of the values, or took it from. */
async function findHolders(
  changes: Log,
  changeSets: ReadonlySet<string>,
  values: ReadonlySet<string>,
): Promise<ReadonlySet<string>> {
  const holders = new Set<string>();
  for (const changeSet of changeSets) {
    for await (const page of changes.readChanges(changeSet)) {
      for (const change of page) if (holds(change, values)) holders.add(change.id);
    }
  }
  return holders;
}

function ownValues(changes: readonly RecordChange[]): ReadonlySet<string> {
  return new Set(changes.flatMap(valuesIn));
}

/** Whether a change of a record that stayed notes one of these values. */
function holds(change: RecordChange, values: ReadonlySet<string>): boolean {
  return change.is === 'changed' && valuesIn(change).some((value) => values.has(value));
}

/** The values of the fields above, each with its field. */
function valuesIn(change: RecordChange): string[] {
  const sides =
    change.is === 'changed' ? [change.before, change.after] : change.is === 'deleted' ? [change.before] : [];
  return sides.flatMap((side) => ownFields.filter((key) => side[key] != null).map((key) => `${key} ${side[key]}`));
}
