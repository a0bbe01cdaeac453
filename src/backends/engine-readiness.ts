import { setTimeout as wait } from 'node:timers/promises';
import { StartupError } from '#src/problem.ts';

/** An engine does not answer, for the reason in the message; it may come back by itself. */
export class EngineDown extends Error {
  override readonly name = 'EngineDown';
}

const retryMs = 1_000;

export const connectionFaults: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection closed',
  EHOSTUNREACH: 'host unreachable',
  EAI_AGAIN: 'DNS does not answer',
};

interface EngineOptions {
  name: string;
  /** Connects, checks and prepares the engine; can be repeated. Fails with EngineDown or StartupError. */
  prepare: () => Promise<void>;
  /** Ends its connections: if it cannot be used, and when it is closed. */
  disconnect: () => Promise<void>;
  logLine: (line: string) => void;
}

/** An engine that is ready, or will be as soon as it comes up. */
export interface StartedEngine {
  /** Resolves when the engine is up, checked and prepared, or when it is closed. */
  whenPrepared(): Promise<void>;
  close(): Promise<void>;
}

/** Tries once; if the engine is down, logs that, returns and keeps trying. StartupError if waiting would not help. */
export async function startEngine({ name, prepare, disconnect, logLine }: EngineOptions): Promise<StartedEngine> {
  const closing = new AbortController();
  const { signal } = closing;
  const keepTrying = async (reason: string): Promise<void> => {
    let lastReason = reason;
    while (!signal.aborted) {
      try {
        await wait(retryMs, undefined, { signal });
        await prepare();
        logLine(`${name} is ready`);
        return;
      } catch (error) {
        // An error that would have stopped the start is only logged: an operator may still fix it.
        const { message } = error as Error;
        if (!signal.aborted && message !== lastReason)
          logLine(error instanceof StartupError ? message : `${message}; waiting`);
        lastReason = message;
      }
    }
  };
  let waiting: Promise<void> = Promise.resolve();
  try {
    await prepare();
  } catch (error) {
    if (!(error instanceof EngineDown)) {
      await disconnect();
      throw error;
    }
    logLine(`${error.message}; waiting`);
    waiting = keepTrying(error.message);
  }
  return {
    whenPrepared: () => waiting,
    async close() {
      closing.abort();
      await waiting;
      await disconnect();
    },
  };
}
