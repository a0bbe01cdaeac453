import { setTimeout as wait } from 'node:timers/promises';
import { StartupError } from '#src/problem.ts';

/** An engine does not answer, for the reason in the message; it may come back by itself. */
export class EngineDown extends Error {
  override readonly name = 'EngineDown';
}

/** Pause between two attempts, in milliseconds. */
const retryMs = 1_000;

/** What a system error of a connection means. */
export const connectionFaults: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection closed',
  EHOSTUNREACH: 'host unreachable',
  EAI_AGAIN: 'DNS does not answer',
};

interface EngineReadinessOptions {
  name: string;
  /** Connects, checks and prepares the engine; can be repeated. Fails with EngineDown or StartupError. */
  prepare: () => Promise<void>;
  /** Ends its connections: if it cannot be used, and when this is closed. */
  disconnect: () => Promise<void>;
  logLine: (line: string) => void;
}

/** Gets an engine ready: at once if it is up, otherwise as soon as it comes up. */
export class EngineReadiness {
  readonly #options: EngineReadinessOptions;
  readonly #closing = new AbortController();
  #waiting: Promise<void> = Promise.resolve();

  private constructor(options: EngineReadinessOptions) {
    this.#options = options;
  }

  /**
   * Tries once. If the engine is down, it logs that, returns anyway, and keeps trying. Throws StartupError if waiting
   * would not help.
   */
  static async start(options: EngineReadinessOptions): Promise<EngineReadiness> {
    const readiness = new EngineReadiness(options);
    try {
      await options.prepare();
    } catch (error) {
      if (!(error instanceof EngineDown)) {
        await options.disconnect();
        throw error;
      }
      options.logLine(`${error.message}; waiting`);
      readiness.#waiting = readiness.#keepTrying(error.message);
    }
    return readiness;
  }

  /** Resolves when the engine is ready, or when this is closed. */
  whenReady(): Promise<void> {
    return this.#waiting;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#waiting;
    await this.#options.disconnect();
  }

  async #keepTrying(reason: string): Promise<void> {
    const { name, prepare, logLine } = this.#options;
    const { signal } = this.#closing;
    let said = reason;
    while (!signal.aborted) {
      try {
        await wait(retryMs, undefined, { signal });
        await prepare();
        logLine(`${name} is ready`);
        return;
      } catch (error) {
        // An error that would have stopped the start is only logged: the process is serving, and an operator may still
        // fix it.
        const { message } = error as Error;
        if (!signal.aborted && message !== said)
          logLine(error instanceof StartupError ? message : `${message}; waiting`);
        said = message;
      }
    }
  }
}
