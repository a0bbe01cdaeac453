import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from '@elastic/elasticsearch';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { readAccount, readOrder } from '#testing/buyer.ts';
import { engines } from '#testing/engines.ts';
import { isLong } from '#testing/form.ts';
import { newTestDatabase } from '#testing/mongo-database.ts';
import { limitHeapGrowth, runCommand, startProgram, startService } from '#testing/processes.ts';
import { useFolders } from '#testing/use.ts';
import { InstalledServer, served } from './installed-server.ts';
import { openOldShop } from './old-shop.ts';
import { oldVersions } from './old-version.ts';
import { putOldDocuments, putOldStore, readFacts } from './open-old-store.ts';
import { blockFor, installUnits } from './steps-in-docs.ts';

const sellEveryMs = 200;
const manySearches = { RATE_LIMIT_ANONYMOUS: '100000' };
const refusal = /another (?:service|process) uses|a process of another version of Masthead is connected/;
const { mongodb, elasticsearch } = engines;
const backends = [
  { name: 'the embedded store', urls: null },
  ...(mongodb && elasticsearch ? [{ name: 'engines', urls: { mongodb, elasticsearch } }] : []),
];

describe.each(backends)('this version, started on $name while 1.2 sells', ({ urls }) => {
  const newFolder = useFolders();

  it('is refused and takes no purchase away, and goes on with each once 1.2 has ended', async () => {
    const shop = await openOldShop(newFolder(), urls);
    const { settings } = shop;
    const sold = [await shop.sell()];
    if (urls !== null) {
      // Step 1 of docs/operations.md, which only reads the store.
      const ahead = await runCommand(['indexer/main.ts', 'reindex'], settings);
      expect(ahead.code, ahead.stderr).toBe(0);
    }
    const early = [['src/main.ts'], ['admin/main.ts', 'keys', 'issue', '--tier', 'pro', '--days', '30']].map(
      (program) => startProgram([...limitHeapGrowth, ...program], { PORT: '0', ...settings }),
    );
    const ended = Promise.all(early.map((program) => program.ended));
    while ((await Promise.race([ended, pause(sellEveryMs, 'running')])) === 'running') sold.push(await shop.sell());
    expect(await ended).toEqual([1, 1]);
    for (const { stderr } of early) expect(stderr()).toMatch(refusal);
    sold.push(await shop.sell());
    await shop.end();

    const service = await startService(settings);
    onTestFinished(() => void service.close());
    const find = () => service.url;
    // The first, the last, and some while the others started.
    expect(sold.length).toBeGreaterThan(4);
    for (const purchase of sold) {
      const { status, api_key = '' } = await readOrder(find, purchase);
      expect(status).toBe('paid');
      expect(await readAccount(find, api_key)).toMatchObject({ order_id: purchase.orderId });
    }
    await expect.poll(async () => (await fetch(`${service.url}/readyz`)).status).toBe(200);
    await service.close();
    await shop.remove();
  });
});

const total = async (url: string) =>
  ((await (await fetch(`${url}/api/v1/search?q=radio`)).json()) as { total: number }).total;

/* The old program runs on the packages of this one, which its set-up would take a minute to replace. */
describe('the steps of docs/operations.md for an upgrade from 1.2, followed to the letter', () => {
  const commit = oldVersions.find(({ name }) => name === '1.2')?.commit ?? '';
  const { pepper, keys } = readFacts('1.2', 'embedded');
  const servers: InstalledServer[] = [];
  const install = (settings: Record<string, string>) => {
    const server = new InstalledServer(commit, {
      PORT: '0',
      PAYMENTS: 'sandbox',
      KEY_PEPPER: pepper,
      ...manySearches,
      ...settings,
    });
    servers.push(server);
    return server;
  };
  const statusOf = async (url: string, key: string) =>
    (await fetch(`${url}/api/v1/me`, { headers: { Authorization: `Bearer ${key}` } })).status;
  afterEach(() => {
    for (const server of servers.splice(0)) server.remove();
  });

  it('work for the embedded store', async () => {
    const server = install({});
    const settings = { PORT: '0', KEY_PEPPER: pepper };
    const dataDir = join(server.checkout, 'data');
    mkdirSync(dataDir);
    putOldStore('1.2', dataDir);
    const old = startProgram(['src/main.ts'], settings, server.checkout);
    const oldUrl = await served(old.output);
    await expect.poll(() => total(oldUrl)).toBeGreaterThan(0);
    const before = await total(oldUrl);
    server.release();
    const [whileItRuns = '', afterIt] = blockFor('Embedded').split(/^(?=npm start)/m);
    expect(afterIt).toMatch(/^npm start/);
    expect(await server.run(whileItRuns, server.checkout, settings)).toMatch(/^ok +upgrade: an upgrade is due: /m);
    old.kill('SIGTERM');
    await old.ended;
    const now = spawn('npm', ['start'], {
      cwd: server.checkout,
      env: { ...server.environment, ...settings },
      detached: true,
    });
    try {
      let log = '';
      for (const stream of [now.stdout, now.stderr])
        stream.on('data', (chunk) => {
          log += chunk;
        });
      const url = await served(() => log);
      await expect.poll(async () => (await fetch(`${url}/readyz`)).status).toBe(200);
      await expect.poll(() => total(url)).toBe(before);
      expect(await statusOf(url, keys.issued)).toBe(200);
    } finally {
      process.kill(-(now.pid ?? 0), 'SIGTERM');
      await once(now, 'close');
    }
  });

  it('work for systemd and the embedded store', async () => {
    const server = install({});
    putOldStore('1.2', server.dataDir);
    await server.run(`${installUnits}\nsystemctl daemon-reload && systemctl start masthead`);
    const oldUrl = await served(() => server.logOf('masthead'));
    await expect.poll(() => total(oldUrl)).toBeGreaterThan(0);
    const before = await total(oldUrl);
    server.release();
    expect(await server.run(blockFor('systemd, embedded'), '/')).toMatch(/^ok +upgrade: an upgrade is due: /m);
    const url = await served(() => server.logOf('masthead'));
    expect(server.logOf('masthead')).toMatch(/Upgrading the store in .*\n.*rebuilding it/);
    await expect.poll(async () => (await fetch(`${url}/readyz`)).status).toBe(200);
    await expect.poll(() => total(url)).toBe(before);
    expect(await statusOf(url, keys.issued)).toBe(200);
    await server.run('systemctl stop masthead');
    const audit = await runCommand(['admin/main.ts', 'audit'], { MASTHEAD_DATA_DIR: server.dataDir });
    expect(audit.stdout).toMatch(/ reindex .*\d+ indexed, 0 dead letters/);
    // The copy is of the old version's form.
    const backups = join(server.root, 'var/lib/masthead-backups');
    const copy = new DatabaseSync(join(backups, readdirSync(backups)[0] ?? '', 'masthead.db'));
    expect(copy.prepare('PRAGMA user_version').get()).toEqual({ user_version: 31 });
    copy.close();
  });

  /* A minute: only in the long form. */
  const onEngines = isLong && mongodb && elasticsearch ? [{ mongodb, elasticsearch }] : [];
  it.each(onEngines)(
    'work on engines under systemd, and searches are answered meanwhile',
    async ({ mongodb, elasticsearch }) => {
      const database = newTestDatabase(mongodb);
      await putOldDocuments('1.2', database);
      const engine = new Client({ node: elasticsearch });
      const settings = { MONGODB_URI: database.uri, ELASTICSEARCH_URL: elasticsearch, INDEX_ALIAS: database.name };
      const server = install(settings);
      await server.run(`${installUnits}\nsystemctl daemon-reload && systemctl start masthead-sync`);
      await expect.poll(() => server.logOf('masthead-sync')).toMatch(/Following|^Node\.js v/m);
      await server.run('systemctl start masthead');
      const oldUrl = await served(() => server.logOf('masthead'));
      const before = await total(oldUrl);
      const indexes = async () => Object.keys(await engine.indices.get({ index: `${database.name}*` }));
      const [oldIndex] = await indexes();

      server.release();
      const steps = blockFor('systemd, engines').replace('REPOSITORY', join(server.root, 'remote.git'));
      const [clone = '', whileItServes = '', afterwards = ''] = steps.split(/^(?=node scripts)|^(?=systemctl stop)/m);
      await server.run(clone, '/');
      const newCheckout = join(server.root, 'opt/masthead-new');
      server.linkPackages(newCheckout);
      let answers = 0;
      const ahead = server.run(whileItServes, newCheckout).then((output) => {
        expect(output).toMatch(/^ok +upgrade: an upgrade is due: [\s\S]*records? indexed and compared/m);
        return 'built';
      });
      while ((await Promise.race([ahead, pause(100, 'building')])) === 'building') {
        expect(await total(oldUrl)).toBe(before);
        answers += 1;
      }
      expect(answers).toBeGreaterThan(0);

      await server.run(afterwards, newCheckout);
      const url = await served(() => server.logOf('masthead'));
      await expect.poll(async () => (await fetch(`${url}/readyz`)).status).toBe(200);
      expect(await total(url)).toBe(before);
      await expect.poll(indexes).not.toContain(oldIndex);
      await server.run('systemctl stop masthead masthead-sync');
      await engine.close();
      await database.close();
    },
  );
});
