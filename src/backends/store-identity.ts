import { randomUUID } from 'node:crypto';
import type { KeyedKind, OpenKeyed } from '#records/keyed-store.ts';

/** What a store knows of itself. */
interface Identity {
  /** Null in a copy that no process has opened yet. */
  id: string | null;
  /** When the copy was made that this store was restored from, in ISO 8601; null if it never was. */
  copiedAt: string | null;
}

export const identityKind: KeyedKind<Identity> = { name: 'store_identity', orderOf: () => '' };

/** The key of the only value. */
export const identityKey = 'store';

/** What every backup writes into its copy, so that whatever is restored from it becomes another store. */
export function identityOfCopy(at: Date): Identity {
  return { id: null, copiedAt: at.toISOString() };
}

/**
 * Which store this is. A copy becomes another store when it is first opened: what was handed out by the store that it was
 * copied from, such as a cursor, may know of changes that it never had.
 */
export class StoreIdentity {
  readonly #values;

  constructor(open: OpenKeyed) {
    this.#values = open(identityKind);
  }

  /** The id of this store. A store that has none gets one. */
  async find(): Promise<string> {
    return (await this.open()).id;
  }

  /** The id, and if this call made the store of a copy, when that copy was made. */
  async open(): Promise<{ id: string; restoredFrom: string | null }> {
    const fresh = randomUUID();
    const identity = await this.#values.change(identityKey, (stored) =>
      stored !== null && stored.id !== null ? stored : { id: fresh, copiedAt: stored?.copiedAt ?? null },
    );
    const { id, copiedAt } = identity as Identity & { id: string };
    return { id, restoredFrom: id === fresh ? copiedAt : null };
  }
}
