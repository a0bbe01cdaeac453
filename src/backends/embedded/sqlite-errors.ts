import { retold, withOutage } from '#backends/with-outage.ts';

/**
 * Primary result codes of SQLite for a file, a disk or a lock that does not allow the work: PERM, BUSY, LOCKED, NOMEM,
 * READONLY, INTERRUPT, IOERR, CORRUPT, FULL, CANTOPEN, PROTOCOL, SCHEMA, NOLFS, AUTH, NOTADB. The others say that what
 * was asked is wrong.
 */
const outageCodes = new Set([3, 5, 6, 7, 8, 9, 10, 11, 13, 14, 15, 17, 22, 23, 26]);

/** SQLite, or a thread that reads it, cannot work, as is known by other signs than an error of SQLite. */
export class SqliteAway extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'SqliteAway';
  }
}

/** Whether it is SQLite that could not do it, and not what was asked of it that was wrong. */
export function isOutage(error: unknown): boolean {
  if (error instanceof SqliteAway) return true;
  if (!(error instanceof Error) || !('code' in error)) return false;
  // Of a database that was closed. Node has the same code for parameters that a statement does not know.
  if (error.code === 'ERR_INVALID_STATE') return /not open|finalized/.test(error.message);
  if (!isSqliteError(error)) return false;
  // Every table that is asked for was made when the store was opened: without it the file is not whole.
  return outageCodes.has(Number(error.errcode) & 0xff) || error.message.startsWith('no such table');
}

/** Whether SQLite found tables damaged (CORRUPT), or at odds with each other (CONSTRAINT). */
export function isDamaged(error: unknown): boolean {
  return isSqliteError(error) && [11, 19].includes(Number(error.errcode) & 0xff);
}

/** The error as the log may have it: what is quoted in a message of SQLite may be what somebody typed. */
export function describeError(error: unknown): unknown {
  if (!isSqliteError(error) || isOutage(error)) return error;
  return retold(error, `SQLite: ${error.message.replace(/".*"/s, '"…"')}`);
}

function isSqliteError(error: unknown): error is Error & { errcode: unknown } {
  return error instanceof Error && 'code' in error && error.code === 'ERR_SQLITE_ERROR' && 'errcode' in error;
}

/** Does work on the tables of the store. */
export const { run: runOnStore } = withOutage({
  code: 'store_unavailable',
  retryAfter: 5,
  explain: () => 'The store is not available right now. Try again shortly.',
  isOutage,
  describe: describeError,
});

/** Does work on the tables that are searched. */
export const { run: runOnIndex } = withOutage({
  code: 'search_unavailable',
  retryAfter: 1,
  explain: () => 'The search index is not available right now. Try again shortly.',
  isOutage,
  describe: describeError,
});
