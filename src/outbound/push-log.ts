import type { Push } from './push.ts';

/**
 * What was pushed, by whom, where to, and the result; never a tool's key or an address. Every method fails with Problem
 * `store_unavailable` if the store cannot be reached.
 */
export interface PushLog {
  /** Writes the push, replacing its earlier state. */
  save(push: Push): Promise<void>;
  find(id: string): Promise<Push | null>;
  /** The latest pushes, newest first. */
  list(limit: number): Promise<Push[]>;
  /** Deletes the pushes without updates since then; returns how many. A running push keeps getting updates. */
  purge(before: Date): Promise<number>;
}
