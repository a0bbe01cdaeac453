import type { ChangeSet } from '#records/changes/change-set.ts';
import type { LoggedChange } from '#records/changes/record-change.ts';
import type { RecordKey } from '#records/media-record.ts';
import type { ChangeLog } from '#records/record-store.ts';
import { findUndone, isComplete, wouldMerge } from './undo-changes.ts';

/** A change set as commands print it. */
export interface ShownChangeSet {
  id: string;
  action: string;
  operator: string;
  started_at: string;
  /** Null while it runs, or if it was cut off. */
  ended_at: string | null;
  undoes: string | null;
  undone_by: string | null;
  /** What the undo left, if it undid the change set only in part: both are 0 where it did not see everything. */
  left: { fields: number; records: number } | null;
  /** Whether `imports undo` takes it; not if that would merge records again, which only `merge` does. */
  can_be_undone: boolean;
  /** How many records it changed. */
  changes: number;
  counts: Readonly<Record<string, number>>;
  files: ChangeSet['files'];
}

/** Change sets as commands print them, with what undid them. */
export async function showChangeSets(
  log: Pick<ChangeLog, 'find' | 'list'>,
  changeSets: readonly ChangeSet[],
): Promise<ShownChangeSet[]> {
  const undone = await findUndone(
    log,
    changeSets.map(({ id }) => id),
  );
  const listed = new Map(changeSets.map((one) => [one.id, one]));
  const find = async (id: string) => listed.get(id) ?? log.find(id);
  const merging = await Promise.all(changeSets.map((one) => wouldMerge({ find }, one)));
  return changeSets.map((one, place) => {
    const { id, action, operator, startedAt, endedAt, undoes, changes, counts, files } = one;
    const undo = undone.get(id);
    return {
      ...{ id, action, operator, started_at: startedAt, ended_at: endedAt, undoes },
      undone_by: undo?.id ?? null,
      left: undo === undefined || isComplete(undo, one) ? null : leftBy(undo),
      ...{ can_be_undone: !merging[place], changes, counts, files },
    };
  });
}

/** What merges the records again that this change set took out of others, for people. */
export async function describeMergingAgain(log: Pick<ChangeLog, 'readChanges'>, id: string): Promise<string> {
  const merged = new Map<string, string[]>();
  for await (const page of log.readChanges(id)) {
    for (const change of page) {
      if (change.is !== 'created' || change.kept === undefined) continue;
      merged.set(change.kept, [...(merged.get(change.kept) ?? []), change.id]);
    }
    if (merged.size > maxMerges) break;
  }
  const commands = [...merged]
    .slice(0, maxMerges)
    .map(([kept, ids]) => `npm run indexer -- merge ${kept} ${ids.join(' ')}`);
  const more = merged.size > maxMerges ? ['… and more'] : [];
  return [
    'To merge the records again, use merge, which looks at suppressions and keeps old ids:',
    ...commands,
    ...more,
  ].join('\n  ');
}

/** Merges that are named. */
const maxMerges = 10;

function leftBy({ counts }: ChangeSet): { fields: number; records: number } {
  return { fields: counts.kept_fields ?? 0, records: counts.kept_whole ?? 0 };
}

/** A change of a record, with the command that made it. */
export interface ShownChange {
  at: string;
  action: string | null;
  change_set: string;
  operator: string | null;
  files: string[];
  is: LoggedChange['is'];
  /** Old and new values of changed fields. */
  fields: Partial<Record<RecordKey, ChangedValue>>;
}

interface ChangedValue {
  before: unknown;
  after: unknown;
}

/** The changes of a record, the newest first. */
export async function showHistory(log: ChangeLog, recordId: string, limit: number): Promise<ShownChange[]> {
  const changes = await log.listChangesOf(recordId, limit);
  const ids = [...new Set(changes.map(({ changeSet }) => changeSet))];
  const changeSets = new Map(await Promise.all(ids.map(async (id) => [id, await log.find(id)] as const)));
  return changes.map((change) => {
    const { action = null, operator = null, files = [] } = changeSets.get(change.changeSet) ?? {};
    const names = files.map(({ name }) => name);
    const { at, is, changeSet } = change;
    return { at, action, change_set: changeSet, operator, files: names, is, fields: changedFields(change) };
  });
}

/** The fields that a change gave other values, except the time; none for a whole record. */
export function changedFields(change: LoggedChange): ShownChange['fields'] {
  if (change.is !== 'changed') return {};
  const { before, after } = change;
  const keys = (Object.keys(before) as RecordKey[]).filter(
    (key) => key !== 'updated_at' && JSON.stringify(before[key]) !== JSON.stringify(after[key]),
  );
  return Object.fromEntries(keys.map((key) => [key, { before: before[key] ?? null, after: after[key] ?? null }]));
}

/** Such as `2026-11-21T10:00:00.000Z changed by ada (import 20261121-4kd0pxw of a.csv)`. */
export function describeSource({ at, is, operator, action, change_set, files }: ShownChange): string {
  const work = `${action ?? 'change set'} ${change_set}${files.length === 0 ? '' : ` of ${files.join(', ')}`}`;
  return `${at} ${is}${operator === null ? '' : ` by ${operator}`} (${work})`;
}

/** Such as `city: Leeds → York`. */
export function describeField([key, { before, after }]: [string, ChangedValue]): string {
  return `${key}: ${describeValue(before)} → ${describeValue(after)}`;
}

function describeValue(value: unknown): string {
  return [value ?? []].flat().join(' | ') || '(empty)';
}
