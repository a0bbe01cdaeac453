import { hash, randomUUID } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import type { LimitedWork, WorkSlots } from '#outbound/work-slots.ts';
import type { KeyedKind, KeyedStore, OpenKeyed } from '#records/keyed-store.ts';
import { indexVersion } from '#search/indexed/index-maintenance.ts';
import { type HeldLock, type Job, type JobLocks, type LockHolder, LockTaken } from '#search/job-locks.ts';

interface Lease {
  /** What is held: a job, or a slot for work with a key. */
  of: string;
  /** Distinguishes this holding from all others. */
  token: string;
  holder: string;
  since: string;
}

/** How long a lease outlives its last renewal, in milliseconds. */
const leaseMs = 30_000;
const renewEveryMs = 10_000;

const leaseKind = (name: string): KeyedKind<Lease> => ({ name, orderOf: (lease) => lease.of, livesMs: leaseMs });
export const lockKind = leaseKind('job_locks');
export const slotKind = leaseKind('work_slots');

/** The locks of jobs. Those of an index are of this version's form: versions with other indexes maintain theirs at the same time. */
export function openLocks(open: OpenKeyed): JobLocks {
  const locks = open(lockKind);
  return {
    async acquire(job) {
      const result = await takeLease(locks, lockedAs(job));
      if ('by' in result) throw new LockTaken(toHolder(result.by));
      return result.held;
    },
    async list() {
      return (await locks.list())
        .filter((lease) => isOfThisVersion(lease) && !isGone(lease))
        .map(toHolder)
        .reverse();
    },
  };
}

/** The slots for work with a key: each is a lease of its own. */
export function openSlots(open: OpenKeyed): WorkSlots {
  const slots = open(slotKind);
  return {
    async take(work: LimitedWork, keyHash: string, most: number) {
      for (let slot = 1; slot <= most; slot += 1) {
        const result = await takeLease(slots, `${work} ${keyHash} ${slot}`);
        if ('held' in result) return result.held;
      }
      return null;
    },
  };
}

const ofForm = ` ${indexVersion}`;

function lockedAs(job: Job): string {
  return job === 'embed' ? job : `${job}${ofForm}`;
}

function isOfThisVersion({ of: work }: Lease): boolean {
  return work === 'embed' || work.endsWith(ofForm);
}

function toHolder({ of: work, holder, since }: Lease): LockHolder {
  return { job: work.replace(ofForm, '') as Job, holder, since };
}

/** The tokens of leases that this process holds or takes. A lease with its process number and another token is an earlier process's. */
const heldHere = new Set<string>();

/** Takes a lease that is free or whose process is gone; otherwise returns the one that holds it. */
async function takeLease(leases: KeyedStore<Lease>, work: string): Promise<{ held: HeldLock } | { by: Lease }> {
  const token = randomUUID();
  heldHere.add(token);
  try {
    const ownLease = { of: work, token, holder: thisProcess, since: new Date().toISOString() };
    const current = await leases.change(work, (lease) => (lease === null || isGone(lease) ? ownLease : lease));
    if (current === null || current.token === token) return { held: holdLease(leases, ownLease) };
    heldHere.delete(token);
    return { by: current };
  } catch (error) {
    heldHere.delete(token);
    throw error;
  }
}

/** Renews a lease that was just taken, until it is released or lost. */
function holdLease(leases: KeyedStore<Lease>, ownLease: Lease): HeldLock {
  const { of: work, token } = ownLease;
  const lost = new AbortController();
  const lose = () => lost.abort(new Error(`lost the lock for ${work}: it could not be renewed in time. Run it again`));
  let lastsUntil = performance.now() + leaseMs;
  const timer = setInterval(async () => {
    const at = performance.now();
    try {
      const current = await leases.change(work, (lease) => (lease?.token === token ? { ...ownLease } : lease));
      if (current?.token !== token) lose();
      lastsUntil = at + leaseMs;
    } catch {
      if (at + renewEveryMs >= lastsUntil) lose();
    }
  }, renewEveryMs);
  timer.unref();
  return {
    signal: lost.signal,
    async release() {
      if (!heldHere.delete(token)) return;
      clearInterval(timer);
      // A lease that cannot be released expires by itself.
      await leases.change(work, (lease) => (lease?.token === token ? null : lease)).catch(() => {});
    },
  };
}

const host = `${hostname()} (${processSpace()})`;

const thisProcess = `process ${process.pid} on ${host}`;

/**
 * Identifies the space in which a process number is unique: this boot of the machine and, on Linux, its process namespace.
 * Containers may share a host name, and each has its own process 1.
 */
function processSpace(): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8');
    return hash('sha256', boot + readlinkSync('/proc/self/ns/pid')).slice(0, 8);
  } catch {
    return 'this machine';
  }
}

/** Whether a holder is certainly gone: a process of this host that no longer runs, or an earlier one with our number. */
function isGone({ holder, token }: Lease): boolean {
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
