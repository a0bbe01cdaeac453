import { readFileSync } from 'node:fs';
import { indexVersion } from '#search/index-maintenance.ts';
import { contactColumnTypes, documentColumnTypes } from './record-row.ts';

/*
 * The tables of a new store, in two groups: what is stored, and the index, which can be made of it again. Stores of earlier
 * versions get the first step by step (store-migrations.ts), and the second anew.
 */
const storeTables = readFileSync(new URL('store-tables.sql', import.meta.url), 'utf8');

function columnList(types: Readonly<Record<string, string>>): string {
  return Object.entries(types)
    .map(([column, type]) => `${column} ${type}`)
    .join(',\n    ');
}

/**
 * What a rebuild of the index makes again.
 *
 * documents  the values to sort, bound and count by; changes with `records` in the same transaction; suppressed records
 *            have none; `text_digest` is the digest of the matching row of search_text, null if not yet known
 * contacts   what filters, orders and counts need of each contact of a document, and the digest of its row of contact_text; a
 *            contact keeps its row while its rank is taken, so that rows stay few (document-tables.ts)
 * document_blocks, contact_blocks the edition of the last change in each block of documents and contacts (index-columns.ts)
 * search_text     full text, folded and split by `index-text.ts` into the columns of IndexText; contains no address
 * contact_text    the same of contacts, by `index-text.ts`
 * meanings   what records are about (search/meaning/embed.ts), and the edition of the index that each came with
 * search_index    in one row: the indexVersion of documents and search_text (null: of an earlier way to tell), and the
 *            `edition`, another number after every change of those tables
 */
export const indexTables = `
  CREATE TABLE IF NOT EXISTS documents (
    record INTEGER PRIMARY KEY REFERENCES records ON DELETE CASCADE,
    ${columnList(documentColumnTypes)},
    text_digest TEXT
  ) STRICT;

  CREATE TABLE IF NOT EXISTS contacts (
    contact INTEGER PRIMARY KEY,
    record INTEGER NOT NULL REFERENCES documents ON DELETE CASCADE,
    ${columnList(contactColumnTypes)},
    contact_digest TEXT NOT NULL,
    UNIQUE (record, rank)
  ) STRICT;

  CREATE TABLE IF NOT EXISTS document_blocks (block INTEGER PRIMARY KEY, edition INTEGER NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS contact_blocks (block INTEGER PRIMARY KEY, edition INTEGER NOT NULL) STRICT;

  CREATE TABLE IF NOT EXISTS meanings (
    record INTEGER PRIMARY KEY REFERENCES documents ON DELETE CASCADE,
    meaning BLOB NOT NULL,
    edition INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS meanings_by_edition ON meanings (edition);

  CREATE VIRTUAL TABLE IF NOT EXISTS search_text USING fts5 (
    exact, names, aliases, hosts, concepts, traits, description,
    content = '', contentless_delete = 1,
    tokenize = "ascii tokenchars '._'"
  );
  INSERT INTO search_text (search_text, rank) VALUES ('automerge', 8), ('deletemerge', 0);
  CREATE VIRTUAL TABLE IF NOT EXISTS search_terms USING fts5vocab (search_text, row);

  CREATE VIRTUAL TABLE IF NOT EXISTS contact_text USING fts5 (
    exact, people, title, concepts,
    content = '', contentless_delete = 1,
    tokenize = "ascii tokenchars '._'"
  );
  INSERT INTO contact_text (contact_text, rank) VALUES ('automerge', 8), ('deletemerge', 0);
  CREATE VIRTUAL TABLE IF NOT EXISTS contact_terms USING fts5vocab (contact_text, row);

  CREATE TABLE IF NOT EXISTS search_index (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    version INTEGER,
    edition INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  INSERT INTO search_index (one, version) VALUES (1, ${indexVersion});
`;

export const tables = `${storeTables}${indexTables}`;
