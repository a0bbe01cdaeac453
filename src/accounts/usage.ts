import type { KeyedKind, KeyedStore } from '#records/keyed-store.ts';
import { messageOf } from '#src/problem.ts';
import { dayMs, daysAfter } from '#text/days.ts';

const noUsage = { requests: 0, exportedRows: 0, pushedLeads: 0 };
type UsageCounts = typeof noUsage;

/** The counts of one UTC day, such as `2026-11-21`. */
export type UsageDay = UsageCounts & { date: string };

function addUsage(one: UsageCounts, other: Partial<UsageCounts>): UsageCounts {
  return {
    requests: one.requests + (other.requests ?? 0),
    exportedRows: one.exportedRows + (other.exportedRows ?? 0),
    pushedLeads: one.pushedLeads + (other.pushedLeads ?? 0),
  };
}

/** The counts of a key on one day: all of them, or those that a process has not written yet. */
type UsageEntry = UsageDay & { keyHash: string; lastUsedAt: string };

/** How long the use of keys is kept, in days: `keys list` shows when a key was last used within this time. */
const usageKeptDays = 400;

/** What was done with each key, by day. Several processes may add to one day. */
export const usageKind: KeyedKind<UsageEntry> = {
  name: 'key_usage',
  ownerOf: ({ keyHash }) => keyHash,
  orderOf: ({ date }) => date,
  livesMs: usageKeptDays * dayMs,
};

function addEntry(sum: UsageEntry | null | undefined, entry: UsageEntry): UsageEntry {
  if (!sum) return entry;
  const lastUsedAt = sum.lastUsedAt > entry.lastUsedAt ? sum.lastUsedAt : entry.lastUsedAt;
  return { ...sum, ...addUsage(sum, entry), lastUsedAt };
}

export const shownDays = 30;

function dateOf(moment: Date, daysBefore = 0): string {
  return daysAfter(moment, -daysBefore).slice(0, 10);
}

/** How long counts wait in memory, in milliseconds. If a process is killed, up to ten seconds may be lost (contract A15). */
const writeAfterMs = 5_000;

interface UsageDeps {
  log: { warn(fields: object, message: string): void };
  now: () => Date;
}

/** Counts the use of keys. Writes every five seconds, so that no request waits, and later if the store is away (decisions/0022). */
export class UsageMeter {
  readonly #usage: Pick<KeyedStore<UsageEntry>, 'change' | 'list'>;
  readonly #deps: UsageDeps;
  #waiting = new Map<string, UsageEntry>();
  #timer: NodeJS.Timeout | undefined;
  #written: Promise<void> = Promise.resolve();

  constructor(usage: Pick<KeyedStore<UsageEntry>, 'change' | 'list'>, deps: UsageDeps) {
    this.#usage = usage;
    this.#deps = deps;
  }

  count(keyHash: string, counts: Partial<UsageCounts>): void {
    const now = this.#deps.now();
    this.#keep({ keyHash, date: dateOf(now), lastUsedAt: now.toISOString(), ...addUsage(noUsage, counts) });
  }

  /** The last 30 days of a key, oldest first, including what this process has not written yet. */
  async read(keyHash: string): Promise<UsageDay[]> {
    await this.write();
    const now = this.#deps.now();
    const days = await this.#usage.list({ owner: keyHash, from: dateOf(now, shownDays - 1) });
    const byDate = new Map(days.map((day) => [day.date, day]));
    return Array.from({ length: shownDays }, (_, index) => {
      const date = dateOf(now, shownDays - 1 - index);
      return { date, ...addUsage(noUsage, byDate.get(date) ?? {}) };
    });
  }

  /** Writes the waiting counts. Counts that cannot be written keep waiting. */
  write(): Promise<void> {
    this.#written = this.#written.catch(() => {}).then(() => this.#writeWaiting());
    return this.#written;
  }

  async #writeWaiting(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const waiting = this.#waiting;
    if (waiting.size === 0) return;
    this.#waiting = new Map();
    try {
      for (const [key, entry] of waiting) {
        await this.#usage.change(key, (stored) => addEntry(stored, entry));
        waiting.delete(key);
      }
    } catch (error) {
      for (const entry of waiting.values()) this.#keep(entry);
      const reason = messageOf(error);
      this.#deps.log.warn({ reason }, 'the use of keys could not be stored; next attempt in five seconds');
      throw error;
    }
  }

  #keep(entry: UsageEntry): void {
    const key = `${entry.keyHash} ${entry.date}`;
    this.#waiting.set(key, addEntry(this.#waiting.get(key), entry));
    this.#timer ??= setTimeout(() => void this.write().catch(() => {}), writeAfterMs).unref();
  }
}
