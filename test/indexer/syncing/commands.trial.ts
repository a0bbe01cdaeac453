import { describe, expect, it } from 'vitest';
import { hasEngines, openOnEngines } from '#testing/backends.ts';
import { startIndexer } from '#testing/processes.ts';
import { runHere } from '#testing/run-here.ts';
import { useOne } from '#testing/use.ts';

describe.skipIf(!hasEngines)('the index commands', () => {
  const production = useOne(openOnEngines, async (production) => {
    await production.whenPrepared();
    const outlets = Array.from({ length: 30 }, (_, place) => ({
      _id: `r${place}`,
      kind: 'outlet',
      name: `Record ${place}`,
    }));
    await production.collection.insertMany(outlets as never[]);
  });

  const run = (...args: string[]) => runHere(['indexer/main.ts', ...args], production.settings);

  it('say what to do if there is no index yet', async () => {
    expect(await run('verify')).toMatchObject({ code: 1, stderr: expect.stringMatching(/To build one: .*reindex/) });
    expect(await run('rollback')).toMatchObject({ code: 1, stderr: expect.stringMatching(/To build one: .*reindex/) });
    expect((await run('status')).stdout).toMatch(/There is no index yet\. To build one: npm run indexer -- reindex/);
  });

  it('reindex builds the index, and exits with 1 if a record could not be indexed', async () => {
    const { code, stdout } = await run('reindex');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^30 records indexed and compared in \d+\.\d s .*is live now\.$/m);
    await production.collection.insertOne({ _id: 'bad', kind: 'x' } as never);
    const second = await run('reindex', '--json');
    expect(second.code).toBe(1);
    expect(JSON.parse(second.stdout)).toMatchObject({ read: 31, indexed: 30, deadLetters: 1, repaired: 0 });
    const letters = (await run('status', '--dead-letters')).stdout.trim().split('\n');
    expect((await run('status', '--dead-letters', '--json')).stdout).toBe(`[${letters.join(',')}]\n`);
    expect(letters.map((line) => JSON.parse(line))).toEqual([
      { id: 'bad', reason: expect.any(String), at: expect.stringMatching(/^20.*Z$/) },
    ]);
    await production.collection.deleteOne({ _id: 'bad' });
  });

  it('verify names differences and exits with 1; with --repair it fixes them', async () => {
    expect((await run('verify')).stdout).toMatch(/matches the 30 records in the store/);
    await production.collection.updateOne({ _id: 'r1' }, { $set: { name: 'Other' } });
    const found = await run('verify');
    expect(found.code).toBe(1);
    expect(found.stdout).toMatch(/differed from the 30 records in the store in 1: 1 stale\.\n {2}stale r1\n.*--repair/);
    expect(await run('verify', '--repair')).toMatchObject({ code: 0 });
    expect(JSON.parse((await run('verify', '--json')).stdout)).toMatchObject({ missing: 0, extra: 0, stale: 0 });
  });

  it('sync follows the records, serves metrics, shows in status, and exits with 0 on a signal', async () => {
    const sync = startIndexer(['sync'], { ...production.settings, METRICS_PORT: '0' });
    await expect.poll(() => sync.output()).toMatch(/Following the records with/);
    await production.collection.insertOne({ _id: 'new', kind: 'podcast', name: 'New' } as never);
    await expect.poll(() => production.found()).toContain('new');
    const url = /Metrics are at (\S+)\./.exec(sync.output())?.[1] ?? '';
    const metrics = async () => (await fetch(url)).text();
    const readiness = async () => (await fetch(new URL('/readyz', url))).json();
    await expect.poll(readiness).toEqual({ status: 'ready' });
    await expect.poll(metrics).toMatch(/^masthead_sync_events_total [1-9]/m);
    await expect.poll(metrics).toMatch(/^masthead_sync_lag_seconds 0(\.\d+)?$/m);
    expect(await metrics()).toMatch(/^masthead_sync_retries_total \d+$/m);
    const status = JSON.parse((await run('status', '--json')).stdout);
    expect(status).toMatchObject({
      stored: 31,
      indexed: 31,
      is_followed: true,
      lag_seconds: expect.any(Number),
      locks: [{ job: 'sync', holder: expect.stringContaining(`process ${sync.pid} on `) }],
    });
    expect(await run('sync')).toMatchObject({ code: 1, stderr: expect.stringMatching(/Another sync is running/) });
    sync.kill('SIGTERM');
    expect(await sync.ended).toBe(0);
    expect((await run('status')).stdout).toMatch(/and no sync is running: npm run indexer -- sync/);
  });

  it('rollback makes the previous index live, and lists the indices if it cannot', async () => {
    const { stdout } = await run('rollback');
    expect(stdout).toMatch(/^masthead-test-\S+ is live now\. It replaces masthead-test-\S+\.$/m);
    expect((await run('verify')).stdout).toMatch(/matches the 31 records/);
    const back = await run('rollback', '--json');
    expect(back).toMatchObject({ code: 0, stdout: expect.stringMatching(/^{.*"replaced":"masthead-test-[^\n]*}\n$/) });
    const refused = await run('rollback', '--to', 'nothing');
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/no index nothing.*Available: masthead-test-/),
    });
  });
});
