-- What is stored, as opposed to the index, which can be made of it again (schema.ts).

-- The source: each record as JSON with the mask instead of its addresses, and its secret (records/masking.ts) as JSON in a
-- column of its own, so that a masked answer never reads it. `name_key` finds records of one kind and name (records/identity.ts).
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

-- What GET /changes reads: for each record when it was last shown otherwise, by rising versions. `shown_at` is the `updated_at`
-- that answers show, `kind` is null for what is gone, `left_kinds` has the version at which it left each kind. `noted_at` is in
-- milliseconds, and `leads_to` the id of the record that it was merged into.
CREATE TABLE IF NOT EXISTS change_feed (
  version INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  kind TEXT,
  shown_at TEXT,
  leads_to TEXT,
  left_kinds TEXT,
  noted_at INTEGER NOT NULL
) STRICT;

-- What stays hidden, by keys without addresses and names, and the key that one follows from. Suppressed records are
-- in no index; suppressed contacts are only in the secret.
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

-- What a change set did to a record, as JSON (RecordChange): one row for each set and record. `at` is in milliseconds.
CREATE TABLE IF NOT EXISTS changes (
  change INTEGER PRIMARY KEY,
  change_set INTEGER NOT NULL,
  record_id TEXT NOT NULL,
  at INTEGER NOT NULL,
  body TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX IF NOT EXISTS changes_by_record ON changes (record_id, change_set);
CREATE INDEX IF NOT EXISTS changes_by_set ON changes (change_set);

-- Everything that is kept under a key (records/keyed-store.ts): the audit log, pushes, the use of keys, lists, sessions, leases.
-- `expires_at` is in milliseconds.
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

-- Keys by their HMAC, as JSON with columns that are read from it. So are orders and events.
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

-- Events of the payment provider, by its ids. Those without `handled_at` match no order so far.
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
