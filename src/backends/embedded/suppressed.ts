import type { DatabaseSync } from 'node:sqlite';
import { isSuppressed, type Suppressible, showKey, suppressionKeys } from '#records/suppression.ts';
import { readRecord } from './record-row.ts';

/** Checks records against the suppression list, as of the current transaction. */
export function suppressionCheck(database: DatabaseSync): (record: Suppressible) => boolean {
  const selectAny = database.prepare('SELECT 1 FROM suppressions LIMIT 1');
  const select = database.prepare('SELECT 1 FROM suppressions WHERE key = ?');
  return (record) => selectAny.get() !== undefined && suppressionKeys(record).some((key) => select.get(key));
}

/** The ids of indexed records that carry one of the keys. */
export function findSuppressed(database: DatabaseSync, keys: ReadonlySet<string>): string[] {
  const ids = [...keys].map(showKey).flatMap(({ kind, value }) => (kind === 'record' ? [value] : []));
  const indexed = database.prepare(
    'SELECT 1 FROM records AS r CROSS JOIN documents AS d ON d.record = r.record WHERE r.id = ?',
  );
  // Addresses and domains require a search through all records.
  return ids.length === keys.size ? ids.filter((id) => indexed.get(id)) : findInAll(database, keys);
}

function findInAll(database: DatabaseSync, keys: ReadonlySet<string>): string[] {
  const candidates = database.prepare(
    `SELECT r.body, r.email, r.email_source FROM documents AS d CROSS JOIN records AS r ON r.record = d.record`,
  );
  const ids: string[] = [];
  for (const row of candidates.iterate()) {
    const record = readRecord(row);
    if (isSuppressed(record, keys)) ids.push(record.id);
  }
  return ids;
}
