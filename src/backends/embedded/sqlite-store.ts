import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { fromSnakeCase, toSnakeCase } from '../stored-form.ts';
import { transact } from './database.ts';
import { runOnStore } from './sqlite-errors.ts';

/**
 * What is stored in tables of the embedded store. Columns are properties in snake case, and have the types of those: the
 * tables are STRICT. While SQLite cannot work, methods fail with Problem `store_unavailable`.
 */
export abstract class SqliteStore {
  protected readonly database: DatabaseSync;

  constructor(database: DatabaseSync) {
    this.database = database;
  }

  protected all<Value>(sql: string, ...values: SQLInputValue[]): Promise<Value[]> {
    return runOnStore(() => selectAll<Value>(this.database, sql, ...values));
  }

  /** The first row; null if there is none. */
  protected async first<Value>(sql: string, ...values: SQLInputValue[]): Promise<Value | null> {
    return (await this.all<Value>(sql, ...values))[0] ?? null;
  }

  /** Does work that only reads, or writes once. */
  protected guard<Result>(work: () => Result): Promise<Result> {
    return runOnStore(work);
  }

  /** Returns how many rows the statement changed. */
  protected run(sql: string, ...values: SQLInputValue[]): Promise<number> {
    return runOnStore(() => Number(this.database.prepare(sql).run(...values).changes));
  }

  protected async insert(table: string, value: object, verb?: Verb): Promise<void> {
    await runOnStore(() => insertInto(this.database, table, value, verb));
  }

  /** Does the work in one transaction. */
  protected transact<Result>(work: () => Result): Promise<Result> {
    return runOnStore(() => transact(this.database, work));
  }
}

/** The rows of a query as objects. */
export function selectAll<Value>(database: DatabaseSync, sql: string, ...values: SQLInputValue[]): Value[] {
  return database
    .prepare(sql)
    .all(...values)
    .map((row) => fromSnakeCase<Value>(row));
}

type Verb = 'INSERT' | 'REPLACE';

/** Writes an object as a row. */
export function insertInto(database: DatabaseSync, table: string, value: object, verb?: Verb): void {
  const row = toRow(value);
  database.prepare(insertion(table, Object.keys(row), verb)).run(row);
}

/**
 * Writes objects with the same properties as rows, and returns how many rows that changed. `onConflict` says what becomes
 * of those whose key the table already has. `INSERT OR IGNORE` would also drop a row that lacks a value, without an error.
 */
export function insertAll(
  database: DatabaseSync,
  table: string,
  values: readonly object[],
  onConflict = 'DO NOTHING',
): number {
  const rows = values.map(toRow);
  const [first] = rows;
  if (first === undefined) return 0;
  const insert = database.prepare(`${insertion(table, Object.keys(first))} ON CONFLICT ${onConflict}`);
  return rows.reduce((sum, row) => sum + Number(insert.run(row).changes), 0);
}

/** The columns of an object, by name. */
function toRow(value: object): Record<string, SQLInputValue> {
  return toSnakeCase(value) as Record<string, SQLInputValue>;
}

/** The statement that writes a row; the parameters are called like the columns. */
export function insertion(table: string, columns: readonly string[], verb: Verb = 'INSERT'): string {
  return `${verb} INTO ${table} (${columns.join(', ')}) VALUES (${columns.map((column) => `:${column}`).join(', ')})`;
}

/** The same with the values in the order of the columns, which bind several times as fast as names. */
export function insertionInOrder(table: string, columns: readonly string[]): string {
  return `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`;
}

export function countRows(
  database: DatabaseSync,
  table: 'records' | 'documents' | 'suppressions' | 'dead_letters',
): number {
  return Number(database.prepare(`SELECT count(*) AS count FROM ${table}`).get()?.count);
}
