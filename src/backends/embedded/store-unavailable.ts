import { Problem } from '#domain/problem.ts';

/** SQLITE_CONSTRAINT, the primary result code of a row that the tables do not allow. */
const constraint = 19;

/** Does work on the store. What SQLite cannot do for want of the file, the disk or a lock is `store_unavailable`. */
export async function askStore<Result>(work: () => Result): Promise<Result> {
  try {
    return work();
  } catch (error) {
    if (!isOutage(error)) throw error;
    throw new Problem(
      'store_unavailable',
      'The store cannot be read or written at the moment. Try again shortly.',
      {},
      { cause: error },
    );
  }
}

/** Whether it is SQLite that could not do it, and not what was asked of it that was wrong. */
export function isOutage(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false;
  if (error.code === 'ERR_INVALID_STATE') return true;
  return error.code === 'ERR_SQLITE_ERROR' && 'errcode' in error && (Number(error.errcode) & 0xff) !== constraint;
}
