/** Work of which one process at a time does each. */
export type Job = 'reindex' | 'sync';

/** Who does a job. */
export interface LockHolder {
  job: Job;
  /** Such as `process 4711 on db1`. */
  holder: string;
  since: string;
}

export interface HeldLock {
  /** Aborted when the lock was lost, because its renewal failed for too long. */
  readonly signal: AbortSignal;
  release(): Promise<void>;
}

/** Another process does the job. */
export class LockTaken extends Error {
  readonly by: LockHolder;

  constructor(by: LockHolder) {
    super(`${by.holder} has been at it since ${by.since} (${by.job}).`);
    this.name = 'LockTaken';
    this.by = by;
  }
}

/** Locks that end by themselves, within half a minute, when their holder dies. */
export interface JobLocks {
  /** @throws LockTaken */
  acquire(job: Job): Promise<HeldLock>;
  /** The locks that are held now. */
  list(): Promise<LockHolder[]>;
}
