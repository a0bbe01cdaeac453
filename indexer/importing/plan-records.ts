import { joinRows } from '#records/duplicates/join-records.ts';
import { emptyRecord } from '#records/fields.ts';
import {
  deriveIds,
  deriveOldIds,
  findSame,
  groupRows,
  type IdentifyingPart,
  type Identity,
  identityOf,
  isDerived,
  nameKeyOf,
  nextId,
  type SameRows,
} from '#records/identity.ts';
import type { MediaRecord, RecordPatch } from '#records/media-record.ts';
import type { MergedIds, RecordStore } from '#records/record-store.ts';
import { nameKey } from '#text/fold.ts';
import { patchesIn } from './accounting/people-account.ts';

export interface PlannedRow {
  line: number;
  /** With an empty id if the row has none. */
  patch: RecordPatch;
  /** The record that its id leads to; null if the row has none. */
  recordId: string | null;
  /** Whether it means its medium by the kind and name alone, as a part of a cell of several media does. */
  isByName: boolean;
}

/** What will be saved of one record, and the rows that say it. */
export interface PlannedRecord<Row> {
  id: string;
  /** By id: the id of the record, and ids that lead to it. */
  patches: Map<string, RecordPatch>;
  rows: Row[];
  /** Other stored records that turned out to be this one. */
  doubles: readonly string[];
}

interface Stored {
  findAny: RecordStore['findAny'];
  resolve: MergedIds['resolve'];
}

/** The record that rows are for: a stored one, or a new one. `id` is the id for their patch. */
interface Target {
  recordId: string;
  id: string;
  stored: MediaRecord | null;
  doubles: readonly string[];
}

/** Groups rows by record (contract A17): the record of a row's id, or else the stored record of the same medium, or a new one. */
export async function planRecords<Row extends PlannedRow>(
  rows: readonly Row[],
  store: Stored,
): Promise<{ records: PlannedRecord<Row>[]; ambiguous: Row[] }> {
  const planned = new Map<string, PlannedRecord<Row>>();
  const add = (row: Row, patch: RecordPatch, recordId: string) => {
    const none: PlannedRecord<Row> = { id: recordId, patches: new Map(), rows: [], doubles: [] };
    const record = planned.get(recordId) ?? none;
    const earlier = record.patches.get(patch.id);
    record.patches.set(patch.id, earlier === undefined ? patch : joinRows(earlier, patch));
    record.rows.push(row);
    planned.set(recordId, record);
    return record;
  };
  for (const row of rows) if (row.recordId !== null) add(row, row.patch, row.recordId);
  const byName = await rowsByName(rows, store);
  const unplannedRows = rows.filter((row) => row.recordId === null && !byName.has(row));
  const groups = groupRows(unplannedRows.map((row) => ({ row, identity: identityOf(identifying(row)) })));
  if (groups.length === 0 && byName.size === 0) return { records: [...planned.values()], ambiguous: [] };
  // A row without an id may be of a new record whose id another row of the batch names.
  const coming = [...planned.values()].flatMap(({ id, patches }) =>
    [...patches.values()].flatMap((patch) => toRecord(id, patch)),
  );
  const targets = await findTargets(groups, coming, store);
  for (const [place, { id, recordId, stored, doubles }] of targets.entries()) {
    for (const { row } of groups[place]?.rows ?? []) {
      const patch = { ...withoutEmptyIdentity(row.patch), id, ...(stored && { name: stored.name }) };
      add(row, patch, recordId).doubles = doubles;
    }
  }
  const ambiguous: Row[] = [];
  for (const [row, stored] of byName) {
    const coming = [...planned.values()].filter(({ patches }) =>
      [...patches.values()].some((patch) => isNamed(row, patch)),
    );
    const [recordId, ...more] = new Set([...coming, ...stored].map(({ id }) => id));
    if (recordId === undefined || more.length > 0) ambiguous.push(row);
    else add(row, { id: recordId, ...(row.patch.contacts && { contacts: row.patch.contacts }) }, recordId);
  }
  return { records: [...planned.values()], ambiguous };
}

/** The rows that mean a medium by its name alone, with the stored records of that name. Others of a new name are as any row. */
async function rowsByName<Row extends PlannedRow>(rows: readonly Row[], { findAny }: Stored) {
  const rowsToFind = rows.filter((row) => row.isByName && row.recordId === null);
  const recordsOfRow = new Map<Row, readonly MediaRecord[]>();
  if (rowsToFind.length === 0) return recordsOfRow;
  const keys = rowsToFind.map((row) => nameKeyOf(identifying(row).kind, identifying(row).name));
  const stored = await findAny(keys, []);
  for (const row of rowsToFind) {
    const namesakes = stored.filter((record) => isNamed(row, record));
    const isComing = rows.some((other) => !other.isByName && isNamed(row, other.patch));
    if (namesakes.length > 0 || isComing) recordsOfRow.set(row, namesakes);
  }
  return recordsOfRow;
}

function isNamed(row: PlannedRow, { kind, name }: Partial<Pick<MediaRecord, 'kind' | 'name'>>): boolean {
  const rowIdentity = identifying(row);
  return kind === rowIdentity.kind && name !== undefined && nameKey(name) === nameKey(rowIdentity.name);
}

function toRecord(id: string, patch: RecordPatch): MediaRecord[] {
  const { contacts: _, ...values } = patch;
  return patch.kind && patch.name ? [{ ...emptyRecord(id, patch.kind, patch.name), ...values, id }] : [];
}

async function findTargets(
  groups: readonly SameRows<{ row: PlannedRow }>[],
  coming: readonly MediaRecord[],
  { findAny, resolve }: Stored,
): Promise<Target[]> {
  const wanted = groups.map((group) => {
    const parts = group.rows.map(({ row }) => identifying(row));
    const [{ kind, name }] = parts as [IdentifyingPart];
    const newIds = deriveIds(group);
    return { group, key: nameKeyOf(kind, name), newIds, ids: [...newIds, ...parts.flatMap(deriveOldIds)] };
  });
  const allIds = wanted.flatMap(({ ids }) => ids);
  const stored = await findAny(
    wanted.map(({ key }) => key),
    allIds,
  );
  const byName = Map.groupBy(new Map([...coming, ...stored].map((record) => [record.id, record])).values(), (record) =>
    nameKeyOf(record.kind, record.name),
  );
  const storedIds = new Set(stored.map(({ id }) => id));
  const leads = await resolve(allIds.filter((id) => !storedIds.has(id)));
  const survivors = new Map((await findAny([], [...leads.values()])).map((record) => [record.id, record]));
  /** Stored records without feed and page. Each of them can be only one of the media at its place. */
  const claimed = new Set<string>();
  return wanted.map(({ group, key, newIds, ids }) => {
    const free = byName.get(key)?.filter(({ id }) => !claimed.has(id)) ?? [];
    const addresses = group.rows.flatMap(({ row }) => patchesIn(row.patch).flatMap(({ email }) => email ?? []));
    const [first, ...otherRecords] = findSame(group, ids, free, addresses);
    if (first !== undefined) {
      for (const { id, url, feed_url } of [first, ...otherRecords])
        if (url === null && feed_url === null) claimed.add(id);
      const doubles = otherRecords.map(({ id }) => id).filter(isDerived);
      return { recordId: first.id, id: first.id, stored: first, doubles };
    }
    const none = { stored: null, doubles: [] };
    for (const id of ids) {
      const record = survivors.get(leads.get(id) ?? '');
      if (record !== undefined && isCalled(record, group)) return { recordId: record.id, id, ...none };
    }
    let [newId] = newIds as [string];
    while (storedIds.has(newId) || leads.has(newId)) newId = nextId(newId);
    return { recordId: newId, id: newId, ...none };
  });
}

/** A new record's row has kind and name. */
function identifying({ patch }: PlannedRow): IdentifyingPart {
  return patch as RecordPatch & IdentifyingPart;
}

/** Whether a record that others were merged into has this kind, and this name or other name. */
function isCalled({ kind, name, aliases }: MediaRecord, identity: Identity): boolean {
  return [name, ...aliases].some((recordName) => `${kind}\n${nameKey(recordName)}` === identity.name);
}

/** A row without an id never clears what its record is found by. */
function withoutEmptyIdentity(patch: RecordPatch): RecordPatch {
  const keptEntries = Object.entries(patch).filter(([key, value]) => value !== null || !identifyingKeys.has(key));
  return Object.fromEntries(keptEntries) as unknown as RecordPatch;
}

const identifyingKeys: ReadonlySet<string> = new Set(['url', 'feed_url', 'country', 'region', 'city']);
