import { retold, withOutage } from '../with-outage.ts';

/**
 * PERM, BUSY, LOCKED, NOMEM, READONLY, INTERRUPT, IOERR, CORRUPT, FULL, CANTOPEN, PROTOCOL, SCHEMA, NOLFS, AUTH, NOTADB:
 * all other codes mean that the statement is wrong.
 */
const outageCodes = new Set([3, 5, 6, 7, 8, 9, 10, 11, 13, 14, 15, 17, 22, 23, 26]);

/** SQLite, or a thread that reads it, cannot work, detected without an SQLite error. */
export class SqliteAway extends Error {
  override readonly name = 'SqliteAway';
}

/** Whether SQLite could not do the work, as opposed to a wrong statement. */
export function isOutage(error: unknown): boolean {
  if (error instanceof SqliteAway) return true;
  if (!(error instanceof Error) || !('code' in error)) return false;
  // A closed database. Node uses the same code for unknown statement parameters.
  if (error.code === 'ERR_INVALID_STATE') return /not open|finalized/.test(error.message);
  if (!isSqliteError(error)) return false;
  // Opening the store creates every table, so if one is missing the file is incomplete.
  return outageCodes.has(Number(error.errcode) & 0xff) || error.message.startsWith('no such table');
}

/** The error for the log: SQLite's messages may quote what somebody typed. */
export function describeError(error: unknown): unknown {
  if (!isSqliteError(error) || isOutage(error)) return error;
  return retold(error, `SQLite: ${error.message.replace(/".*"/s, '"…"')}`);
}

/** Whether another connection holds the lock (BUSY). */
export function isBusy(error: unknown): boolean {
  return isSqliteError(error) && (Number(error.errcode) & 0xff) === 5;
}

export function isSqliteError(error: unknown): error is Error & { errcode: unknown } {
  return error instanceof Error && 'code' in error && error.code === 'ERR_SQLITE_ERROR' && 'errcode' in error;
}

function guard(code: 'store_unavailable' | 'search_unavailable', what: string, retryAfter: number) {
  const explain = () => `The ${what} is not available right now. Try again shortly.`;
  return withOutage({ code, retryAfter, explain, isOutage, describe: describeError }).run;
}

export const runOnStore = guard('store_unavailable', 'store', 5);

export const runOnIndex = guard('search_unavailable', 'search index', 1);
