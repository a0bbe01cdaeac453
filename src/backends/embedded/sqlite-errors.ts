import { retold, withOutage } from '../with-outage.ts';

/**
 * PERM, BUSY, LOCKED, NOMEM, READONLY, INTERRUPT, IOERR, CORRUPT, FULL, CANTOPEN, PROTOCOL, SCHEMA, NOLFS, AUTH, NOTADB:
 * all other codes mean that the statement is wrong.
 */
const outageCodes = new Set([3, 5, 6, 7, 8, 9, 10, 11, 13, 14, 15, 17, 22, 23, 26]);

/** SQLite, or a thread that reads it, cannot work. `errcode` is SQLite's, if it had an error in another thread. */
export class SqliteAway extends Error {
  override readonly name = 'SqliteAway';
  readonly errcode: number | null;

  constructor(message: string, errcode: number | null = null) {
    super(message);
    this.errcode = errcode;
  }
}

/** What an operator has to mend. */
export type SqliteFault = 'full disk' | 'damage' | 'no write access' | 'failing disk';

const faults: Partial<Record<number, SqliteFault>> = {
  3: 'no write access',
  8: 'no write access',
  10: 'failing disk',
  11: 'damage',
  13: 'full disk',
  14: 'no write access',
  26: 'damage',
};
/** IOERR_SHMSIZE: the file that processes share beside the store could not grow. */
const noRoomForSharedFile = 4_874;

/** What is wrong with the file of the store or its disk; null for any other error, also one that passes by itself. */
export function faultOf(error: unknown): SqliteFault | null {
  if (!(error instanceof SqliteAway) && !isSqliteError(error)) return null;
  // Opening the store creates every table, so if one is missing the file is damaged.
  if (error.message.startsWith('no such table')) return 'damage';
  const errcode = Number(error.errcode);
  return errcode === noRoomForSharedFile ? 'full disk' : (faults[errcode & 0xff] ?? null);
}

/** Whether SQLite could not do the work, as opposed to a wrong statement. */
export function isOutage(error: unknown): boolean {
  if (error instanceof SqliteAway) return true;
  if (!(error instanceof Error) || !('code' in error)) return false;
  // A closed database. Node uses the same code for unknown statement parameters.
  if (error.code === 'ERR_INVALID_STATE') return /not open|finalized/.test(error.message);
  if (!isSqliteError(error)) return false;
  return outageCodes.has(Number(error.errcode) & 0xff) || faultOf(error) !== null;
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

const causes: Record<SqliteFault, string> = {
  'full disk': 'its disk is full',
  damage: 'its file is damaged',
  'no write access': 'its file cannot be opened or written',
  'failing disk': 'its disk fails',
};

function guard(code: 'store_unavailable' | 'search_unavailable', subject: string, wait: { retryAfter?: number } = {}) {
  const explain = (error: unknown) => {
    const fault = faultOf(error);
    return fault === null
      ? `The ${subject} is not available right now. Try again shortly.`
      : `The ${subject} cannot do this: ${causes[fault]}. The operator of the service has to act; nothing was changed by what failed.`;
  };
  return withOutage({ code, ...wait, explain, isOutage, describe: describeError }).run;
}

export const runOnStore = guard('store_unavailable', 'store');

export const runOnIndex = guard('search_unavailable', 'search index', { retryAfter: 1 });
