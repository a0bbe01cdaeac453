import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeAll, describe, expect, it } from 'vitest';
import { steady } from '#testing/embedded-store.ts';
import { runHere } from '#testing/run-here.ts';
import { useService } from './test-service.ts';

/* As a failing disk does: a page becomes other bytes, of a table that no search reads. */
describe('when a part of the embedded store is overwritten', () => {
  const { backend, service } = useService(steady(2_000));
  let file: string;
  let page: { size: number; place: number };

  beforeAll(() => {
    file = join(backend.stored.dataDir, 'masthead.db');
    const writer = new DatabaseSync(file);
    writer.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    const leaf = writer
      .prepare("SELECT pgsize, pageno FROM dbstat WHERE name = 'change_feed' AND pagetype = 'leaf'")
      .get();
    const size = Number(leaf?.pgsize);
    page = { size, place: (Number(leaf?.pageno) - 1) * size };
    writer.close();
  });

  const run = (...args: string[]) => runHere(['admin/main.ts', ...args], { MASTHEAD_DATA_DIR: backend.stored.dataDir });
  const check = () => run('check');

  it('admin check finds it, and so does the service when it reads its store; searches go on', async () => {
    expect((await check()).stdout).toMatch(/^ok {4}file: SQLite finds no damage/m);
    await service.get('/readyz').expect(200, { status: 'ready' });

    const handle = openSync(file, 'r+');
    writeSync(handle, Buffer.alloc(page.size, 0xa5), 0, page.size, page.place);
    closeSync(handle);

    const checked = await check();
    expect(checked.code).toBe(1);
    expect(checked.stdout).toMatch(/^FAULT file: masthead\.db is damaged \(.+\)\. .*restore the last backup/m);
    const copied = await run('backup', join(backend.stored.dataDir, 'copy'));
    expect(copied.stderr).toMatch(
      /cannot be copied \(.+\)\. Nothing was changed\. Keep it, and restore the last backup/,
    );

    await backend.health.checkWhole();
    const readiness = await service.get('/readyz');
    expect(readiness.status).toBe(503);
    expect(readiness.body).toEqual({
      status: 'not ready',
      missing: ['undamaged store: masthead.db is damaged. Restore it from a backup'],
    });
    await service.get('/readyz?for=search').expect(200, { status: 'ready' });
  });
});

describe('what /readyz takes', () => {
  const { service } = useService();

  it('is checked, so that a balancer never asks for something else than it means', async () => {
    const { status, body } = await service.get('/readyz?for=serch');
    expect(status).toBe(400);
    expect(body.errors).toMatchObject([{ name: 'for', did_you_mean: 'search' }]);
  });
});
