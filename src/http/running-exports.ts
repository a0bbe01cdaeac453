import { Problem } from '#domain/problem.ts';

/** Seconds after which one of the running exports may have ended. */
const retrySeconds = 30;

/** Counts the exports that run for each key in this process. */
export class RunningExports {
  readonly #running = new Map<string, number>();
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  /**
   * Counts one more for the key; the answer, called once, ends it.
   * Throws Problem `rate_limited` where as many run as may.
   */
  begin(keyHash: string): () => void {
    const count = this.#running.get(keyHash) ?? 0;
    if (count >= this.#most) {
      throw new Problem(
        'rate_limited',
        `${this.#most} exports run under this key, and no more may at once. Ask again when one has ended.`,
        { headers: { 'Retry-After': String(retrySeconds) } },
      );
    }
    this.#running.set(keyHash, count + 1);
    return () => {
      const left = (this.#running.get(keyHash) ?? 1) - 1;
      if (left > 0) this.#running.set(keyHash, left);
      else this.#running.delete(keyHash);
    };
  }
}
