import { describeError, isOutage, runOnIndex, SqliteAway } from './sqlite-errors.ts';

/** What a thread answers. On the way between threads an error loses its code, so the thread says what kind it is. */
export type ThreadAnswer<Value> = { value: Value } | { outage: string } | { fault: unknown };

/** Runs in the thread: does the work and answers, also where it fails. */
export function answerFor<Value>(work: () => Value): ThreadAnswer<Value> {
  try {
    return { value: work() };
  } catch (error) {
    return isOutage(error) ? { outage: (error as Error).message } : { fault: describeError(error) };
  }
}

/**
 * Waits for what a thread answers. Throws Problem `search_unavailable` for an outage, also where the thread itself is
 * lost, and the error of the thread for any other.
 */
export function readAnswer<Value>(ask: () => Promise<ThreadAnswer<Value>>): Promise<Value> {
  return runOnIndex(async () => {
    const answer = await ask().catch((error: unknown) => {
      throw isThreadLost(error) ? new SqliteAway(`a thread died: ${error.message}`) : error;
    });
    if ('value' in answer) return answer.value;
    throw 'outage' in answer ? new SqliteAway(answer.outage) : answer.fault;
  });
}

/** A pool throws plain errors where a thread ends before it has answered; faults of ours have classes of their own. */
function isThreadLost(error: unknown): error is Error {
  return error instanceof Error && error.constructor === Error;
}
