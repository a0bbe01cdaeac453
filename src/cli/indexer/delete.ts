import { deadLetterId } from '#domain/dead-letter-id.ts';
import { normalizeId } from '#domain/normalize/normalize-id.ts';
import type { RecordStore } from '#ports/record-store.ts';
import { doAudited } from '#usecases/do-audited.ts';
import { print, printError, printJson } from '../command-line.ts';
import { withBackends } from './with-backends.ts';

/** `delete` */
export async function runDelete(ids: string[], json: boolean): Promise<void> {
  await withBackends(async ({ records, maintenance, whenPrepared }, { auditor }) => {
    await whenPrepared();
    const deletion = await doAudited(auditor, {
      action: 'delete',
      subjects: ids.map((id) => `record ${deadLetterId(id.trim())}`),
      describe: ({ deleted, unknown }) => `${deleted.length} deleted, ${unknown.length} unknown`,
      async work() {
        const done = await deleteRecords(records, ids);
        // Unknown ids may have been deleted by an interrupted run.
        await maintenance.hideDeleted([...done.deleted, ...done.unknown]);
        return done;
      },
    });
    if (json) printJson(deletion);
    else print(describe(deletion.deleted.length));
    if (deletion.unknown.length === 0) return;
    printError(`masthead: No record has the id ${deletion.unknown.join(', ')}.`);
    process.exitCode = 1;
  });
}

function describe(deleted: number): string {
  return `${deleted} ${deleted === 1 ? 'record' : 'records'} deleted.`;
}

interface Deletion {
  deleted: string[];
  /** Ids without a record. */
  unknown: string[];
}

/** Deletes the records with these ids, each normalized like in an import. */
async function deleteRecords(records: RecordStore, ids: readonly string[]): Promise<Deletion> {
  const deletion: Deletion = { deleted: [], unknown: [] };
  for (const given of new Set(ids)) {
    const read = normalizeId(given);
    const id = 'id' in read ? read.id : null;
    const count = id === null ? 0 : await records.remove([id]);
    (count > 0 ? deletion.deleted : deletion.unknown).push(id ?? given);
  }
  return deletion;
}
