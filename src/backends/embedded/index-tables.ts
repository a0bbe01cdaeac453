import type { DatabaseSync, StatementSync } from 'node:sqlite';

/** The names of the tables that search reads, of one generation. */
export interface TableSet {
  documents: string;
  lists: string;
  text: string;
}

/** What search reads. */
export const servedTables: TableSet = { documents: 'documents', lists: 'document_lists', text: 'search_text' };
/** What a rebuild fills beside them. */
export const nextTables: TableSet = {
  documents: 'documents_next',
  lists: 'document_lists_next',
  text: 'search_text_next',
};

const tableName = /\b(documents|document_lists|search_text)\b/g;
/** Indexes cannot be renamed with their table: those of two sets beside each other take turns with this ending. */
const otherEnding = '_2';
const indexName = new RegExp(`^(CREATE (?:UNIQUE )?INDEX )"?(\\w+?)(${otherEnding})?"? ON `);

/** The two sets of tables in the schema of a store. Its methods belong into a transaction that writes. */
export class IndexTables {
  readonly #database: DatabaseSync;
  readonly #selectNext: StatementSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
    this.#selectNext = database.prepare('SELECT 1 FROM index_generations WHERE NOT is_served');
  }

  /** Whether a rebuild is under way, or was cut off. */
  hasNext(): boolean {
    return this.#selectNext.get() !== undefined;
  }

  /** Makes the next set, empty, with the columns and indexes that the searched one has. */
  makeNext(): void {
    const parts = this.#database
      .prepare(
        `SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND tbl_name IN ('documents', 'document_lists', 'search_text')
         ORDER BY type = 'index', name = 'document_lists'`,
      )
      .all();
    for (const { sql } of parts) {
      const renamed = String(sql).replaceAll(tableName, '$1_next');
      this.#database.exec(
        renamed.replace(indexName, (_, create, name, ending) => `${create}${name}${ending ? '' : otherEnding} ON `),
      );
    }
    this.#database.exec(`INSERT INTO ${nextTables.text} (${nextTables.text}, rank) VALUES ('automerge', 8)`);
  }

  dropNext(): void {
    this.#drop(nextTables);
  }

  /** Puts the next set in the place of the searched one. */
  swap(): void {
    this.#drop(servedTables);
    for (const part of ['documents', 'lists', 'text'] as const) {
      this.#database.exec(`ALTER TABLE ${nextTables[part]} RENAME TO ${servedTables[part]}`);
    }
  }

  /** Lists first: a table that others refer to is emptied row by row before it is dropped. */
  #drop({ documents, lists, text }: TableSet): void {
    for (const table of [lists, documents, text]) this.#database.exec(`DROP TABLE IF EXISTS ${table}`);
  }
}
