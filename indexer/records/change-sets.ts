import type { ChangeSet } from '#records/changes/change-set.ts';
import { type FieldValues, type LoggedChange, sameValue } from '#records/changes/record-change.ts';
import { bestFirst, type Contact } from '#records/contacts/contact.ts';
import { withContacts } from '#records/contacts/with-contacts.ts';
import { isDerived, isServiceDate } from '#records/fields.ts';
import type { RecordKey } from '#records/media-record.ts';
import { isFlatKey } from '#records/normalize/normalize-contact.ts';
import type { ChangeLog } from '#records/record-store.ts';
import { withoutHiddenContacts } from './explain-hiding.ts';
import { findUndone, isComplete } from './undo-changes.ts';

/** Change sets as commands print them, each with the undo of it. */
export async function showChangeSets(log: Pick<ChangeLog, 'find' | 'list'>, changeSets: readonly ChangeSet[]) {
  const undone = await findUndone(
    log,
    changeSets.map(({ id }) => id),
  );
  return changeSets.map((changeSet) => {
    const { id, action, operator, startedAt, endedAt, undoes, changes, counts, files } = changeSet;
    const undo = undone.get(id);
    return {
      id,
      action,
      operator,
      started_at: startedAt,
      /** Null while it runs, or if it was interrupted. */
      ended_at: endedAt,
      undoes,
      undone_by: undo?.id ?? null,
      /** Whether the undo left something: a record had changed later, or the undo was interrupted. */
      is_partly_undone: undo !== undefined && !isComplete(undo, changeSet),
      changes,
      counts,
      files,
    };
  });
}

export type ShownChangeSet = Awaited<ReturnType<typeof showChangeSets>>[number];

export type ShownChange = ReturnType<typeof shownChange>;

export type ChangedFields = Partial<Record<RecordKey, { before: unknown; after: unknown }>>;

/** The changes of a record, the newest first, without what they say of contacts that these suppressions hide. */
export async function showHistory(
  log: ChangeLog,
  recordId: string,
  { limit, suppressed }: { limit: number; suppressed: ReadonlySet<string> },
): Promise<ShownChange[]> {
  const visible = (values: FieldValues) => withoutHiddenContacts(recordId, values, suppressed);
  const changes = await log.listChangesOf(recordId, limit);
  const ids = [...new Set(changes.map(({ changeSet }) => changeSet))];
  const changeSets = new Map(await Promise.all(ids.map(async (id) => [id, await log.find(id)] as const)));
  return changes.map((change) => {
    const fields = change.is === 'changed' ? changedFields(visible(change.before), visible(change.after)) : {};
    return shownChange(change, changeSets.get(change.changeSet) ?? null, fields);
  });
}

/** A change as commands print it; without its change set, if that is no longer kept. */
export function shownChange({ at, is, changeSet }: LoggedChange, madeBy: ChangeSet | null, fields: ChangedFields) {
  const { action = null, operator = null, files = [] } = madeBy ?? {};
  return { at, action, change_set: changeSet, operator, files: files.map(({ name }) => name), is, fields };
}

/** The fields that differ, except the dates of the service. */
export function changedFields<Values extends Partial<Record<RecordKey, unknown>>>(
  before: Values,
  after: Values,
): ChangedFields {
  const [earlier, later] = [withFlatKeys(before), withFlatKeys(after)];
  const keys = (Object.keys(earlier) as RecordKey[]).filter(
    (key) => !isServiceDate(key) && !sameValue(earlier[key], later[key]),
  );
  const isOfOne =
    Number(earlier.contact_count ?? 0) < 2 && Number(later.contact_count ?? 0) < 2 && keys.some(isFlatKey);
  const isShown = (key: RecordKey) => (isOfOne ? key !== 'contacts' && key !== 'contact_count' : !isDerived(key));
  return shownValues(keys.filter(isShown), earlier, later);
}

/** Values with their contacts best first, and with what follows from these, as long as a medium has one: that is how people know it. */
function withFlatKeys(values: Partial<Record<RecordKey, unknown>>): Partial<Record<RecordKey, unknown>> {
  return Array.isArray(values.contacts) ? withContacts(values, bestFirst(values.contacts)) : values;
}

function shownValues(
  keys: readonly RecordKey[],
  before: Partial<Record<RecordKey, unknown>>,
  after: Partial<Record<RecordKey, unknown>>,
): ChangedFields {
  return Object.fromEntries(keys.map((key) => [key, { before: before[key] ?? null, after: after[key] ?? null }]));
}

/** Such as `2026-11-21T10:00:00.000Z changed by ada (import 20261121-4kd0pxw of a.csv)`. */
export function describeSource({ at, is, operator, action, change_set, files }: ShownChange): string {
  const work = `${action ?? 'change set'} ${change_set}${files.length === 0 ? '' : ` of ${files.join(', ')}`}`;
  return `${at} ${is}${operator === null ? '' : ` by ${operator}`} (${work})`;
}

/** Lines such as `city: Leeds → York`. */
export function describeFields(fields: ChangedFields): string[] {
  const text = (value: unknown) => [value ?? []].flat().map(describeValue).join(' | ') || '(empty)';
  return Object.entries(fields).map(([key, { before, after }]) => `${key}: ${text(before)} → ${text(after)}`);
}

/** A value as text; of a contact, who it is and how to reach it. */
export function describeValue(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  const { name, title, email, phone } = value as Partial<Contact>;
  return [name, title, email, phone].filter(Boolean).join(', ');
}
