/** Jobs that only one process at a time may do. */
export type Job = 'reindex' | 'sync' | 'embed';

export interface LockHolder {
  job: Job;
  /** Such as `process 4711 on db1`. */
  holder: string;
  since: string;
}

export interface HeldLock {
  /** Aborted when the lock was lost because it was not renewed in time. */
  readonly signal: AbortSignal;
  release(): Promise<void>;
}

/** Another process does the job. */
export class LockTaken extends Error {
  readonly by: LockHolder;

  constructor(by: LockHolder) {
    super(`Another ${by.job} is running: ${by.holder}, since ${by.since}.`);
    this.name = 'LockTaken';
    this.by = by;
  }
}

/** Locks that end by themselves when their holder dies: at once on the same host, otherwise within half a minute. */
export interface JobLocks {
  /** @throws LockTaken */
  acquire(job: Job): Promise<HeldLock>;
  list(): Promise<LockHolder[]>;
}

/**
 * Does a job while this process has its lock. `signal` is aborted when the lock was lost, and by `stop`.
 *
 * @throws LockTaken
 */
export async function underLock<Result>(
  locks: JobLocks,
  job: Job,
  work: (signal: AbortSignal) => Promise<Result>,
  stop?: AbortSignal,
): Promise<Result> {
  const lock = await locks.acquire(job);
  return work(stop ? AbortSignal.any([lock.signal, stop]) : lock.signal).finally(() => lock.release());
}
