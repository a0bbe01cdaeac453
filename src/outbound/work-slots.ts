import type { StoredKey } from '#accounts/stored-key.ts';
import { Problem } from '#src/problem.ts';

export type LimitedWork = 'export' | 'push';

/** A slot that work holds while it runs. Releasing it never fails: a slot that cannot be released expires. */
export type HeldSlot = { release(): Promise<void> };

/** Slots that all processes share. Those of a killed process are free again at once on its host, elsewhere in half a minute. */
export interface WorkSlots {
  /** Takes a slot; null if the key has `most` of them. Throws Problem `store_unavailable` if the store cannot be reached. */
  take(work: LimitedWork, keyHash: string, most: number): Promise<HeldSlot | null>;
}

/** How many exports, and how many pushes, one key can run at once (contract A5 and A6). */
const maxPerKey = 2;
/** Seconds after which a caller may try again. */
const retrySeconds = 30;

/** Runs work with a key in a slot, which is free afterwards. Throws Problem `rate_limited` if the key has none left. */
export async function inSlot<Result>(
  slots: WorkSlots,
  work: LimitedWork,
  { hash }: StoredKey,
  run: (slot: HeldSlot) => Promise<Result>,
): Promise<Result> {
  const slot = await slots.take(work, hash, maxPerKey);
  if (slot === null) {
    const plural = work === 'push' ? 'pushes' : 'exports';
    throw tooMuchAtOnce(`This key already runs ${maxPerKey} ${plural}, the limit. Try again when one has ended.`);
  }
  return run(slot).finally(() => slot.release());
}

/** Limits the pushes in this process, for all keys. */
export class PushRoom {
  readonly #max: number;
  #running = 0;

  constructor(max: number) {
    this.#max = max;
  }

  /** Runs a push. Throws Problem `rate_limited` if there is no room. */
  async run<Result>(push: () => Promise<Result>): Promise<Result> {
    if (this.#running >= this.#max) {
      throw tooMuchAtOnce('The service already runs as many pushes as it can. Try again when one has ended.');
    }
    this.#running += 1;
    try {
      return await push();
    } finally {
      this.#running -= 1;
    }
  }
}

function tooMuchAtOnce(detail: string): Problem {
  return new Problem('rate_limited', detail, { headers: { 'Retry-After': String(retrySeconds) } });
}
