import type { ChangeSet } from '#domain/changes/change-set.ts';
import type { RecordKey } from '#domain/media-record.ts';
import type { ChangeLog } from '#ports/change-log.ts';
import type { RecordStore } from '#ports/record-store.ts';

/** A record of which something stays, because it changed later. */
export interface KeptRecord {
  id: string;
  /** The fields that stay; empty for the whole record. */
  fields: readonly RecordKey[];
}

/** What became of the records of a change set. */
export interface UndoneRecords {
  /** Records of which fields went back. */
  restored: number;
  removed: number;
  recreated: number;
  /** Records of which something stays. They may count as restored too. */
  kept: number;
  first_kept: KeptRecord[];
}

/** How many of the kept records are listed. */
const maxFirstKept = 100;

/**
 * Undoes a change set under another one, page by page in flat memory; run again, it completes what is missing.
 *
 * @param undoing the change set that notes it; null to find out what would happen
 * @param onProgress takes the number of records looked at
 */
export async function undoChanges(
  { records, changes }: { records: RecordStore; changes: Pick<ChangeLog, 'readChanges'> },
  undone: string,
  undoing: string | null,
  onProgress: (done: number) => void = () => {},
): Promise<UndoneRecords> {
  const result: UndoneRecords = { restored: 0, removed: 0, recreated: 0, kept: 0, first_kept: [] };
  let done = 0;
  for await (const page of changes.readChanges(undone)) {
    const reversals = await (undoing === null ? records.previewRevert(page) : records.revert(page, undoing));
    for (const [index, { outcome, kept }] of reversals.entries()) {
      if (outcome !== 'unchanged' && outcome !== 'kept') result[outcome] += 1;
      if (outcome !== 'kept' && kept.length === 0) continue;
      result.kept += 1;
      if (result.first_kept.length < maxFirstKept) result.first_kept.push({ id: page[index]?.id ?? '', fields: kept });
    }
    done += page.length;
    onProgress(done);
  }
  return result;
}

/** Of these change sets, those that another one undid, with the one that did and was not undone itself. */
export async function findUndone(
  changes: Pick<ChangeLog, 'listUndoing'>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ChangeSet>> {
  if (ids.length === 0) return new Map();
  const undoing = await changes.listUndoing(ids);
  const undone = await findUndone(
    changes,
    undoing.map(({ id }) => id),
  );
  const inEffect = undoing.filter(({ id }) => !undone.has(id));
  return new Map(inEffect.map((one) => [one.undoes ?? '', one]));
}
