import { indexVersion } from '#search/index-maintenance.ts';
import { documentColumnTypes } from './record-row.ts';

/** The number of the form of the tables, in `PRAGMA user_version`. */
export const schemaVersion = 32;

/** The form that Masthead 1.1 wrote. */
export const version11 = 21;

/** The form in which an address and its source had a column each. */
export const version31 = 31;

/**
 * The tables, where they do not exist.
 *
 * records    the source: each record as JSON with the mask instead of its address, and its secret (records/masking.ts) as JSON
 *            in its own column, so a masked answer never reads it; `name_key` finds records of one kind and name (see identity.ts)
 * documents  the values to sort, bound and count by; changes with `records` in the same transaction; suppressed records
 *            have none; `text_digest` is the digest of the matching row of search_text, null if not yet known
 * document_blocks the edition of the last change in each block of documents (document-columns.ts)
 * search_text     full text, folded and split by `index-text.ts` into the columns of IndexText; contains no address
 * meanings   what records are about (search/meaning/embed.ts), and the edition of the index that each came with
 * search_index    in one row: the indexVersion of documents and search_text (null: of an earlier way to tell), and the
 *            `edition`, another number after every change of those tables
 * suppressions    what stays hidden, by keys without addresses; suppressed records have no documents
 * changes    what a change set did to a record, as JSON (RecordChange): one row for each set and record; `at` in milliseconds
 * api_keys   keys by their HMAC, as JSON with columns that are read from it; so are orders and events
 * payment_events  events of the payment provider, by its ids; without `handled_at` those that match no order so far
 * keyed      everything that is kept under a key (records/keyed-store.ts): the audit log, pushes, the use of keys, lists, sessions, leases;
 *            `expires_at` in milliseconds
 */
export const tables = `
  CREATE TABLE IF NOT EXISTS records (
    record INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    body TEXT NOT NULL,
    secret TEXT,
    name_key INTEGER
  ) STRICT;
  CREATE INDEX IF NOT EXISTS records_by_name ON records (name_key);

  CREATE TABLE IF NOT EXISTS documents (
    record INTEGER PRIMARY KEY REFERENCES records ON DELETE CASCADE,
    ${Object.entries(documentColumnTypes)
      .map(([column, type]) => `${column} ${type}`)
      .join(',\n    ')},
    text_digest TEXT
  ) STRICT;

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
    added_at TEXT NOT NULL
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

/**
 * Makes the tables of version 31 of those of Masthead 1.1. Full text is filled again by a rebuild of the index; until then, what
 * documents hold is found. `name_key_of(kind, name)` is the key of identity.ts.
 */
export const fromVersion11 = `
  DROP TRIGGER IF EXISTS records_changed;
  ALTER TABLE records ADD COLUMN name_key INTEGER;
  UPDATE records SET name_key = name_key_of(body ->> 'kind', body ->> 'name') WHERE json_valid(body);
  CREATE TEMP TABLE old_keys AS SELECT * FROM api_keys;
  CREATE TEMP TABLE old_orders AS SELECT * FROM orders;
  CREATE TEMP TABLE old_events AS SELECT * FROM payment_events;
  DROP TABLE payment_events;
  DROP TABLE orders;
  DROP TABLE api_keys;
  DROP INDEX IF EXISTS documents_by_audience;
  DROP INDEX IF EXISTS documents_by_name;
  DROP INDEX IF EXISTS documents_by_update;
  DROP INDEX IF EXISTS documents_by_country;
  DROP INDEX IF EXISTS documents_by_city;
  DROP INDEX IF EXISTS documents_by_id;
  DROP TABLE IF EXISTS document_lists;
  DROP TABLE search_terms;
  DROP TABLE search_text;
  DROP TABLE search_index;
  DROP TABLE missed_searches;
  DROP TABLE job_locks;
  ${tables}
  UPDATE search_index SET version = NULL;

  INSERT INTO keyed SELECT 'audit_log', printf('%s %012d', at, entry), NULL, at, NULL, json_object(
    'at', at, 'operator', operator, 'action', action, 'subject', subject, 'outcome', outcome) FROM audit_log;
  INSERT INTO keyed SELECT 'key_usage', key_hash || ' ' || date, key_hash, date, (unixepoch(date) + 400 * 86400) * 1000,
    json_object('keyHash', key_hash, 'date', date, 'requests', requests, 'exportedRows', exported_rows, 'pushedLeads',
      pushed_leads, 'lastUsedAt', last_used_at) FROM key_usage;
  INSERT INTO keyed SELECT 'pushes', id, NULL, started_at, (unixepoch(updated_at) + 90 * 86400) * 1000, json_object(
    'id', id, 'keyHash', key_hash, 'keyPrefix', key_prefix, 'tool', tool, 'campaignId', campaign_id, 'status', status,
    'counts', json(counts), 'details', json(details), 'failure', json(failure), 'startedAt', started_at,
    'updatedAt', updated_at) FROM pushes;
  INSERT INTO keyed SELECT 'key_pepper', 'proof', NULL, since, NULL, json_object('proof', proof, 'since', since)
    FROM key_pepper;
  INSERT INTO api_keys (hash, body) SELECT hash, json_patch(
    json_object('hash', hash, 'prefix', prefix, 'plan', json_object('tier', tier, 'expiresAt', expires_at), 'email', email,
      'orderId', order_id, 'createdAt', created_at, 'revokedAt', revoked_at),
    json_object('secretHash', secret_hash, 'renewals', json(renewals), 'retiring', iif(retiring_hash IS NULL, NULL,
      json_object('hash', retiring_hash, 'prefix', retiring_prefix, 'endsAt', retiring_ends_at)))) FROM old_keys;
  INSERT INTO orders (id, body) SELECT id, json_object('id', id, 'status', status, 'tier', tier, 'price', price, 'currency',
    currency, 'days', days, 'email', email, 'checkoutUrl', checkout_url, 'checkoutReference', checkout_reference,
    'paymentReference', payment_reference, 'customerReference', customer_reference, 'createdAt', created_at, 'paidAt',
    paid_at, 'planExpiresAt', plan_expires_at, 'refundedAt', refunded_at, 'suspendedAt', suspended_at, 'keyClaimedAt',
    key_claimed_at, 'keyHash', key_hash, 'renewsHash', renews_hash, 'askedAt', asked_at) FROM old_orders;
  INSERT INTO payment_events (id, body, received_at, handled_at, order_id) SELECT id, json_object('id', id, 'effect', effect,
    'orderId', order_id, 'checkout', iif(checkout IS NULL, NULL, json_object('reference', checkout, 'currency', currency,
      'subtotal', subtotal, 'unpaid', unpaid)), 'payment', payment, 'customer', customer, 'at', at),
    received_at, handled_at, order_id FROM old_events;
  DROP TABLE audit_log;
  DROP TABLE key_usage;
  DROP TABLE pushes;
  DROP TABLE reservations;
  DROP TABLE key_pepper;
`;

/** Makes these tables of those of version 31. Renames a column, because each one that is dropped rewrites the whole table. */
export const fromVersion31 = `
  ALTER TABLE records RENAME COLUMN email TO secret;
  UPDATE records SET secret = json_object('email', secret, 'email_source', email_source)
    WHERE secret IS NOT NULL OR email_source IS NOT NULL;
  ALTER TABLE records DROP COLUMN email_source;
`;
