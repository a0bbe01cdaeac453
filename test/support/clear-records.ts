import type { Stores } from '#backends/stores.ts';
import { madeRecord } from './made-record.ts';

/** Deletes the records with these ids, and ends that any of the ids leads to another record. */
export async function clearRecords(
  { records, changes }: Pick<Stores, 'records' | 'changes'>,
  ids: readonly string[],
): Promise<void> {
  await records.remove(ids);
  const id = 'clear';
  await changes.begin({ id, action: 'undo', operator: 'test', startedAt: '2020-01-01T00:00:00.000Z', undoes: null });
  // A record that comes back has its id for itself again.
  await records.revert(
    ids.map((one) => ({ id: one, is: 'deleted', before: madeRecord({ id: one }) })),
    id,
  );
  await records.remove(ids);
  await changes.remove(id);
}
