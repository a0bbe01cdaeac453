import { readFileSync } from 'node:fs';
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import { nameKeyOf } from '#records/identity.ts';
import { splitSecret } from '#records/masking.ts';
import { type AnyStoredRecord, completeRecord, storedForm } from '#records/stored-record.ts';
import type { Kind } from '#records/vocabularies.ts';
import { parseJson } from '#text/json.ts';

/** A step that brings what is stored from the form before it to `form`. It never changes once it is released. */
export interface Migration {
  /** The number of the form that it makes, in `PRAGMA user_version`. */
  form: number;
  /** What it changes, for operators: `admin check` prints it before an upgrade. */
  name: string;
  /** Runs in the one transaction of an upgrade, with no other process on the store. An exception leaves the store as it was. */
  run(database: DatabaseSync): void;
}

/** The form of Masthead 1.1, the earliest that can be upgraded. */
export const earliestForm = 21;

/** All steps, in order; the last one makes the form of this version. The tables of the index are no part of them. */
export const migrations: readonly Migration[] = [
  { form: 31, name: 'keys, orders and the audit log of 1.1 become those of 1.2', run: fromVersion11 },
  {
    form: 35,
    name: 'records get the date when they came in, and their contact becomes the first of several',
    run: renewRecords,
  },
  { form: 36, name: 'suppressions say which one they follow from', run: addFollows },
  { form: 37, name: 'changes of records can be followed from now on', run: beginFeed },
];

/** The form of this version. */
export const storeForm = Math.max(...migrations.map(({ form }) => form));

/** The steps that a store of this form lacks; null if no version in between could have written it. */
export function listPending(form: number): readonly Migration[] | null {
  const isKnown = form === earliestForm || migrations.some((migration) => migration.form === form);
  return isKnown ? migrations.filter((migration) => migration.form > form) : null;
}

function fromVersion11(database: DatabaseSync): void {
  database.function('name_key_of', (kind, name) => nameKeyOf(kind as Kind, String(name)));
  database.exec(readFileSync(new URL('from-version-1.1.sql', import.meta.url), 'utf8'));
}

/** Records that are in memory at once. */
const pageSize = 1_000;

/** Reads and writes each record once, a page at a time: a store may be larger than the memory. */
function renewRecords(database: DatabaseSync): void {
  // One column is renamed, because each one that is dropped rewrites the whole table.
  database.exec('ALTER TABLE records RENAME COLUMN email TO secret');
  const select = database.prepare(`
    SELECT record, body, secret AS email, email_source,
      (SELECT min(at) FROM changes WHERE record_id = records.id) AS traced_at
    FROM records WHERE record > ? ORDER BY record LIMIT ${pageSize}`);
  const update = database.prepare('UPDATE records SET body = ?, secret = ? WHERE record = ?');
  let page: Record<string, SQLOutputValue>[];
  let last: SQLOutputValue = 0;
  do {
    page = select.all(last);
    for (const { record: row = null, ...columns } of page) {
      const { body, secret } = renewRow(columns);
      update.run(body, secret, row);
      last = row;
    }
  } while (page.length === pageSize);
  database.exec(`
    ALTER TABLE records DROP COLUMN email_source;
    DROP INDEX IF EXISTS change_sets_by_undone;
  `);
  // 1.2 left it where 1.1 had made it.
  const hasDigest = database.prepare("SELECT 1 FROM pragma_table_info('records') WHERE name = 'row_digest'").get();
  if (hasDigest !== undefined) database.exec('ALTER TABLE records DROP COLUMN row_digest');
}

/**
 * What becomes of a row of 1.2. A record came in with the first change of it in the history, else at its `updated_at`. What is no
 * record stays as it is: the index has it as a dead letter.
 */
function renewRow({ body = null, email = null, email_source = null, traced_at }: Record<string, SQLOutputValue>) {
  const flat = parseJson<Record<string, unknown>>(String(body));
  const address = { email, email_source };
  if (typeof flat?.id !== 'string' || typeof flat.kind !== 'string' || typeof flat.name !== 'string') {
    return { body, secret: email === null && email_source === null ? null : JSON.stringify(address) };
  }
  const created_at = traced_at == null ? flat.updated_at : new Date(Number(traced_at)).toISOString();
  const record = completeRecord({
    ...flat,
    ...address,
    ...(created_at != null && { created_at }),
  } as unknown as AnyStoredRecord);
  const { masked, secret } = splitSecret(record);
  return { body: JSON.stringify(storedForm(masked)), secret: secret && JSON.stringify({ contacts: secret }) };
}

function addFollows(database: DatabaseSync): void {
  database.exec('ALTER TABLE suppressions ADD COLUMN follows TEXT');
}

/** What the index shows before the upgrade is known to the feed, so that it only has changes of it. */
function beginFeed(database: DatabaseSync): void {
  database.exec(`
    CREATE TABLE change_feed (
      version INTEGER PRIMARY KEY AUTOINCREMENT,
      id TEXT NOT NULL UNIQUE,
      kind TEXT,
      shown_at TEXT,
      leads_to TEXT,
      left_kinds TEXT,
      noted_at INTEGER NOT NULL
    ) STRICT;
    INSERT INTO change_feed (id, kind, shown_at, noted_at)
      SELECT id, body ->> '$.kind', body ->> '$.updated_at', unixepoch() * 1000 FROM records
      WHERE record IN (SELECT record FROM documents) AND json_valid(body) AND body ->> '$.updated_at' IS NOT NULL`);
}
