import { setTimeout as wait } from 'node:timers/promises';
import { StartupError } from '#ports/startup-error.ts';

/** An engine does not answer, for the reason the message gives; it may come back by itself. */
export class EngineDown extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'EngineDown';
  }
}

export interface EngineReadinessOptions {
  /** The engine's name, for the lines that are said. */
  name: string;
  /** Connects, checks and prepares the engine; safe to repeat. Fails with EngineDown or StartupError. */
  prepare: () => Promise<void>;
  /** Takes one plain line for whoever watches the process. */
  say: (line: string) => void;
  /** Pause between two tries, in milliseconds. */
  retryMs?: number;
}

/** Gets an engine ready: at once where it is there, else as soon as it comes. */
export class EngineReadiness {
  readonly #options: Required<EngineReadinessOptions>;
  readonly #closing = new AbortController();
  #waiting: Promise<void> = Promise.resolve();

  private constructor(options: EngineReadinessOptions) {
    this.#options = { retryMs: 1_000, ...options };
  }

  /**
   * Tries once. Where the engine is down it says so, answers all the same, and goes on trying behind the scenes.
   *
   * @throws StartupError when waiting would not help.
   */
  static async start(options: EngineReadinessOptions): Promise<EngineReadiness> {
    const readiness = new EngineReadiness(options);
    try {
      await options.prepare();
    } catch (error) {
      if (!(error instanceof EngineDown)) throw error;
      options.say(`${error.message}; waiting`);
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
  }

  async #keepTrying(reason: string): Promise<void> {
    const { name, prepare, say, retryMs } = this.#options;
    const { signal } = this.#closing;
    let said = reason;
    while (!signal.aborted) {
      try {
        await wait(retryMs, undefined, { signal });
        await prepare();
        say(`${name} is ready`);
        return;
      } catch (error) {
        // What would have ended the start is only said now: the process serves, and an operator may still mend it.
        const { message } = error as Error;
        if (!signal.aborted && message !== said) say(error instanceof StartupError ? message : `${message}; waiting`);
        said = message;
      }
    }
  }
}
