import { normalizeId } from '#domain/normalize/normalize-id.ts';
import type { RecordStore } from '#ports/record-store.ts';

export interface Deletion {
  deleted: string[];
  /** Ids without a record. */
  unknown: string[];
}

/** Deletes the records with these ids, each normalized like in an import. */
export async function deleteRecords(records: RecordStore, ids: readonly string[]): Promise<Deletion> {
  const deletion: Deletion = { deleted: [], unknown: [] };
  for (const given of new Set(ids)) {
    const read = normalizeId(given);
    const id = 'id' in read ? read.id : null;
    const count = id === null ? 0 : await records.remove([id]);
    (count > 0 ? deletion.deleted : deletion.unknown).push(id ?? given);
  }
  return deletion;
}
