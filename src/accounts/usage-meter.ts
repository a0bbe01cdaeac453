import {
  addUsage,
  dateOf,
  fillDays,
  firstShownDate,
  noUsage,
  type UsageCounter,
  type UsageCounts,
  type UsageDay,
} from './usage.ts';
import type { UsageEntry, UsageLog } from './usage-log.ts';

/** How long counts wait in memory, in milliseconds: contract A15 lets a kill lose ten seconds. */
const writeAfterMs = 5_000;

export interface UsageDeps {
  log: { warn(fields: object, message: string): void };
  now: () => Date;
}

/**
 * Counts what is done with keys, and writes it every five seconds, so that no request waits for it (decisions/0022). While
 * the store is away the counts wait for it.
 */
export class UsageMeter implements UsageCounter {
  readonly #usage: UsageLog;
  readonly #deps: UsageDeps;
  /** What is not written yet, by key and day. */
  #waiting = new Map<string, UsageEntry>();
  #timer: NodeJS.Timeout | undefined;
  #written: Promise<void> = Promise.resolve();

  constructor(usage: UsageLog, deps: UsageDeps) {
    this.#usage = usage;
    this.#deps = deps;
  }

  count(keyHash: string, counts: Partial<UsageCounts>): void {
    const now = this.#deps.now();
    this.#keep({ keyHash, date: dateOf(now), lastUsedAt: now.toISOString(), ...addUsage(noUsage, counts) });
    this.#timer ??= setTimeout(() => void this.write().catch(() => {}), writeAfterMs).unref();
  }

  /** The last 30 days of a key, with everything that this process counted. */
  async read(keyHash: string): Promise<UsageDay[]> {
    await this.write();
    const now = this.#deps.now();
    return fillDays(await this.#usage.list(keyHash, firstShownDate(now)), now);
  }

  /** Writes what waits; what cannot be written goes on waiting, and the write is tried again. */
  write(): Promise<void> {
    this.#written = this.#written.catch(() => {}).then(() => this.#writeWaiting());
    return this.#written;
  }

  async #writeWaiting(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const entries = [...this.#waiting.values()];
    if (entries.length === 0) return;
    this.#waiting = new Map();
    try {
      await this.#usage.add(entries);
    } catch (error) {
      for (const entry of entries) this.#keep(entry);
      this.#timer ??= setTimeout(() => void this.write().catch(() => {}), writeAfterMs).unref();
      const reason = error instanceof Error ? error.message : String(error);
      this.#deps.log.warn({ reason }, 'the use of keys could not be stored; next attempt in five seconds');
      throw error;
    }
  }

  #keep(entry: UsageEntry): void {
    const id = `${entry.keyHash} ${entry.date}`;
    const known = this.#waiting.get(id);
    if (known === undefined) {
      this.#waiting.set(id, entry);
      return;
    }
    const lastUsedAt = known.lastUsedAt > entry.lastUsedAt ? known.lastUsedAt : entry.lastUsedAt;
    this.#waiting.set(id, { ...known, ...addUsage(known, entry), lastUsedAt });
  }
}
