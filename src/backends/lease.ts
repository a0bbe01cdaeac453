import { hash, randomUUID } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import type { HeldLock } from '#search/index-maintenance.ts';

/** How long a lock outlives its last renewal, in milliseconds. */
export const leaseMs = 30_000;
const renewEveryMs = 10_000;

const host = `${hostname()} (${processSpace()})`;

/** This process, as locks name their holder. */
export const thisProcess = `process ${process.pid} on ${host}`;

/**
 * Where numbers of processes mean the same: a boot of a machine, and on Linux a namespace of it. Containers may share a host
 * name, and each has a process of every low number.
 */
function processSpace(): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8');
    return hash('sha256', boot + readlinkSync('/proc/self/ns/pid')).slice(0, 8);
  } catch {
    return 'this machine';
  }
}

/** The tokens of the locks and slots that this process holds, or is about to take. */
const heldHere = new Set<string>();

/**
 * Whether a holder is certainly gone: a process of this host that no longer runs, or an earlier process with this one's
 * number.
 */
export function isGone(holder: string, token: string): boolean {
  const [, pid, where] = /^process (\d+) on (.*)$/.exec(holder) ?? [];
  if (where !== host) return false;
  if (Number(pid) === process.pid) return !heldHere.has(token);
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

/**
 * Takes a lock or slot under a new token. The token counts as held from the start: otherwise, before the store has
 * answered, other code in this process would consider its holder gone.
 */
export async function takeUnderToken<Held>(take: (token: string) => Promise<Held>): Promise<Held> {
  const token = randomUUID();
  heldHere.add(token);
  let held: Held | null = null;
  try {
    held = await take(token);
    return held;
  } finally {
    if (held === null) heldHere.delete(token);
  }
}

/** How a store keeps one lock or slot that was just taken. */
export interface LeaseStore {
  /** The purpose, in one word. */
  work: string;
  /** Distinguishes this holding of the lock from all others. */
  token: string;
  /** Extends it to leaseMs from now; returns whether it was still held. */
  renew(): Promise<boolean>;
  release(): Promise<void>;
}

/** Holds a lock that was just taken, and renews it until it is released or lost. */
export function holdLease({ work, token, renew, release }: LeaseStore): HeldLock {
  const lost = new AbortController();
  heldHere.add(token);
  const lose = () => lost.abort(new Error(`lost the lock for ${work}: it was not renewed in time`));
  let lastsUntil = performance.now() + leaseMs;
  const timer = setInterval(async () => {
    const at = performance.now();
    try {
      if (!(await renew())) lose();
      lastsUntil = at + leaseMs;
    } catch {
      if (at + renewEveryMs >= lastsUntil) lose();
    }
  }, renewEveryMs);
  timer.unref();
  let isReleased = false;
  return {
    signal: lost.signal,
    async release() {
      if (isReleased) return;
      isReleased = true;
      clearInterval(timer);
      heldHere.delete(token);
      // A lock that cannot be released expires by itself.
      await release().catch(() => {});
    },
  };
}
