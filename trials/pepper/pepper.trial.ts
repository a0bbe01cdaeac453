import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeDataFolder } from '../../test/support/data-folder.ts';
import { findFreePort } from '../../test/support/engines/free-port.ts';
import { openProduction, type Production } from '../../test/support/open-production.ts';
import { runCommand, type ServiceProcess, startService } from '../../test/support/run-service.ts';
import { elasticsearch, mongodb } from '../breakable-engines.ts';

const otherPepper = 'z'.repeat(40);
const issue = ['admin/main.ts', 'keys', 'issue', '--tier', 'pro', '--days', '1'];

/** A store without a pepper: the settings of a process that uses it, with a pepper or none. */
interface NewStore {
  settings: Record<string, string>;
  close(): Promise<void>;
}

const stores: { name: string; open(): Promise<NewStore> }[] = [{ name: 'embedded', open: openEmbedded }];
if (mongodb !== null && elasticsearch !== null) stores.push({ name: 'MongoDB and Elasticsearch', open: openOnEngines });

async function openEmbedded(): Promise<NewStore> {
  const parent = await mkdtemp(join(tmpdir(), 'masthead-pepper-'));
  await makeDataFolder(join(parent, 'data'));
  return { settings: { MASTHEAD_DATA_DIR: join(parent, 'data') }, close: () => rm(parent, { recursive: true }) };
}

async function openOnEngines(): Promise<NewStore> {
  const production = await openProduction({ mongodb: mongodb?.url ?? '', elasticsearch: elasticsearch?.url ?? '' });
  await production.reindex(true);
  return { settings: production.settings, close: () => production.close() };
}

describe.each(stores)('services with different peppers, $name', ({ open }) => {
  let store: NewStore;
  const running: ServiceProcess[] = [];
  beforeEach(async () => {
    store = await open();
  });
  afterEach(async () => {
    for (const service of running.splice(0)) {
      service.process.kill('SIGKILL');
      await service.ended;
    }
    await store.close();
  });

  async function start(given: Record<string, string> = {}): Promise<void> {
    running.push(await startService({ ...store.settings, ...given }));
  }

  it('start at the same time: one serves, and the other is refused', async () => {
    const starts = await Promise.allSettled([start(), start({ KEY_PEPPER: otherPepper })]);
    const refused = starts.filter((result) => result.status === 'rejected');
    expect(starts.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
    // The process without KEY_PEPPER creates the file, unless the other came first.
    expect(String(refused[0]?.reason)).toMatch(
      /is not the key pepper that this store has used|key-pepper is missing|another service uses/,
    );
  });
});

describe.skipIf(mongodb === null || elasticsearch === null)('a service that starts before MongoDB is up', () => {
  let production: Production;
  let settings: Record<string, string>;
  let port: number;
  let proxy: Server;
  let service: ServiceProcess;

  beforeEach(async () => {
    production = await openProduction({ mongodb: mongodb?.url ?? '', elasticsearch: elasticsearch?.url ?? '' });
    await production.reindex(true);
    port = await findFreePort();
    const uri = `mongodb://127.0.0.1:${port}/${production.collection.dbName}?directConnection=true`;
    settings = { ...production.settings, MONGODB_URI: uri, RATE_LIMIT_ANONYMOUS: '1000000' };
    const { port: target } = new URL((mongodb?.url ?? '').replace(/^mongodb:/, 'http:'));
    proxy = createServer((socket) => {
      const onward = connect(Number(target), '127.0.0.1');
      for (const [from, to] of [
        [socket, onward],
        [onward, socket],
      ] as const) {
        from.pipe(to);
        from.on('error', () => to.destroy());
      }
    });
  });
  afterEach(async () => {
    service.process.kill('SIGKILL');
    await service.ended;
    proxy.close();
    await production.close();
  });

  const me = async (key: string) =>
    (await fetch(`${service.url}/api/v1/me`, { headers: { Authorization: `Bearer ${key}` } })).status;

  it('uses its pepper once that is confirmed, and answers 503 until then', async () => {
    const key = (await runCommand(issue, production.settings)).stdout.trim();
    service = await startService(settings);
    expect(await me(key)).toBe(503);
    proxy.listen(port);
    const statuses = new Set<number>();
    await expect
      .poll(
        async () => {
          const status = await me(key);
          statuses.add(status);
          return status;
        },
        { timeout: 60_000, interval: 20 },
      )
      .toBe(200);
    expect([...statuses].filter((status) => ![200, 503].includes(status))).toEqual([]);
  });

  it('exits, and accepts nobody with the wrong pepper, if its pepper turns out to be another', async () => {
    const key = (await runCommand(issue, production.settings)).stdout.trim();
    service = await startService({ ...settings, KEY_PEPPER: otherPepper });
    expect(await me(key)).toBe(503);
    const statuses = new Set<number>();
    let hasEnded = false;
    void service.ended.then(() => {
      hasEnded = true;
    });
    proxy.listen(port);
    while (!hasEnded) statuses.add(await me(key).catch(() => 503));
    expect(await service.ended).toBe(1);
    expect(service.stderr()).toMatch(/KEY_PEPPER is not the key pepper that this store has used since/);
    expect([...statuses]).toEqual([503]);
  });
});
