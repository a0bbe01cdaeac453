import { indexVersion } from '#search/index-maintenance.ts';
import { contactColumnTypes, documentColumnTypes } from './record-row.ts';

/**
 * The tables of a new store, in two groups: what is stored, and the index, which can be made of it again. Stores of earlier
 * versions get the first step by step (store-migrations.ts), and the second anew.
 *
 * records    the source: each record as JSON with the mask instead of its address, and its secret (records/masking.ts) as JSON
 *            in its own column, so a masked answer never reads it; `name_key` finds records of one kind and name (see identity.ts)
 * documents  the values to sort, bound and count by; changes with `records` in the same transaction; suppressed records
 *            have none; `text_digest` is the digest of the matching row of search_text, null if not yet known
 * contacts   what contact filters compare of each contact of a document (search/contact-filters.ts), by its place in the record
 * document_blocks the edition of the last change in each block of documents (document-columns.ts)
 * search_text     full text, folded and split by `index-text.ts` into the columns of IndexText; contains no address
 * meanings   what records are about (search/meaning/embed.ts), and the edition of the index that each came with
 * search_index    in one row: the indexVersion of documents and search_text (null: of an earlier way to tell), and the
 *            `edition`, another number after every change of those tables
 * suppressions    what stays hidden, by keys without addresses and names, and the key that one follows from; suppressed records have
 *            no documents, and suppressed contacts are in no document and only in the secret
 * changes    what a change set did to a record, as JSON (RecordChange): one row for each set and record; `at` in milliseconds
 * api_keys   keys by their HMAC, as JSON with columns that are read from it; so are orders and events
 * payment_events  events of the payment provider, by its ids; without `handled_at` those that match no order so far
 * keyed      everything that is kept under a key (records/keyed-store.ts): the audit log, pushes, the use of keys, lists, sessions, leases;
 *            `expires_at` in milliseconds
 */
const storeTables = `
  CREATE TABLE IF NOT EXISTS records (
    record INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    body TEXT NOT NULL,
    secret TEXT,
    name_key INTEGER
  ) STRICT;
  CREATE INDEX IF NOT EXISTS records_by_name ON records (name_key);
  CREATE TABLE IF NOT EXISTS dead_letters (
    id TEXT PRIMARY KEY,
    reason TEXT NOT NULL,
    at TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE IF NOT EXISTS merged_ids (
    id TEXT PRIMARY KEY,
    kept_id TEXT NOT NULL,
    change_set TEXT NOT NULL,
    merged_at TEXT NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS merged_ids_by_kept ON merged_ids (kept_id);

  CREATE TABLE IF NOT EXISTS suppressions (
    key TEXT PRIMARY KEY,
    reason TEXT,
    added_at TEXT NOT NULL,
    follows TEXT
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS suppressions_by_time ON suppressions (added_at);

  CREATE TABLE IF NOT EXISTS change_sets (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    action TEXT NOT NULL,
    operator TEXT NOT NULL,
    started_at TEXT NOT NULL,
    ended_at TEXT,
    undoes TEXT,
    files TEXT NOT NULL DEFAULT '[]',
    counts TEXT NOT NULL DEFAULT '{}',
    changes INTEGER NOT NULL DEFAULT 0,
    bytes INTEGER NOT NULL DEFAULT 0
  ) STRICT;

  CREATE TABLE IF NOT EXISTS changes (
    change INTEGER PRIMARY KEY,
    change_set INTEGER NOT NULL,
    record_id TEXT NOT NULL,
    at INTEGER NOT NULL,
    body TEXT NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX IF NOT EXISTS changes_by_record ON changes (record_id, change_set);
  CREATE INDEX IF NOT EXISTS changes_by_set ON changes (change_set);

  CREATE TABLE IF NOT EXISTS keyed (
    kind TEXT NOT NULL,
    key TEXT NOT NULL,
    owner TEXT,
    place TEXT NOT NULL,
    expires_at INTEGER,
    body TEXT NOT NULL,
    PRIMARY KEY (kind, key)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS keyed_by_place ON keyed (kind, place, key);
  CREATE INDEX IF NOT EXISTS keyed_by_owner ON keyed (kind, owner, place, key);
  CREATE INDEX IF NOT EXISTS keyed_by_end ON keyed (expires_at) WHERE expires_at IS NOT NULL;

  CREATE TABLE IF NOT EXISTS api_keys (
    hash TEXT PRIMARY KEY,
    body TEXT NOT NULL,
    secret_hash TEXT AS (body ->> 'secretHash'),
    retiring_hash TEXT AS (body -> 'retiring' ->> 'hash')
  ) STRICT;
  CREATE INDEX IF NOT EXISTS api_keys_by_secret ON api_keys (secret_hash);
  CREATE INDEX IF NOT EXISTS api_keys_by_retiring ON api_keys (retiring_hash);

  CREATE TABLE IF NOT EXISTS orders (
    id TEXT PRIMARY KEY,
    body TEXT NOT NULL,
    status TEXT AS (body ->> 'status'),
    created_at TEXT AS (body ->> 'createdAt'),
    checkout_reference TEXT AS (body ->> 'checkoutReference'),
    payment_reference TEXT AS (body ->> 'paymentReference')
  ) STRICT;
  CREATE INDEX IF NOT EXISTS orders_by_checkout ON orders (checkout_reference);
  CREATE INDEX IF NOT EXISTS orders_by_payment ON orders (payment_reference);

  CREATE TABLE IF NOT EXISTS payment_events (
    id TEXT PRIMARY KEY,
    body TEXT NOT NULL,
    received_at TEXT NOT NULL,
    handled_at TEXT,
    order_id TEXT,
    at TEXT AS (body ->> 'at'),
    checkout TEXT AS (body -> 'checkout' ->> 'reference'),
    payment TEXT AS (body ->> 'payment')
  ) STRICT;
  CREATE INDEX IF NOT EXISTS payment_events_by_checkout ON payment_events (checkout) WHERE handled_at IS NULL;
  CREATE INDEX IF NOT EXISTS payment_events_by_payment ON payment_events (payment) WHERE handled_at IS NULL;
  CREATE INDEX IF NOT EXISTS payment_events_by_order ON payment_events (order_id);
`;

function columnList(types: Readonly<Record<string, string>>): string {
  return Object.entries(types)
    .map(([column, type]) => `${column} ${type}`)
    .join(',\n    ');
}

/** What a rebuild of the index makes again. */
export const indexTables = `
  CREATE TABLE IF NOT EXISTS documents (
    record INTEGER PRIMARY KEY REFERENCES records ON DELETE CASCADE,
    ${columnList(documentColumnTypes)},
    text_digest TEXT
  ) STRICT;

  CREATE TABLE IF NOT EXISTS contacts (
    record INTEGER NOT NULL REFERENCES documents ON DELETE CASCADE,
    place INTEGER NOT NULL,
    ${columnList(contactColumnTypes)},
    PRIMARY KEY (record, place)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE IF NOT EXISTS document_blocks (block INTEGER PRIMARY KEY, edition INTEGER NOT NULL) STRICT;

  CREATE TABLE IF NOT EXISTS meanings (
    record INTEGER PRIMARY KEY REFERENCES documents ON DELETE CASCADE,
    meaning BLOB NOT NULL,
    edition INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS meanings_by_edition ON meanings (edition);

  CREATE VIRTUAL TABLE IF NOT EXISTS search_text USING fts5 (
    exact, names, aliases, hosts, concepts, traits, description, people,
    content = '', contentless_delete = 1,
    tokenize = "ascii tokenchars '._'"
  );
  INSERT INTO search_text (search_text, rank) VALUES ('automerge', 8), ('deletemerge', 0);
  CREATE VIRTUAL TABLE IF NOT EXISTS search_terms USING fts5vocab (search_text, row);

  CREATE TABLE IF NOT EXISTS search_index (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    version INTEGER,
    edition INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  INSERT INTO search_index (one, version) VALUES (1, ${indexVersion});
`;

export const tables = `${storeTables}${indexTables}`;
