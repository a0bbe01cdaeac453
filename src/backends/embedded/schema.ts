import { indexVersion } from '#search/index-maintenance.ts';
import { documentColumnTypes } from './record-row.ts';

/** The number of the form of the tables, in `PRAGMA user_version`; each change of the tables adds a step below. */
export const schemaVersion = 25;

/** The form that Masthead 1.1 wrote, the oldest that is read. */
export const oldestVersion = 21;

/** What 1.2 keeps for people. */
const ofPeople = `
  CREATE TABLE media_lists (
    id TEXT PRIMARY KEY,
    account TEXT NOT NULL,
    name TEXT NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    version INTEGER NOT NULL,
    entries TEXT NOT NULL
  ) STRICT;
  CREATE INDEX media_lists_by_account ON media_lists (account, name);

  CREATE TABLE sessions (
    hash TEXT PRIMARY KEY,
    id TEXT NOT NULL,
    account TEXT NOT NULL,
    secret TEXT NOT NULL,
    browser TEXT NOT NULL,
    created_at TEXT NOT NULL,
    expires_at TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX sessions_by_account ON sessions (account, created_at);
  CREATE INDEX sessions_by_end ON sessions (expires_at);
`;

/**
 * The tables.
 *
 * records    the source: each record as JSON with the mask instead of its address, and the address in its own column,
 *            so a masked answer never reads it; `row_digest` is the digest of the imported row that left it as it is, null
 *            if it changed in another way since; `name_key` finds records of one kind and name (see identity.ts)
 * documents  the values to filter, count and sort by; changes with `records` in the same transaction; suppressed records
 *            have none; `text_digest` is the digest of the matching row of search_text, null if not yet known
 * document_lists  the values of list fields
 * search_text     full text, folded and split by `index-text.ts`; contains no address
 * search_index    in one row: the indexVersion of documents, document_lists and search_text (null: of an earlier way to tell)
 *            and, during a rebuild to another one, that one and the last row of records that has it; `edition` is another
 *            number after every change of those tables
 * dead_letters    records that cannot be indexed, and why
 * merged_ids ids of records that were merged into others, which they lead to
 * suppressions    what stays hidden, by keys without addresses; suppressed records have no documents
 * change_sets     runs of commands that changed records: who, when, which files, and their counts
 * changes    what a change set did to a record, as JSON (RecordChange): one row for each set and record; `at` in milliseconds
 * api_keys   keys by their HMAC
 * key_usage  what was done with each key, by day
 * key_pepper the proof of the pepper that made the keys and orders, in one row
 * orders     purchases of plans
 * payment_events  events of the payment provider, by its ids; without `handled_at` those that match no order so far
 * pushes     what was sent to outbound tools, by whom, and the result; no tool's key, no address
 * reservations    what an Idempotency-Key stands for, by its HMAC
 * media_lists     the lists of accounts, each with its records as JSON (ListEntry)
 * sessions   browsers that are signed in, by the hash of their cookie
 * audit_log  operator actions, and the outcome of work on records and their index
 * job_locks  jobs that only one process at a time may do; times in milliseconds
 */
export const tables = `
  CREATE TABLE records (
    record INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    body TEXT NOT NULL,
    email TEXT,
    email_source TEXT,
    row_digest TEXT,
    name_key INTEGER
  ) STRICT;
  CREATE INDEX records_by_name ON records (name_key);
  CREATE TRIGGER records_changed AFTER UPDATE OF id, body, email, email_source ON records
    WHEN NEW.row_digest IS NOT NULL AND NEW.row_digest = OLD.row_digest
  BEGIN
    UPDATE records SET row_digest = NULL WHERE record = NEW.record;
  END;

  CREATE TABLE documents (
    record INTEGER PRIMARY KEY REFERENCES records ON DELETE CASCADE,
    ${Object.entries(documentColumnTypes)
      .map(([column, type]) => `${column} ${type}`)
      .join(',\n    ')},
    text_digest TEXT
  ) STRICT;
  CREATE INDEX documents_by_audience ON documents (audience DESC, name_key, id);
  CREATE INDEX documents_by_name ON documents (name_key, id);
  CREATE INDEX documents_by_update ON documents (updated_at DESC, id);
  CREATE INDEX documents_by_country ON documents (country, region);
  CREATE INDEX documents_by_city ON documents (city);
  CREATE INDEX documents_by_id ON documents (id);

  CREATE TABLE document_lists (
    field TEXT NOT NULL,
    value TEXT NOT NULL,
    record INTEGER NOT NULL REFERENCES documents ON DELETE CASCADE,
    PRIMARY KEY (field, value, record)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX document_lists_by_record ON document_lists (record);

  CREATE VIRTUAL TABLE search_text USING fts5 (
    exact, names, aliases, hosts, concepts, place, description,
    content = '', contentless_delete = 1,
    tokenize = "ascii tokenchars '._'",
    prefix = '1 2'
  );
  INSERT INTO search_text (search_text, rank) VALUES ('automerge', 8), ('deletemerge', 0);
  CREATE VIRTUAL TABLE search_terms USING fts5vocab (search_text, row);

  CREATE TABLE search_index (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    version INTEGER,
    next_version INTEGER,
    renewed_to INTEGER,
    edition INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  INSERT INTO search_index (one, version) VALUES (1, ${indexVersion});

  CREATE TABLE dead_letters (
    id TEXT PRIMARY KEY,
    reason TEXT NOT NULL,
    at TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE merged_ids (
    id TEXT PRIMARY KEY,
    kept_id TEXT NOT NULL,
    change_set TEXT NOT NULL,
    merged_at TEXT NOT NULL
  ) STRICT;
  CREATE INDEX merged_ids_by_kept ON merged_ids (kept_id);

  CREATE TABLE suppressions (
    key TEXT PRIMARY KEY,
    reason TEXT,
    added_at TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX suppressions_by_time ON suppressions (added_at);

  CREATE TABLE change_sets (
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
  CREATE INDEX change_sets_by_undone ON change_sets (undoes) WHERE undoes IS NOT NULL;

  CREATE TABLE changes (
    change INTEGER PRIMARY KEY,
    change_set INTEGER NOT NULL,
    record_id TEXT NOT NULL,
    at INTEGER NOT NULL,
    body TEXT NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX changes_by_record ON changes (record_id, change_set);
  CREATE INDEX changes_by_set ON changes (change_set);

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

  CREATE TABLE reservations (
    hash TEXT PRIMARY KEY,
    fingerprint TEXT NOT NULL,
    order_id TEXT NOT NULL,
    created_at TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX reservations_by_time ON reservations (created_at);

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
  CREATE INDEX pushes_by_start ON pushes (started_at, id);

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
${ofPeople}`;

/**
 * From oldestVersion on, the step from each version to the next. Where one changes the tables of the index beyond a column
 * of `documents` (those are added by themselves), it empties them and sets `search_index.version` to null, so they are
 * filled again. `name_key_of(kind, name)` is the key of identity.ts.
 */
export const steps: readonly string[] = [
  `
  DROP TABLE missed_searches;
  ALTER TABLE api_keys DROP COLUMN is_operator;
  `,
  `
  ALTER TABLE records ADD COLUMN name_key INTEGER;
  CREATE INDEX records_by_name ON records (name_key);
  UPDATE records SET name_key = name_key_of(body ->> 'kind', body ->> 'name') WHERE json_valid(body);
  `,
  `
  ALTER TABLE search_index DROP COLUMN form;
  ALTER TABLE search_index DROP COLUMN next_form;
  ALTER TABLE search_index ADD COLUMN version INTEGER;
  ALTER TABLE search_index ADD COLUMN next_version INTEGER;
  UPDATE search_index SET renewed_to = NULL;
  `,
  ofPeople,
];
