import { hash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { emptyRecord } from '#records/fields.ts';
import { rereadRecord } from '#records/normalize/reread-record.ts';
import { makeProbeRecords, probeTexts } from '#records/probe-records.ts';
import { suppressionKeys } from '#records/suppression.ts';
import { once } from '#text/memoize.ts';
import { indexText } from './index-text.ts';
import { documentColumns, documentLists, recordColumns } from './record-row.ts';
import { migrations } from './schema.ts';

const indexTable = /\b(?:documents|document_lists|search_text)\b/;

/**
 * The form of the index that this version builds. It changes with its tables, or with what becomes of records in them,
 * including their masked bodies. An index in another form must be rebuilt.
 */
export const indexForm: () => string = once(() => {
  const tables = migrations.filter((migration) => indexTable.test(migration));
  const rows = makeProbeRecords().map((record) => [
    recordColumns(record),
    documentColumns(record),
    documentLists(record),
    indexText(record),
    suppressionKeys(record),
  ]);
  const reread = probeTexts.map((text) =>
    rereadRecord({ ...emptyRecord('probe', 'outlet', 'Probe'), description: text }),
  );
  return hash('sha1', JSON.stringify([tables, rows, reread]), 'base64url');
});

/** An index without records has any form: a new store needs no rebuild. */
export function stampEmptyIndex(database: DatabaseSync): void {
  if (database.prepare('SELECT 1 FROM records LIMIT 1').get() !== undefined) return;
  database
    .prepare('UPDATE search_index SET form = ?1 WHERE form IS NOT ?1 AND NOT EXISTS (SELECT 1 FROM records)')
    .run(indexForm());
}
