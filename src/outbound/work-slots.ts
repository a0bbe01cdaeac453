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

/** Takes a slot for work with a key. Throws Problem `rate_limited` if the key has none left. */
export async function takeSlot(slots: WorkSlots, work: LimitedWork, { hash }: StoredKey): Promise<HeldSlot> {
  const slot = await slots.take(work, hash, maxPerKey);
  if (slot !== null) return slot;
  const all = work === 'push' ? 'pushes' : 'exports';
  throw tooMuchAtOnce(`This key already runs ${maxPerKey} ${all}, the limit. Try again when one has ended.`);
}

/** Limits one kind of work in this process, for all keys. */
export class ProcessRoom {
  readonly #max: number;
  #running = 0;

  constructor(max: number) {
    this.#max = max;
  }

  /** Counts one more; call the returned function once to end it. Throws Problem `rate_limited` if there is no room. */
  enter(): () => void {
    if (this.#running >= this.#max) {
      throw tooMuchAtOnce('The service already runs as many pushes as it can. Try again when one has ended.');
    }
    this.#running += 1;
    return () => {
      this.#running -= 1;
    };
  }
}

function tooMuchAtOnce(detail: string): Problem {
  return new Problem('rate_limited', detail, { headers: { 'Retry-After': String(retrySeconds) } });
}
