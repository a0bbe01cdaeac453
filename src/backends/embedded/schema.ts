/**
 * The tables, one migration a version (`PRAGMA user_version`); a migration that has been released is never changed.
 *
 * records    the truth: each record as JSON with its address taken out (the mask stands there), the address beside it,
 *            so that a masked answer never touches it
 * documents  what records are filtered, counted and sorted by; follows `records` in the same transaction
 * document_lists  the values of list fields
 * search_text     full text, already folded and split by `index-text.ts`; holds no address
 * api_keys   keys by their HMAC
 */
export const migrations: readonly string[] = [
  `
  CREATE TABLE records (
    record INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    body TEXT NOT NULL,
    email TEXT,
    email_source TEXT
  ) STRICT;

  CREATE TABLE documents (
    record INTEGER PRIMARY KEY REFERENCES records ON DELETE CASCADE,
    id TEXT NOT NULL,
    name_key TEXT NOT NULL,
    audience INTEGER,
    updated_at TEXT NOT NULL,
    has_contact_name INTEGER NOT NULL,
    has_email INTEGER NOT NULL,
    kind TEXT,
    language TEXT,
    continent TEXT,
    country TEXT,
    region TEXT,
    city TEXT,
    city_size TEXT,
    type TEXT,
    coverage TEXT,
    email_status TEXT
  ) STRICT;
  CREATE INDEX documents_by_audience ON documents (audience DESC, name_key, id);
  CREATE INDEX documents_by_name ON documents (name_key, id);
  CREATE INDEX documents_by_update ON documents (updated_at DESC, id);
  CREATE INDEX documents_by_country ON documents (country, region);
  CREATE INDEX documents_by_city ON documents (city);

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
  INSERT INTO search_text (search_text, rank) VALUES ('automerge', 8);
  CREATE VIRTUAL TABLE search_terms USING fts5vocab (search_text, row);

  CREATE TABLE api_keys (
    hash TEXT PRIMARY KEY,
    prefix TEXT NOT NULL,
    tier TEXT NOT NULL,
    expires_at TEXT NOT NULL,
    email TEXT,
    order_id TEXT,
    created_at TEXT NOT NULL,
    revoked_at TEXT
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX api_keys_by_prefix ON api_keys (prefix);
  `,
];
