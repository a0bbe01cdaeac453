import { Problem } from '#src/problem.ts';

interface EngineErrors {
  /** The problem that callers get during an outage. */
  code: 'search_unavailable' | 'store_unavailable';
  /** Seconds after which callers may try again; 5 if absent. */
  retryAfter?: number;
  /** What callers are told about an outage. Quotes nothing from the engine. */
  explain(error: unknown): string;
  /** Whether the engine cannot work at the moment, whatever it is asked. */
  isOutage(error: unknown): boolean;
  /** The error for the log: an engine's message may quote a query, a document or an address. */
  describe(error: unknown): unknown;
}

interface EngineGuard {
  /** An outage becomes the engine's Problem (503); any other exception is our own error: `internal`, and logged. */
  run<Result>(work: () => Result | Promise<Result>): Promise<Result>;
  /** The Problem of an outage detected without an error of the engine. */
  unavailable(cause: unknown): Problem;
}

/** The one place that turns engine errors into answers. */
export function withOutage({ code, retryAfter = 5, explain, isOutage, describe }: EngineErrors): EngineGuard {
  const headers = { 'Retry-After': String(retryAfter) };
  const unavailable = (error: unknown) => new Problem(code, explain(error), { headers }, { cause: describe(error) });
  return {
    unavailable,
    async run(work) {
      try {
        return await work();
      } catch (error) {
        if (error instanceof Problem) throw error;
        throw isOutage(error) ? unavailable(error) : describe(error);
      }
    },
  };
}

/** The problem that the work fails with; null if it does not. */
export async function findOutage(work: () => Promise<unknown>): Promise<Problem | null> {
  try {
    await work();
    return null;
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
}

export async function isAvailable(work: () => Promise<unknown>): Promise<boolean> {
  return (await findOutage(work)) === null;
}

/** An error with another message, from the same place in the code. */
export function retold(error: Error, message: string): Error {
  const retelling = new Error(message);
  const frames = error.stack?.split('\n').filter((line) => /^\s+at /.test(line)) ?? [];
  retelling.stack = [`Error: ${message}`, ...frames].join('\n');
  return retelling;
}
