import { readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hasEngines, openOnEngines } from '#testing/backends.ts';
import { buy, readAccount, readOrder } from '#testing/buyer.ts';
import { makeDataFolder } from '#testing/embedded-store.ts';
import { runCommand, type ServiceProcess, startService } from '#testing/processes.ts';
import { runHere } from '#testing/run-here.ts';
import { useFolders } from '#testing/use.ts';

const other = { KEY_PEPPER: 'z'.repeat(40) };
const issue = ['admin/main.ts', 'keys', 'issue', '--tier', 'pro', '--days', '1'];
const replace = ['admin/main.ts', 'pepper', 'replace'];
const away = { ELASTICSEARCH_URL: 'http://nowhere.invalid' };

/** The service as a separate process whose exit is checked; an operator's command runs in this process, without Elasticsearch. */
const runProgram = (args: readonly string[], given: Record<string, string>) =>
  args[0] === 'src/main.ts' ? runCommand(args, given) : runHere(args, { ...given, ...(given.MONGODB_URI && away) });

const newFolder = useFolders();

async function newDataFolder(): Promise<string> {
  const dataDir = join(newFolder(), 'data');
  await makeDataFolder(dataDir);
  return dataDir;
}

/** The settings of a store that has a pepper or makes one at its first start. */
const stores: { name: string; open(): Promise<{ settings: Record<string, string>; close?(): Promise<void> }> }[] = [
  { name: 'embedded', open: async () => ({ settings: { MASTHEAD_DATA_DIR: await newDataFolder() } }) },
];
if (hasEngines) stores.push({ name: 'MongoDB and Elasticsearch', open: openEngines });

async function openEngines() {
  const production = await openOnEngines();
  await production.reindex(true);
  return production;
}

const running = new Set<ServiceProcess>();

async function start(settings: Record<string, string>): Promise<ServiceProcess> {
  const service = await startService(settings);
  running.add(service);
  return service;
}

async function stopAll(): Promise<void> {
  await Promise.all([...running].map((service) => service.close()));
  running.clear();
}

afterEach(stopAll);

describe.each(stores)('a service with a different pepper, $name', ({ open }) => {
  let settings: Record<string, string>;
  beforeEach(async () => {
    const store = await open();
    settings = store.settings;
    return store.close;
  });

  it('does not start, and its commands make no key', async () => {
    const { url } = await start(settings);
    const purchase = await buy(() => url);
    await stopAll();
    for (const command of [['src/main.ts'], issue]) {
      const { code, stdout, stderr } = await runProgram(command, { ...settings, ...other });
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toMatch(
        /^masthead: KEY_PEPPER is not the key pepper that this store has used since 20\S+Z\. Set KEY_PEPPER to its former value.*: npm run admin -- pepper replace$/m,
      );
      expect(stderr).not.toContain(other.KEY_PEPPER);
    }
    const again = await start(settings);
    expect(await readOrder(() => again.url, purchase)).toMatchObject({ status: 'paid', api_key: expect.any(String) });
  });

  it('starts after an operator has replaced the pepper', async () => {
    const { stdout: key } = await runHere(issue, settings);
    const replaced = await runHere(replace, { ...settings, ...other });
    expect(replaced).toMatchObject({ code: 0, stdout: expect.stringMatching(/^KEY_PEPPER is now the key pepper /) });
    const { url } = await start({ ...settings, ...other });
    expect(await readAccount(() => url, key.trim())).toBeNull();
  });
});

describe('a data folder whose key pepper is lost', () => {
  let settings: Record<string, string>;
  let file: string;
  beforeEach(async () => {
    const dataDir = await newDataFolder();
    settings = { MASTHEAD_DATA_DIR: dataDir };
    file = join(dataDir, 'key-pepper');
  });

  it('does not start while a key or an unclaimed order depends on it, and starts once it is restored', async () => {
    const { url } = await start(settings);
    const purchase = await buy(() => url);
    await stopAll();
    await rename(file, `${file} kept`);
    for (const command of [['src/main.ts'], issue]) {
      const { code, stderr } = await runProgram(command, settings);
      expect(code).toBe(1);
      expect(stderr).toMatch(/^masthead: \S+key-pepper is missing\. Restore the file from a backup/);
    }
    expect(await readdir(settings.MASTHEAD_DATA_DIR ?? '')).not.toContain('key-pepper');
    await rename(`${file} kept`, file);
    const again = await start(settings);
    expect((await readOrder(() => again.url, purchase)).status).toBe('paid');
  });

  it('gets a new one from an operator who gives up what depends on it', async () => {
    expect((await runHere(issue, settings)).code).toBe(0);
    await rm(file);
    expect((await runHere(issue, settings)).stderr).toMatch(
      /key-pepper is missing\..*npm run admin -- pepper replace$/m,
    );
    const { code, stdout } = await runHere(replace, settings);
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/key-pepper is now the key pepper /) });
    expect((await runHere(issue, settings)).code).toBe(0);
  });
});
