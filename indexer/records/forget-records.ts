import type { LoggedChange, RecordChange } from '#records/changes/record-change.ts';
import type { RecordKey } from '#records/media-record.ts';
import type { ChangeLog } from '#records/record-store.ts';

type Log = Pick<ChangeLog, 'listChangesOf' | 'forget'>;

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
const maxChanges = 10_000;

/**
 * Deletes for good what the history has of these records. If one was merged into another and taken out again, that one's
 * changes since the merge hold its values too: those go as well. Can be repeated if it was cut off.
 */
export async function forgetRecords(changes: Log, ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    const own = await changes.listChangesOf(id, maxChanges);
    const values = ownValues(own);
    for (const [keptId, since] of await findHolders(changes, own)) {
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

/** The records that this one was merged into, over any number of merges, and since when they may hold its values. */
async function findHolders(changes: Log, own: readonly LoggedChange[]): Promise<ReadonlyMap<string, string>> {
  const holders = new Map<string, string>();
  const open = mergesIn(own, '');
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { keptId, at } = next;
    if ((holders.get(keptId) ?? '~') <= at) continue;
    holders.set(keptId, at);
    open.push(...mergesIn(await changes.listChangesOf(keptId, maxChanges), at));
  }
  return holders;
}

/** The merges of a record into another, and what took them back. */
function mergesIn(history: readonly LoggedChange[], since: string): { keptId: string; at: string }[] {
  return history.flatMap((change) =>
    change.is !== 'changed' && change.kept !== undefined && change.at >= since
      ? [{ keptId: change.kept, at: change.at }]
      : [],
  );
}

function ownValues(changes: readonly RecordChange[]): ReadonlySet<string> {
  return new Set(changes.flatMap(valuesIn));
}

/** Whether a change of a record that stayed notes one of these values. */
function holds(change: RecordChange, values: ReadonlySet<string>): boolean {
  return change.is === 'changed' && valuesIn(change).some((value) => values.has(value));
}

function valuesIn(change: RecordChange): string[] {
  const sides =
    change.is === 'changed' ? [change.before, change.after] : change.is === 'deleted' ? [change.before] : [];
  return sides.flatMap((side) => ownFields.filter((key) => side[key] != null).map((key) => `${key} ${side[key]}`));
}
