import { randomUUID } from 'node:crypto';
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import { holdLease, isGone, leaseMs, thisProcess } from '#backends/lease.ts';
import { type HeldLock, type Job, type JobLocks, type LockHolder, LockTaken } from '#ports/job-locks.ts';
import { transact } from './database.ts';
import { runOnStore } from './sqlite-errors.ts';

/** Locks as rows with an expiry time. */
export class SqliteJobLocks implements JobLocks {
  readonly #database: DatabaseSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  async acquire(job: Job): Promise<HeldLock> {
    return runOnStore(() => {
      const token = randomUUID();
      transact(this.#database, () => {
        const held = this.#listHeld().find((holder) => holder.job === job);
        if (held !== undefined) throw new LockTaken(held);
        this.#database
          .prepare('REPLACE INTO job_locks (job, token, holder, since, expires_at) VALUES (?, ?, ?, ?, ?)')
          .run(job, token, thisProcess, new Date().toISOString(), Date.now() + leaseMs);
      });
      return holdLease({
        work: job,
        token,
        renew: async () => {
          const { changes } = this.#database
            .prepare('UPDATE job_locks SET expires_at = ? WHERE job = ? AND token = ?')
            .run(Date.now() + leaseMs, job, token);
          return changes === 1;
        },
        release: async () => {
          await runOnStore(() =>
            this.#database.prepare('DELETE FROM job_locks WHERE job = ? AND token = ?').run(job, token),
          );
        },
      });
    });
  }

  async list(): Promise<LockHolder[]> {
    return runOnStore(() => this.#listHeld());
  }

  #listHeld(): LockHolder[] {
    return this.#database
      .prepare('SELECT job, token, holder, since FROM job_locks WHERE expires_at > ? ORDER BY job')
      .all(Date.now())
      .filter(({ holder, token }) => !isGone(String(holder), String(token)))
      .map(toHolder);
  }
}

function toHolder({ job, holder, since }: Record<string, SQLOutputValue>): LockHolder {
  return { job: job as Job, holder: String(holder), since: String(since) };
}
