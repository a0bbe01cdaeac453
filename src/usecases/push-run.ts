import type { Push } from '#domain/outbound/push.ts';
import type { PushLog } from '#ports/push-log.ts';

/** How often a push that waits for its tool updates its log entry, in milliseconds. */
const signEveryMs = 30_000;

/** A running push. Its state is saved before it continues. */
export class PushRun {
  push: Push;
  readonly #pushes: PushLog;
  readonly #now: () => Date;
  readonly #signs: NodeJS.Timeout;
  #saved: Promise<void> = Promise.resolve();

  constructor(push: Push, { pushes, now }: { pushes: PushLog; now: () => Date }) {
    this.push = push;
    this.#pushes = pushes;
    this.#now = now;
    this.#signs = setInterval(() => this.keep({}).catch(() => {}), signEveryMs);
  }

  /** Writes in sequence, so an older state never replaces a newer one. */
  keep(change: Partial<Push>): Promise<void> {
    this.push = { ...this.push, ...change, updatedAt: this.#now().toISOString() };
    this.#saved = this.#saved.catch(() => {}).then(() => this.#pushes.save(this.push));
    return this.#saved;
  }

  end(): void {
    clearInterval(this.#signs);
  }
}
