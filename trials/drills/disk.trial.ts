import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  limitHeapGrowth,
  runCommand,
  type ServiceProcess,
  startProgram,
  startService,
} from '../../test/support/processes.ts';
import { useFolders } from '../../test/support/use.ts';

const newFolder = useFolders();

interface Bought {
  order_id: string;
  claim_token: string;
}

/** What callers do with a service, over HTTP. */
function callersOf(service: ServiceProcess) {
  const ask = (path: string, init: RequestInit = {}) => fetch(`${service.url}${path}`, init);
  return {
    ask,
    checkout: () =>
      ask('/api/v1/checkout', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: '{"tier":"pro"}',
      }),
    pay: ({ order_id }: Bought) => ask(`/sandbox/${order_id}/pay`, { method: 'POST', redirect: 'manual' }),
    async orderOf({ order_id, claim_token }: Bought) {
      const answer = await ask(`/api/v1/orders/${order_id}?claim_token=${claim_token}`);
      return { status: answer.status, order: (await answer.json()) as { status: string; api_key?: string } };
    },
    me: (key: string) => ask('/api/v1/me', { headers: { Authorization: `Bearer ${key}` } }),
  };
}

const manyCheckouts = { RATE_LIMIT_CHECKOUT: '100000', RATE_LIMIT_ANONYMOUS: '100000' };

/** Mounts take root, as in a container. */
const canMount = process.getuid?.() === 0 && spawnSync('mount', ['--version']).status === 0;

describe.skipIf(!canMount)('a data folder on a small disk', () => {
  let disk: string;
  let dataDir: string;
  let service: ServiceProcess | null = null;
  const mount = (...args: string[]) => expect(spawnSync('mount', args).status, args.join(' ')).toBe(0);

  beforeEach(() => {
    disk = newFolder();
    mount('-t', 'tmpfs', '-o', 'size=64m', 'tmpfs', disk);
    dataDir = join(disk, 'data');
  });
  afterEach(async () => {
    await service?.close();
    spawnSync('umount', ['-l', disk]);
  });

  const start = async () => {
    service = await startService({ MASTHEAD_DATA_DIR: dataDir, ...manyCheckouts });
    return callersOf(service);
  };
  const run = (...args: string[]) => runCommand(args, { MASTHEAD_DATA_DIR: dataDir });

  function fillDisk(): void {
    for (const size of [1024 * 1024, 4_096]) {
      for (let file = 0; ; file += 1) {
        try {
          mkdirSync(join(disk, 'filler'), { recursive: true });
          writeFileSync(join(disk, 'filler', `${size}-${file}`), Buffer.alloc(size, 1));
        } catch {
          break;
        }
      }
    }
  }

  it('that is full is called full, keeps all that was confirmed, and goes on when there is room', async () => {
    const callers = await start();
    const confirmed: Bought[] = [];
    const buy = async () => {
      const answer = await callers.checkout();
      if (answer.status === 200 || answer.status === 201) confirmed.push((await answer.json()) as Bought);
      return answer;
    };
    await buy();
    expect((await callers.pay(confirmed[0] as Bought)).status).toBeLessThan(400);
    const { api_key = '' } = (await callers.orderOf(confirmed[0] as Bought)).order;
    expect(api_key).toMatch(/^mh_/);

    fillDisk();
    // The log of SQLite still has room for some.
    let refused = await buy();
    for (let tries = 0; refused.ok && tries < 3_000; tries += 1) refused = await buy();
    expect(refused.status).toBe(503);
    expect(await refused.json()).toMatchObject({
      code: 'store_unavailable',
      detail: expect.stringMatching(/disk is full/),
    });
    await expect.poll(async () => (await callers.ask('/readyz')).status, { timeout: 10_000 }).toBe(503);
    expect(await (await callers.ask('/readyz')).json()).toMatchObject({
      missing: [expect.stringMatching(/^disk space: /)],
    });
    expect((await callers.ask('/readyz?for=search')).status).toBe(200);
    expect((await callers.ask('/api/v1/search?q=radio')).status).toBe(200);

    const rows = Array.from({ length: 20_000 }, (_, at) => `f${at},outlet,Filling Herald ${at}\n`);
    const list = join(newFolder(), 'list.csv');
    writeFileSync(list, `id,kind,name\n${rows.join('')}`);
    const cut = await run('indexer/main.ts', 'import', '--keep-sample', list);
    expect([cut.code, cut.stderr]).toEqual([1, expect.stringMatching(/disk is full/)]);
    expect(cut.stderr).not.toMatch(/Restore it/);
    const copied = await run('admin/main.ts', 'backup', join(newFolder(), 'copy'));
    expect([copied.code, copied.stderr]).toEqual([0, expect.stringMatching(/^$|the backup is whole/)]);
    expect((await run('admin/main.ts', 'check')).stdout).toMatch(/^FAULT disk: disk space: /m);

    rmSync(join(disk, 'filler'), { recursive: true });
    await expect.poll(async () => (await callers.ask('/readyz')).status, { timeout: 10_000 }).toBe(200);
    expect((await callers.checkout()).ok).toBe(true);
    for (const bought of confirmed) expect((await callers.orderOf(bought)).status).toBe(200);
    expect((await callers.me(api_key)).status).toBe(200);
    expect((await run('indexer/main.ts', 'import', '--keep-sample', list)).code).toBe(0);
    expect((await run('indexer/main.ts', 'verify')).code).toBe(0);
  });

  it('that is read-only is named by check and by the start, and works when it can be written again', async () => {
    const first = await start();
    const bought = (await (await first.checkout()).json()) as Bought;
    await service?.close();
    mount('-o', 'remount,ro', disk);
    const check = await run('admin/main.ts', 'check');
    expect([check.code, check.stdout]).toEqual([1, expect.stringMatching(/^FAULT disk: write access: .*EROFS/m)]);
    const refused = startProgram([...limitHeapGrowth, 'src/main.ts'], { PORT: '0', MASTHEAD_DATA_DIR: dataDir });
    expect(await refused.ended).toBe(1);
    expect(refused.stderr()).toMatch(/^masthead: .*(?:EROFS|readonly|cannot be used)/);
    expect(refused.stderr()).not.toMatch(/Restore it/);
    mount('-o', 'remount,rw', disk);
    expect((await (await start()).orderOf(bought)).status).toBe(200);
  });
});
