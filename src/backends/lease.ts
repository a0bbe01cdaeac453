import { hostname } from 'node:os';
import type { HeldLock, Job } from '#ports/job-locks.ts';

/** How long a lock outlives its last renewal, in milliseconds. */
export const leaseMs = 30_000;
const renewEveryMs = 10_000;

const host = hostname();

/** This process, as locks name their holder. */
export const thisProcess = `process ${process.pid} on ${host}`;

/** The tokens of the locks that this process holds. */
const heldHere = new Set<string>();

/** Whether a holder is surely gone: a process of this host that runs no more, or an earlier one under this one's number. */
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

/** How a store keeps one lock that was just taken. */
export interface LeaseStore {
  job: Job;
  /** Tells this holding of the lock from all others. */
  token: string;
  /** Makes it last for leaseMs from now on; answers whether it was still held. */
  renew(): Promise<boolean>;
  release(): Promise<void>;
}

/** Holds a lock that was just taken, and renews it, until it is released or lost. */
export function holdLease({ job, token, renew, release }: LeaseStore): HeldLock {
  const lost = new AbortController();
  heldHere.add(token);
  const lose = () => lost.abort(new Error(`the lock for ${job} was lost: it could not be renewed in time`));
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
  return {
    signal: lost.signal,
    async release() {
      clearInterval(timer);
      heldHere.delete(token);
      // One that cannot be released ends by itself.
      await release().catch(() => {});
    },
  };
}
