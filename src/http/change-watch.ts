import { setTimeout as pause } from 'node:timers/promises';
import type { ChangeFeed } from '#records/change-feed.ts';

/** How often the feed is looked at while somebody waits, in milliseconds. */
const lookEveryMs = 250;
/** How many requests may wait in this process, and how many of them under one key. */
export const mostWaiting = { inAll: 1_000, perKey: 10 };

interface Waiter {
  key: string;
  version: number;
  wake: () => void;
}

/** Wakes requests that wait for changes. One look at the feed serves all of them; while nobody waits, there is none. */
export class ChangeWatch {
  readonly #feed: Pick<ChangeFeed, 'findPosition'>;
  readonly #waiters = new Set<Waiter>();
  #isLooking = false;

  constructor(feed: Pick<ChangeFeed, 'findPosition'>) {
    this.#feed = feed;
  }

  hasRoomFor(key: string): boolean {
    const ofKey = [...this.#waiters].filter((waiter) => waiter.key === key).length;
    return this.#waiters.size < mostWaiting.inAll && ofKey < mostWaiting.perKey;
  }

  /** Resolves when the feed has come past this version, or with the signal. */
  async waitPast(version: number, key: string, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const wake = () => resolve();
    const waiter = { key, version, wake };
    this.#waiters.add(waiter);
    signal.addEventListener('abort', wake, { once: true });
    void this.#look();
    try {
      await promise;
    } finally {
      signal.removeEventListener('abort', wake);
      this.#waiters.delete(waiter);
    }
  }

  async #look(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    while (this.#waiters.size > 0) {
      // If the store is away, the requests that it wakes later find out.
      const position = await this.#feed.findPosition().catch(() => null);
      for (const { version, wake } of this.#waiters) if (position !== null && position.version > version) wake();
      await pause(lookEveryMs, undefined, { ref: false });
    }
    this.#isLooking = false;
  }
}
