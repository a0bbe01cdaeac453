import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { keyPepperPath, readOrMakeKeyPepper } from '#backends/embedded/key-pepper.ts';
import { openEmbedded } from '#backends/embedded/open-embedded.ts';
import { processEnvironment } from '#test/process-environment.ts';
import { issueKey } from '#usecases/issue-key.ts';

const run = promisify(execFile);
const noKeys = { list: async () => [] };

describe('the key pepper of a data folder', () => {
  let parent: string;
  let dataDir: string;
  beforeEach(async () => {
    parent = await mkdtemp(join(tmpdir(), 'masthead-pepper-'));
    dataDir = join(parent, 'data');
  });
  afterEach(() => rm(parent, { recursive: true }));

  it('is made once, of 256 random bits, and readable by its owner alone', async () => {
    const pepper = await readOrMakeKeyPepper(dataDir, noKeys);
    expect(pepper).toMatch(/^[0-9a-f]{64}$/);
    expect(await readOrMakeKeyPepper(dataDir, noKeys)).toBe(pepper);
    expect((await stat(keyPepperPath(dataDir))).mode & 0o777).toBe(0o600);
    expect(await readdir(dataDir)).toEqual(['key-pepper']);
  });

  it('is the same for processes that start at the same moment', async () => {
    const script = `
      import { readOrMakeKeyPepper } from '#backends/embedded/key-pepper.ts';
      console.log(await readOrMakeKeyPepper(${JSON.stringify(dataDir)}, { list: async () => [] }));`;
    const runs = Array.from({ length: 6 }, () =>
      run(process.execPath, ['--input-type=module', '-e', script], { env: processEnvironment() }),
    );
    const peppers = (await Promise.all(runs)).map(({ stdout }) => stdout.trim());
    expect(new Set(peppers).size).toBe(1);
    expect((await readFile(keyPepperPath(dataDir), 'utf8')).trim()).toBe(peppers[0]);
    expect(await readdir(dataDir)).toEqual(['key-pepper']);
  });

  it.each(['', 'short', 'z'.repeat(64)])('is not made anew over a damaged one: %j', async (damaged) => {
    await mkdir(dataDir);
    await writeFile(keyPepperPath(dataDir), damaged);
    await expect(readOrMakeKeyPepper(dataDir, noKeys)).rejects.toThrow(/is damaged.*backup/);
    expect(await readFile(keyPepperPath(dataDir), 'utf8')).toBe(damaged);
  });

  it('is not made anew where it is lost and keys were made under it', async () => {
    const store = openEmbedded({ dataDir, say: () => {} });
    const grant = { tier: 'pro', days: 1, email: null } as const;
    await issueKey({ ...store, operator: 'test' }, await readOrMakeKeyPepper(dataDir, store.keys), grant, new Date());
    await rm(keyPepperPath(dataDir));
    await expect(readOrMakeKeyPepper(dataDir, store.keys)).rejects.toThrow(
      /key-pepper is missing, and 1 key was made under it. Bring it back from a backup/,
    );
    expect(await readdir(dataDir)).not.toContain('key-pepper');
    await store.close();
  });
});
