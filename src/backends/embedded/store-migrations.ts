import { readFileSync } from 'node:fs';
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import { nameKeyOf } from '#records/identity.ts';
import { splitSecret } from '#records/masking.ts';
import { type AnyStoredRecord, completeRecord, storedForm } from '#records/stored-record.ts';
import type { Kind } from '#records/vocabularies.ts';

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
  { form: 32, name: 'the address of a record and its source become one secret', run: joinSecrets },
  { form: 33, name: 'what only 1.1 read is removed', run: dropUnread },
  { form: 34, name: 'records get the date when they came in', run: fillCreated },
  { form: 35, name: 'the contact of a record becomes the first of several', run: liftContacts },
  { form: 36, name: 'suppressions say which one they follow from', run: addFollows },
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

/** Renames a column, because each one that is dropped rewrites the whole table. */
function joinSecrets(database: DatabaseSync): void {
  database.exec(`
    ALTER TABLE records RENAME COLUMN email TO secret;
    UPDATE records SET secret = json_object('email', secret, 'email_source', email_source)
      WHERE secret IS NOT NULL OR email_source IS NOT NULL;
    ALTER TABLE records DROP COLUMN email_source;
  `);
}

/** 1.2 left these where 1.1 had made them. */
function dropUnread(database: DatabaseSync): void {
  database.exec('DROP INDEX IF EXISTS change_sets_by_undone');
  const hasDigest = database.prepare("SELECT 1 FROM pragma_table_info('records') WHERE name = 'row_digest'").get();
  if (hasDigest !== undefined) database.exec('ALTER TABLE records DROP COLUMN row_digest');
}

/** The oldest trace of a record is the first change of it in the history, else `updated_at`. */
function fillCreated(database: DatabaseSync): void {
  database.exec(`
    UPDATE records SET body = json_set(body, '$.created_at', coalesce(
      (SELECT strftime('%Y-%m-%dT%H:%M:%fZ', min(at) / 1000.0, 'unixepoch') FROM changes WHERE record_id = records.id),
      body ->> '$.updated_at'))
    WHERE json_valid(body) AND body ->> '$.updated_at' IS NOT NULL`);
}

/** Leaves rows that are no records as they are: the index has them as dead letters. */
function liftContacts(database: DatabaseSync): void {
  const update = database.prepare('UPDATE records SET body = ?, secret = ? WHERE record = ?');
  for (const { record: row = null, body, secret } of database
    .prepare('SELECT record, body, secret FROM records')
    .all()) {
    const flat = readObject(body);
    if (typeof flat?.id !== 'string' || typeof flat.kind !== 'string' || typeof flat.name !== 'string') continue;
    const record = completeRecord({ ...flat, ...readObject(secret) } as unknown as AnyStoredRecord);
    const { masked, secret: secrets } = splitSecret(record);
    update.run(JSON.stringify(storedForm(masked)), secrets && JSON.stringify({ contacts: secrets }), row);
  }
}

function addFollows(database: DatabaseSync): void {
  database.exec('ALTER TABLE suppressions ADD COLUMN follows TEXT');
}

function readObject(json: SQLOutputValue | undefined): Record<string, unknown> | null {
  try {
    return JSON.parse(String(json ?? null)) as Record<string, unknown> | null;
  } catch {
    return null;
  }
}
