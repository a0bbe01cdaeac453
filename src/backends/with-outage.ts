import { Problem } from '#domain/problem.ts';

/** How the outages of an engine are told from faults of ours. */
export interface EngineErrors {
  /** The problem that callers are answered during an outage. */
  code: 'search_unavailable' | 'store_unavailable';
  /** Seconds after which callers may try again. */
  retryAfter: number;
  /** What callers are told of an outage. Quotes nothing of the engine. */
  explain(error: unknown): string;
  /** Whether the engine cannot work at the moment, whatever is asked of it. */
  isOutage(error: unknown): boolean;
  /** The error as the log may have it: what an engine says may quote a query, a document or an address. */
  describe(error: unknown): unknown;
}

export interface EngineGuard {
  /**
   * Does work on the engine. An outage becomes the engine's Problem (503). Whatever else is thrown is a fault of ours,
   * such as a TypeError or a query that the engine does not understand: it is passed on, is answered as `internal` (500)
   * and is logged as an error.
   */
  run<Result>(work: () => Result | Promise<Result>): Promise<Result>;
  /** The Problem of an outage that is known by other signs than an error of the engine. */
  unavailable(cause: unknown): Problem;
}

/** The one place where errors of engines become answers. */
export function withOutage({ code, retryAfter, explain, isOutage, describe }: EngineErrors): EngineGuard {
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

/** An error that says something else, from the same place in the code. */
export function retold(error: Error, message: string): Error {
  const retelling = new Error(message);
  const frames = error.stack?.split('\n').filter((line) => /^\s+at /.test(line)) ?? [];
  retelling.stack = [`Error: ${message}`, ...frames].join('\n');
  return retelling;
}
