-- What a rebuild of the index makes again. schema.ts puts in what stands in braces: the columns of filters, orders and counts,
-- and the version of the index.

-- The values to sort, bound and count by. They change with `records` in the same transaction, and suppressed records have none.
-- `text_digest` is the digest of the matching row of search_text, null if not yet known.
CREATE TABLE IF NOT EXISTS documents (
  record INTEGER PRIMARY KEY REFERENCES records ON DELETE CASCADE,
  {documentColumns},
  text_digest TEXT
) STRICT;

-- What filters, orders and counts need of each contact of a document, and the digest of its row of contact_text. A contact
-- keeps its row while its rank is taken, so that rows stay few (index-entries.ts).
CREATE TABLE IF NOT EXISTS contacts (
  contact INTEGER PRIMARY KEY,
  record INTEGER NOT NULL REFERENCES documents ON DELETE CASCADE,
  {contactColumns},
  contact_digest TEXT NOT NULL,
  UNIQUE (record, rank)
) STRICT;

-- The edition of the last change in each block of documents and contacts (index-columns.ts).
CREATE TABLE IF NOT EXISTS document_blocks (block INTEGER PRIMARY KEY, edition INTEGER NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS contact_blocks (block INTEGER PRIMARY KEY, edition INTEGER NOT NULL) STRICT;

-- What records are about (search/meaning/embed.ts), and the edition of the index that each came with.
CREATE TABLE IF NOT EXISTS meanings (
  record INTEGER PRIMARY KEY REFERENCES documents ON DELETE CASCADE,
  meaning BLOB NOT NULL,
  edition INTEGER NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS meanings_by_edition ON meanings (edition);

-- Full text, folded and split by index-text.ts into the columns of IndexText. It contains no address.
-- Beginnings of one and two letters have lists of their own: of their words, nearly every record has one (row-sets.ts).
-- The first column takes two bytes a word less than others, so it is the one with most words.
CREATE VIRTUAL TABLE IF NOT EXISTS search_text USING fts5 (
  description, names, aliases, hosts, traits,
  content = '', contentless_delete = 1, prefix = '1 2',
  tokenize = "ascii tokenchars '._'"
);
INSERT INTO search_text (search_text, rank) VALUES ('automerge', 8), ('deletemerge', 0);
CREATE VIRTUAL TABLE IF NOT EXISTS search_terms USING fts5vocab (search_text, row);

-- The tokens of IndexText, which are only looked up whole: so no places within a text, and no lists of beginnings.
CREATE VIRTUAL TABLE IF NOT EXISTS search_tokens USING fts5 (
  tokens,
  content = '', contentless_delete = 1, detail = none,
  tokenize = "ascii tokenchars '._'"
);
INSERT INTO search_tokens (search_tokens, rank) VALUES ('automerge', 8), ('deletemerge', 0);
CREATE VIRTUAL TABLE IF NOT EXISTS search_token_terms USING fts5vocab (search_tokens, row);

-- The same of contacts.
CREATE VIRTUAL TABLE IF NOT EXISTS contact_text USING fts5 (
  people, title,
  content = '', contentless_delete = 1, prefix = '1 2',
  tokenize = "ascii tokenchars '._'"
);
INSERT INTO contact_text (contact_text, rank) VALUES ('automerge', 8), ('deletemerge', 0);
CREATE VIRTUAL TABLE IF NOT EXISTS contact_terms USING fts5vocab (contact_text, row);
CREATE VIRTUAL TABLE IF NOT EXISTS contact_tokens USING fts5 (
  tokens,
  content = '', contentless_delete = 1, detail = none,
  tokenize = "ascii tokenchars '._'"
);
INSERT INTO contact_tokens (contact_tokens, rank) VALUES ('automerge', 8), ('deletemerge', 0);
CREATE VIRTUAL TABLE IF NOT EXISTS contact_token_terms USING fts5vocab (contact_tokens, row);

-- One row: the indexVersion of documents and search_text (null: of an earlier way to tell), and the `edition`, another number
-- after every change of those tables.
CREATE TABLE IF NOT EXISTS search_index (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  version INTEGER,
  edition INTEGER NOT NULL DEFAULT 0
) STRICT;
INSERT INTO search_index (one, version) VALUES (1, {indexVersion});
