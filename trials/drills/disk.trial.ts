import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { buy, readAccount, readOrder } from '../../test/support/buyer.ts';
import { makeDataFolder } from '../../test/support/embedded-store.ts';
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

const manyCheckouts = { RATE_LIMIT_CHECKOUT: '100000', RATE_LIMIT_ANONYMOUS: '100000' };

/** Mounts take root, as in a container. */
const canMount = process.getuid?.() === 0 && spawnSync('mount', ['--version']).status === 0;

describe.skipIf(!canMount)('a data folder on a small disk', () => {
  let disk: string;
  let dataDir: string;
  let service: ServiceProcess | null = null;
  const mount = (...args: string[]) => expect(spawnSync('mount', args).status, args.join(' ')).toBe(0);

  beforeEach(async () => {
    disk = newFolder();
    mount('-t', 'tmpfs', '-o', 'size=64m', 'tmpfs', disk);
    dataDir = join(disk, 'data');
    await makeDataFolder(dataDir);
  });
  afterEach(async () => {
    await service?.close();
    spawnSync('umount', ['-l', disk]);
  });

  const start = async () => {
    service = await startService({ MASTHEAD_DATA_DIR: dataDir, ...manyCheckouts });
  };
  const findApi = () => service?.url ?? '';
  const ask = (path: string) => fetch(`${findApi()}${path}`);
  const checkOut = () => {
    const body = { headers: { 'Content-Type': 'application/json' }, body: '{"tier":"pro"}' };
    return fetch(`${findApi()}/api/v1/checkout`, { method: 'POST', ...body });
  };
  const isOrdered = async ({ order_id, claim_token }: Bought) =>
    (await ask(`/api/v1/orders/${order_id}?claim_token=${claim_token}`)).ok;
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
    await start();
    const { api_key = '' } = await readOrder(findApi, await buy(findApi));
    expect(api_key).toMatch(/^mh_/);
    const confirmed: Bought[] = [];
    const order = async () => {
      const answer = await checkOut();
      if (answer.ok) confirmed.push((await answer.json()) as Bought);
      return answer;
    };
    await order();

    fillDisk();
    // The log of SQLite still has room for some.
    let refused = await order();
    for (let tries = 0; refused.ok && tries < 3_000; tries += 1) refused = await order();
    expect(refused.status).toBe(503);
    expect(await refused.json()).toMatchObject({
      code: 'store_unavailable',
      detail: expect.stringMatching(/disk is full/),
    });
    await expect.poll(async () => (await ask('/readyz')).status).toBe(503);
    expect(await (await ask('/readyz')).json()).toMatchObject({
      missing: [expect.stringMatching(/^disk space: /)],
    });
    expect((await ask('/readyz?for=search')).status).toBe(200);
    await expect.poll(async () => (await ask('/api/v1/search?q=radio')).status).toBe(200);

    const rows = Array.from({ length: 8_000 }, (_, at) => `f${at},outlet,Filling Herald ${at}\n`);
    const list = join(newFolder(), 'list.csv');
    writeFileSync(list, `id,kind,name\n${rows.join('')}`);
    const cut = await run('indexer/main.ts', 'import', '--keep-sample', list);
    expect([cut.code, cut.stderr]).toEqual([1, expect.stringMatching(/disk is full/)]);
    expect(cut.stderr).not.toMatch(/Restore it/);
    const copied = await run('admin/main.ts', 'backup', join(newFolder(), 'copy'));
    expect([copied.code, copied.stderr]).toEqual([0, expect.stringMatching(/^$|the backup is whole/)]);
    expect((await run('admin/main.ts', 'check')).stdout).toMatch(/^FAULT disk: disk space: /m);

    rmSync(join(disk, 'filler'), { recursive: true });
    await expect.poll(async () => (await ask('/readyz')).status).toBe(200);
    expect((await checkOut()).ok).toBe(true);
    for (const bought of confirmed) expect(await isOrdered(bought)).toBe(true);
    expect(await readAccount(findApi, api_key)).not.toBeNull();
    for (const command of [['import', '--keep-sample', list], ['verify']]) {
      const { code, stderr } = await run('indexer/main.ts', ...command);
      expect(code, stderr).toBe(0);
    }
  });

  it('that is read-only is named by check and by the start, and works when it can be written again', async () => {
    await start();
    const bought = (await (await checkOut()).json()) as Bought;
    await service?.close();
    mount('-o', 'remount,ro', disk);
    const check = await run('admin/main.ts', 'check');
    expect([check.code, check.stdout]).toEqual([1, expect.stringMatching(/^FAULT disk: write access: .*EROFS/m)]);
    const refused = startProgram([...limitHeapGrowth, 'src/main.ts'], { PORT: '0', MASTHEAD_DATA_DIR: dataDir });
    expect(await refused.ended).toBe(1);
    expect(refused.stderr()).toMatch(/^masthead: .*(?:EROFS|readonly|cannot be used)/);
    expect(refused.stderr()).not.toMatch(/Restore it/);
    mount('-o', 'remount,rw', disk);
    await start();
    expect(await isOrdered(bought)).toBe(true);
  });
});
