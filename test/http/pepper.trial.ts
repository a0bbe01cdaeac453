import { mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hasEngines, openOnEngines } from '#testing/backends.ts';
import { makeDataFolder } from '#testing/embedded-store.ts';
import { runCommand, type ServiceProcess, startService } from '#testing/processes.ts';
import { runHere } from '#testing/run-here.ts';
import { useFolders } from '#testing/use.ts';

const otherPepper = 'z'.repeat(40);
const issue = ['admin/main.ts', 'keys', 'issue', '--tier', 'pro', '--days', '1'];
const replace = ['admin/main.ts', 'pepper', 'replace'];

/** The service as a separate process whose exit is checked; an operator's command runs in this process. */
const runProgram = (args: readonly string[], given: Record<string, string>) =>
  args[0] === 'src/main.ts' ? runCommand(args, given) : runHere(args, given);

interface Settings {
  /** The settings of the first start, with its pepper or without one. */
  own: Record<string, string>;
  /** Makes them look like those of a process with another pepper. */
  other: Record<string, string>;
  close(): Promise<void>;
}

const backends: { name: string; open(): Promise<Settings> }[] = [{ name: 'embedded', open: openEmbedded }];
if (hasEngines) backends.push({ name: 'MongoDB and Elasticsearch', open: openForPepper });

async function openEmbedded(): Promise<Settings> {
  const parent = await mkdtemp(join(tmpdir(), 'masthead-pepper-'));
  const dataDir = join(parent, 'data');
  await makeDataFolder(dataDir);
  return {
    own: { MASTHEAD_DATA_DIR: dataDir },
    other: { KEY_PEPPER: otherPepper },
    close: () => rm(parent, { recursive: true }),
  };
}

async function openForPepper(): Promise<Settings> {
  const { settings, reindex, close } = await openOnEngines();
  await reindex(true);
  return { own: settings, other: { KEY_PEPPER: otherPepper }, close };
}

/** An unclaimed order, as a buyer has it. */
async function checkOut({ url }: ServiceProcess): Promise<{ order_id: string; claim_token: string }> {
  const answer = await fetch(`${url}/api/v1/checkout`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: '{"tier":"pro"}',
  });
  const order = (await answer.json()) as { order_id: string; claim_token: string };
  await fetch(`${url}/sandbox/${order.order_id}/pay`, { method: 'POST' });
  return order;
}

async function claim({ url }: ServiceProcess, order: { order_id: string; claim_token: string }) {
  return fetch(`${url}/api/v1/orders/${order.order_id}?claim_token=${order.claim_token}`);
}

describe.each(backends)('a service with a different pepper, $name', ({ open }) => {
  let settings: Settings;
  const running = new Set<ServiceProcess>();
  beforeEach(async () => {
    settings = await open();
  });
  afterEach(async () => {
    for (const service of running) await stop(service);
    await settings.close();
  });

  async function start(given: Record<string, string> = {}): Promise<ServiceProcess> {
    const service = await startService({ ...settings.own, ...given });
    running.add(service);
    return service;
  }
  async function stop(service: ServiceProcess): Promise<void> {
    running.delete(service);
    service.process.kill('SIGKILL');
    await service.ended;
  }
  const run = (command: string[], given: Record<string, string> = {}) =>
    runProgram(command, { ...settings.own, ...given });

  it('does not start, and its commands make no key', async () => {
    const first = await start();
    const order = await checkOut(first);
    await stop(first);
    for (const command of [['src/main.ts'], issue]) {
      const { code, stdout, stderr } = await run(command, settings.other);
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toMatch(
        /^masthead: KEY_PEPPER is not the key pepper that this store has used since 20\S+Z\. Set KEY_PEPPER to its former value.*: npm run admin -- pepper replace$/m,
      );
      expect(stderr).not.toContain(otherPepper);
    }
    const again = await start();
    expect(await (await claim(again, order)).json()).toMatchObject({ status: 'paid', api_key: expect.any(String) });
  });

  it('starts after an operator has replaced the pepper, which is audited', async () => {
    const { stdout: key } = await run(issue);
    expect((await run(issue, settings.other)).code).toBe(1);
    const replaced = await run(replace, settings.other);
    expect(replaced).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^KEY_PEPPER is now the key pepper /),
    });
    const service = await start(settings.other);
    const headers = { Authorization: `Bearer ${key.trim()}` };
    expect((await fetch(`${service.url}/api/v1/me`, { headers })).status).toBe(401);
    const audit = JSON.parse((await run(['admin/main.ts', 'audit', '--json'])).stdout);
    expect(audit).toContainEqual(expect.objectContaining({ action: 'pepper replace', subject: 'the key pepper' }));
  });
});

describe('a data folder whose key pepper is lost', () => {
  const newFolder = useFolders();
  let settings: Record<string, string>;
  let dataDir: string;
  let file: string;
  beforeEach(async () => {
    dataDir = join(newFolder(), 'data');
    settings = { MASTHEAD_DATA_DIR: dataDir };
    await makeDataFolder(dataDir);
    file = join(dataDir, 'key-pepper');
  });

  it('does not start while a key or an unclaimed order depends on it, and starts once it is restored', async () => {
    const first = await startService(settings);
    const order = await checkOut(first);
    first.process.kill('SIGKILL');
    await first.ended;
    await rename(file, `${dataDir} kept`);
    for (const command of [['src/main.ts'], issue]) {
      const { code, stderr } = await runProgram(command, settings);
      expect(code).toBe(1);
      expect(stderr).toMatch(/^masthead: \S+key-pepper is missing\. Restore the file from a backup/);
    }
    expect(await readdir(dataDir)).not.toContain('key-pepper');
    await rename(`${dataDir} kept`, file);
    const again = await startService(settings);
    expect((await claim(again, order)).status).toBe(200);
    again.process.kill('SIGKILL');
    await again.ended;
  });

  it('gets a new one from an operator who gives up what depends on it', async () => {
    expect((await runHere(issue, settings)).code).toBe(0);
    await rm(file);
    expect((await runHere(issue, settings)).stderr).toMatch(
      /key-pepper is missing\..*npm run admin -- pepper replace$/m,
    );
    const { code, stdout } = await runHere(replace, settings);
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringMatching(/key-pepper is now the key pepper /),
    });
    expect((await runHere(issue, settings)).code).toBe(0);
  });
});
