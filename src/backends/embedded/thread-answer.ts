import { describeError, isOutage, runOnIndex, SqliteAway } from './sqlite-errors.ts';

/** A thread's answer. Errors lose their code between threads, so the thread reports the kind. */
export type ThreadAnswer<Value> = { value: Value } | { outage: string } | { fault: unknown };

/** Runs in the thread: does the work and answers, even if it fails. */
export function answerFor<Value>(work: () => Value): ThreadAnswer<Value> {
  try {
    return { value: work() };
  } catch (error) {
    return isOutage(error) ? { outage: (error as Error).message } : { fault: describeError(error) };
  }
}

/**
 * Waits for a thread's answer. Throws Problem `search_unavailable` for an outage, including a dead thread, and the
 * thread's error otherwise.
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

/** The pool throws plain errors if a thread ends before it answers; our own errors have their own classes. */
function isThreadLost(error: unknown): error is Error {
  return error instanceof Error && error.constructor === Error;
}
