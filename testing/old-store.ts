import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect } from 'vitest';
import { openIndexer } from '#indexer/open-indexer.ts';
import { loadSample } from '#sample/load-sample.ts';

/**
 * The tables of version 1.0 in place of those that came later, while it fills the next set of them. Indexes of the two sets
 * took turns with the ending `_2`.
 */
export const asVersion1 = `
  PRAGMA foreign_keys = OFF;
  DROP TABLE key_usage;
  DROP TABLE changes;
  DROP TABLE change_sets;
  DROP TABLE merged_ids;
  DROP TRIGGER records_changed;
  ALTER TABLE records DROP COLUMN row_digest;
  DROP INDEX records_by_name;
  ALTER TABLE records DROP COLUMN name_key;
  DROP INDEX api_keys_by_secret;
  DROP INDEX api_keys_by_retiring;
  ALTER TABLE api_keys DROP COLUMN secret_hash;
  ALTER TABLE api_keys DROP COLUMN retiring_hash;
  ALTER TABLE api_keys DROP COLUMN retiring_prefix;
  ALTER TABLE api_keys DROP COLUMN retiring_ends_at;
  ALTER TABLE api_keys DROP COLUMN renewals;
  ALTER TABLE orders DROP COLUMN renews_hash;
  ALTER TABLE orders DROP COLUMN customer_reference;
  ALTER TABLE payment_events DROP COLUMN customer;
  ALTER TABLE documents DROP COLUMN last_verified_at;
  DROP TABLE search_index;
  CREATE TABLE index_generations (
    name TEXT PRIMARY KEY, identity TEXT NOT NULL, is_served INTEGER NOT NULL, form TEXT
  ) STRICT, WITHOUT ROWID;
  INSERT INTO index_generations VALUES ('embedded-20261101t000000000z', 'first', 1, NULL),
    ('embedded-20261102t000000000z', 'second', 0, 'of another version');
  CREATE TABLE record_changes (
    change INTEGER PRIMARY KEY, kind TEXT NOT NULL, subject TEXT NOT NULL, at INTEGER NOT NULL
  ) STRICT;
  INSERT INTO record_changes (kind, subject, at) SELECT 'record', id, 0 FROM records;
  CREATE TABLE index_journal (
    name TEXT PRIMARY KEY, identity TEXT NOT NULL, is_complete INTEGER NOT NULL, token TEXT NOT NULL,
    version INTEGER NOT NULL, reached_at TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  INSERT INTO index_journal VALUES ('embedded-20261101t000000000z', 'first', 1, '9', 9, '2026-11-01T00:00:00.000Z');
  DROP INDEX documents_by_name;
  CREATE INDEX documents_by_name_2 ON documents (name_key, id);
  CREATE TABLE documents_next (
    record INTEGER PRIMARY KEY REFERENCES records ON DELETE CASCADE,
    id TEXT NOT NULL, name_key TEXT NOT NULL, audience INTEGER, updated_at TEXT NOT NULL,
    has_contact_name INTEGER NOT NULL, has_email INTEGER NOT NULL, kind TEXT, language TEXT, continent TEXT, country TEXT,
    region TEXT, city TEXT, city_size TEXT, type TEXT, coverage TEXT, email_status TEXT, text_digest TEXT
  ) STRICT;
  CREATE INDEX documents_by_name ON documents_next (name_key, id);
  CREATE TABLE document_lists_next (
    field TEXT NOT NULL, value TEXT NOT NULL,
    record INTEGER NOT NULL REFERENCES documents_next ON DELETE CASCADE,
    PRIMARY KEY (field, value, record)
  ) STRICT, WITHOUT ROWID;
  CREATE VIRTUAL TABLE search_text_next USING fts5 (
    exact, names, aliases, hosts, concepts, place, description,
    content = '', contentless_delete = 1, tokenize = "ascii tokenchars '._'", prefix = '1 2'
  );
  INSERT INTO documents_next SELECT * FROM documents WHERE record <= 100;
  INSERT INTO document_lists_next SELECT * FROM document_lists WHERE record <= 100;
  INSERT INTO search_text_next (rowid, names) SELECT record, name_key FROM documents_next;
  PRAGMA user_version = 9`;

/**
 * Fills an embedded store with this many records, and leaves it like an earlier version: a newer column is empty, and
 * masks follow another rule.
 */
export async function makeOldStore(dataDir: string, records: number): Promise<void> {
  const backends = await openIndexer({ dataDir });
  await loadSample(backends.records, records);
  await backends.close();
  const database = new DatabaseSync(join(dataDir, 'masthead.db'));
  database.exec(`
    UPDATE documents SET city = NULL;
    UPDATE records SET body = json_set(body, '$.email', substr(email, 1, 2) || '***' || substr(email, instr(email, '@')))
      WHERE email IS NOT NULL;
    UPDATE search_index SET form = NULL`);
  database.close();
}

/** That the index of a store is what this version makes of each of its records. */
export async function expectRenewed(dataDir: string, records: number): Promise<void> {
  const backends = await openIndexer({ dataDir });
  try {
    expect((await backends.maintenance.findLive())?.isCurrent).toBe(true);
    expect(await backends.maintenance.verify({ repairs: false })).toMatchObject({
      compared: records,
      missing: 0,
      extra: 0,
      stale: 0,
    });
    expect(await backends.audit.list(1)).toMatchObject([
      { action: 'reindex', outcome: expect.stringContaining(`: ${records} indexed, 0 dead letters`) },
    ]);
  } finally {
    await backends.close();
  }
}
