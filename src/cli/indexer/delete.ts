import { deadLetterId, normalizeId } from '#domain/normalize/normalize-id.ts';
import type { RecordStore } from '#ports/record-store.ts';
import { doAudited } from '#usecases/do-audited.ts';
import { countOf, type JsonFlag, printResult, reportFault } from '../command-line.ts';
import { withReadyBackends } from '../with-backends.ts';

/** `delete` */
export async function deleteRecords(ids: string[], { json }: JsonFlag): Promise<void> {
  await withReadyBackends(async (backends) => {
    const deletion = await doAudited(backends, {
      action: 'delete',
      subjects: ids.map((id) => `record ${deadLetterId(id.trim())}`),
      describe: ({ deleted, unknown }) => `${deleted.length} deleted, ${unknown.length} unknown`,
      async work() {
        const done = await removeEach(backends.records, ids);
        // Unknown ids may have been deleted by an interrupted run.
        await backends.maintenance.hideDeleted([...done.deleted, ...done.unknown]);
        return done;
      },
    });
    printResult(deletion, ({ deleted }) => `${countOf(deleted.length, 'record')} deleted.`, json);
    if (deletion.unknown.length > 0) reportFault(`No record has the id ${deletion.unknown.join(', ')}.`);
  });
}

interface Deletion {
  deleted: string[];
  /** Ids without a record. */
  unknown: string[];
}

/** Deletes the records with these ids, each normalized like in an import. */
async function removeEach(records: RecordStore, ids: readonly string[]): Promise<Deletion> {
  const deletion: Deletion = { deleted: [], unknown: [] };
  for (const given of new Set(ids)) {
    const read = normalizeId(given);
    const id = 'id' in read ? read.id : null;
    const count = id === null ? 0 : await records.remove([id]);
    (count > 0 ? deletion.deleted : deletion.unknown).push(id ?? given);
  }
  return deletion;
}
