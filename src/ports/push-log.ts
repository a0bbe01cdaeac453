import type { Push } from '#domain/outbound/push.ts';

/**
 * What was pushed, by whom, where to, and what became of it; never a tool's key or an address. Every method fails with
 * Problem `store_unavailable` when the store is out of reach.
 */
export interface PushLog {
  /** Writes the push, in the place of what was written of it before. */
  save(push: Push): Promise<void>;
  find(id: string): Promise<Push | null>;
  /** The last pushes, newest first. */
  list(limit: number): Promise<Push[]>;
  /** Removes the pushes of which nothing was written since then; answers how many. One that runs is written about. */
  purge(before: Date): Promise<number>;
}
