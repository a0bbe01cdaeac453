import type { DatabaseSync } from 'node:sqlite';
import type { MediaRecord } from '#records/media-record.ts';
import { recordOfKey, type Suppressible, suppressionKeys, withoutSuppressed } from '#records/suppression.ts';
import { readRecord } from '../record-row.ts';

/** Finds what the suppression list leaves of a record or patch, as of the current transaction; null if it hides it whole. */
export function visiblePartFinder(database: DatabaseSync): <Given extends Suppressible>(record: Given) => Given | null {
  const suppressedKeys = suppressedKeysFinder(database);
  return (record) => withoutSuppressed(record, suppressedKeys(record));
}

/** Finds the keys of the suppressions that hide something of a record or patch, as of the current transaction. */
export function suppressedKeysFinder(database: DatabaseSync): (record: Suppressible) => ReadonlySet<string> {
  const selectAny = database.prepare('SELECT 1 FROM suppressions LIMIT 1');
  const select = database.prepare('SELECT 1 FROM suppressions WHERE key = ?');
  const none: ReadonlySet<string> = new Set();
  return (record) => {
    if (selectAny.get() === undefined) return none;
    return new Set(suppressionKeys(record).filter((key) => select.get(key)));
  };
}

/** The found records of which these keys hide something, with contacts that are hidden already. */
export function findSuppressed(database: DatabaseSync, keys: ReadonlySet<string>): MediaRecord[] {
  const ids = [...new Set([...keys].map(recordOfKey))];
  // Addresses and domains are in no index, so all records are read.
  const candidates = ids.includes(null) ? readFound(database) : readFoundById(database, ids as string[]);
  return [...candidates].filter((record) => withoutSuppressed(record, keys) !== record);
}

const selectFound = 'SELECT r.body, r.secret FROM documents AS d CROSS JOIN records AS r ON r.record = d.record';

function* readFound(database: DatabaseSync): Generator<MediaRecord> {
  for (const row of database.prepare(selectFound).iterate()) yield readRecord(row);
}

function* readFoundById(database: DatabaseSync, ids: readonly string[]): Generator<MediaRecord> {
  const select = database.prepare(
    'SELECT r.body, r.secret FROM records AS r CROSS JOIN documents AS d ON d.record = r.record WHERE r.id = ?',
  );
  for (const id of ids) {
    const row = select.get(id);
    if (row !== undefined) yield readRecord(row);
  }
}
