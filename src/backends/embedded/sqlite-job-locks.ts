import { type HeldLock, type Job, type JobLocks, type LockHolder, LockTaken } from '#search/index-maintenance.ts';
import { holdLease, isGone, leaseMs, takeUnderToken, thisProcess } from '../lease.ts';
import { runOnStore } from './sqlite-errors.ts';
import { insertInto, SqliteStore, selectAll } from './sqlite-store.ts';

/** Locks as rows with an expiry time. */
export class SqliteJobLocks extends SqliteStore implements JobLocks {
  async acquire(job: Job): Promise<HeldLock> {
    return takeUnderToken(async (token) => {
      await this.transact(() => {
        const held = this.#listHeld().find((holder) => holder.job === job);
        if (held !== undefined) throw new LockTaken(held);
        const since = new Date().toISOString();
        const lock = { job, token, holder: thisProcess, since, expiresAt: Date.now() + leaseMs };
        insertInto(this.database, 'job_locks', lock, 'REPLACE');
      });
      return holdLease({
        work: job,
        token,
        renew: async () => {
          const renewal = 'UPDATE job_locks SET expires_at = ? WHERE job = ? AND token = ?';
          return (await this.run(renewal, Date.now() + leaseMs, job, token)) === 1;
        },
        release: async () => {
          await this.run('DELETE FROM job_locks WHERE job = ? AND token = ?', job, token);
        },
      });
    });
  }

  async list(): Promise<LockHolder[]> {
    return runOnStore(() => this.#listHeld());
  }

  #listHeld(): LockHolder[] {
    const select = 'SELECT job, token, holder, since FROM job_locks WHERE expires_at > ? ORDER BY job';
    return selectAll<LockHolder & { token: string }>(this.database, select, Date.now())
      .filter(({ holder, token }) => !isGone(holder, token))
      .map(({ job, holder, since }) => ({ job, holder, since }));
  }
}
