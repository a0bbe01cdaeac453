import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { fromSnakeCase } from '../stores.ts';
import { transact } from './database.ts';
import { runOnStore } from './sqlite-errors.ts';

/** Columns are properties in snake case. While SQLite cannot work, methods fail with Problem `store_unavailable`. */
export abstract class SqliteStore {
  protected readonly database: DatabaseSync;

  constructor(database: DatabaseSync) {
    this.database = database;
  }

  protected all<Value>(sql: string, ...values: SQLInputValue[]): Promise<Value[]> {
    return runOnStore(() => selectAll<Value>(this.database, sql, ...values));
  }

  protected async first<Value>(sql: string, ...values: SQLInputValue[]): Promise<Value | null> {
    return (await this.all<Value>(sql, ...values))[0] ?? null;
  }

  /** Returns how many rows the statement changed. */
  protected run(sql: string, ...values: SQLInputValue[]): Promise<number> {
    return runOnStore(() => Number(this.database.prepare(sql).run(...values).changes));
  }

  protected transact<Result>(work: () => Result): Promise<Result> {
    return runOnStore(() => transact(this.database, work));
  }
}

export function selectAll<Value>(database: DatabaseSync, sql: string, ...values: SQLInputValue[]): Value[] {
  return database
    .prepare(sql)
    .all(...values)
    .map((row) => fromSnakeCase<Value>(row));
}

/** The statement that writes a row, with the values in the order of the columns. */
export function insertion(table: string, columns: readonly string[]): string {
  return `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`;
}

export function countRows(
  database: DatabaseSync,
  table: 'records' | 'documents' | 'contacts' | 'suppressions' | 'dead_letters',
): number {
  return Number(database.prepare(`SELECT count(*) AS count FROM ${table}`).get()?.count);
}
