-- The tables that Masthead 1.1 wrote, made of this version's.
DROP TABLE keyed;
DROP TABLE meanings;
DROP TABLE payment_events;
DROP TABLE orders;
DROP TABLE api_keys;
CREATE TABLE api_keys (
  hash TEXT PRIMARY KEY,
  prefix TEXT NOT NULL,
  tier TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  email TEXT,
  order_id TEXT,
  created_at TEXT NOT NULL,
  revoked_at TEXT,
  secret_hash TEXT,
  retiring_hash TEXT,
  retiring_prefix TEXT,
  retiring_ends_at TEXT,
  renewals TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX api_keys_by_prefix ON api_keys (prefix);
CREATE INDEX api_keys_by_secret ON api_keys (secret_hash);
CREATE INDEX api_keys_by_retiring ON api_keys (retiring_hash);
CREATE TABLE orders (
  id TEXT PRIMARY KEY,
  status TEXT NOT NULL,
  tier TEXT NOT NULL,
  price INTEGER NOT NULL,
  currency TEXT NOT NULL,
  days INTEGER NOT NULL,
  email TEXT,
  checkout_url TEXT NOT NULL,
  checkout_reference TEXT NOT NULL,
  payment_reference TEXT,
  created_at TEXT NOT NULL,
  paid_at TEXT,
  plan_expires_at TEXT,
  refunded_at TEXT,
  suspended_at TEXT,
  key_claimed_at TEXT,
  key_hash TEXT REFERENCES api_keys,
  asked_at TEXT,
  renews_hash TEXT,
  customer_reference TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX orders_by_payment ON orders (payment_reference);
CREATE INDEX orders_by_checkout ON orders (checkout_reference);
CREATE TABLE payment_events (
  id TEXT PRIMARY KEY,
  effect TEXT NOT NULL,
  order_id TEXT,
  payment TEXT,
  at TEXT NOT NULL,
  received_at TEXT NOT NULL,
  handled_at TEXT,
  checkout TEXT,
  currency TEXT,
  subtotal INTEGER,
  unpaid INTEGER,
  customer TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX payment_events_held ON payment_events (payment) WHERE handled_at IS NULL;
CREATE INDEX payment_events_by_order ON payment_events (order_id);
CREATE INDEX payment_events_by_checkout ON payment_events (checkout) WHERE handled_at IS NULL;
CREATE TABLE key_usage (
  key_hash TEXT NOT NULL,
  date TEXT NOT NULL,
  requests INTEGER NOT NULL,
  exported_rows INTEGER NOT NULL,
  pushed_leads INTEGER NOT NULL,
  last_used_at TEXT NOT NULL,
  PRIMARY KEY (key_hash, date)
) STRICT, WITHOUT ROWID;
CREATE TABLE key_pepper (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  proof TEXT NOT NULL,
  since TEXT NOT NULL
) STRICT;
CREATE TABLE reservations (
  hash TEXT PRIMARY KEY,
  fingerprint TEXT NOT NULL,
  order_id TEXT NOT NULL,
  created_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE pushes (
  id TEXT PRIMARY KEY,
  key_hash TEXT NOT NULL,
  key_prefix TEXT NOT NULL,
  tool TEXT NOT NULL,
  campaign_id TEXT NOT NULL,
  status TEXT NOT NULL,
  counts TEXT NOT NULL,
  details TEXT NOT NULL,
  failure TEXT,
  started_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE audit_log (
  entry INTEGER PRIMARY KEY,
  at TEXT NOT NULL,
  operator TEXT NOT NULL,
  action TEXT NOT NULL,
  subject TEXT NOT NULL,
  outcome TEXT
) STRICT;
CREATE TABLE job_locks (
  job TEXT PRIMARY KEY,
  token TEXT NOT NULL,
  holder TEXT NOT NULL,
  since TEXT NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE missed_searches (query TEXT PRIMARY KEY, count INTEGER NOT NULL, last_at TEXT NOT NULL) STRICT, WITHOUT ROWID;
ALTER TABLE api_keys ADD COLUMN is_operator INTEGER NOT NULL DEFAULT 0;
DROP INDEX records_by_name;
ALTER TABLE records DROP COLUMN name_key;
ALTER TABLE search_index DROP COLUMN version;
ALTER TABLE search_index ADD COLUMN form TEXT;
ALTER TABLE search_index ADD COLUMN next_form TEXT;
UPDATE search_index SET form = 'a hash';
PRAGMA user_version = 21
