import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LockTaken } from '#search/index-maintenance.ts';
import { type TestBackend, testBackends } from '#testing/backends.ts';

describe.each(testBackends)('the locks of jobs, $name', ({ open }) => {
  let backend: TestBackend;
  beforeEach(async () => {
    backend = await open();
  });
  afterEach(() => backend.close());

  it('let one process do a job, and tell others who does it', async () => {
    const lock = await backend.locks.acquire('reindex');
    expect(lock.signal.aborted).toBe(false);
    const refused = await backend.locks.acquire('reindex').catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(LockTaken);
    expect(String(refused)).toContain(`process ${process.pid} on `);
    expect(await backend.locks.list()).toMatchObject([{ job: 'reindex' }]);
    const other = await backend.locks.acquire('sync');
    await lock.release();
    expect((await backend.locks.list()).map(({ job }) => job)).toEqual(['sync']);
    await (await backend.locks.acquire('reindex')).release();
    await other.release();
    expect(await backend.locks.list()).toEqual([]);
  });
});
