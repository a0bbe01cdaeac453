import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeEach, describe, expect, it } from 'vitest';
import { keyPepperPath, makeKeyPepper, readKeyPepper } from '#backends/embedded/key-pepper.ts';
import { processEnvironment } from '#testing/processes.ts';
import { useFolders } from '#testing/use.ts';

const run = promisify(execFile);

describe('the key pepper of a data folder', () => {
  const newFolder = useFolders();
  let dataDir: string;
  beforeEach(() => {
    dataDir = join(newFolder(), 'data');
  });

  it('is created once with 256 random bits, readable only by its owner', async () => {
    expect(readKeyPepper(dataDir)).toBeNull();
    const pepper = makeKeyPepper(dataDir);
    expect(pepper).toMatch(/^[0-9a-f]{64}$/);
    expect(makeKeyPepper(dataDir)).toBe(pepper);
    expect(readKeyPepper(dataDir)).toBe(pepper);
    expect((await stat(keyPepperPath(dataDir))).mode & 0o777).toBe(0o600);
    expect(await readdir(dataDir)).toEqual(['key-pepper']);
  });

  it('must be a file', async () => {
    await mkdir(keyPepperPath(dataDir), { recursive: true });
    expect(() => readKeyPepper(dataDir)).toThrow(/key-pepper is a folder, but it must be the file with the key pepper/);
  });

  it('is the same for processes that create it at the same time', async () => {
    const script = `
      import { makeKeyPepper } from '#backends/embedded/key-pepper.ts';
      console.log(makeKeyPepper(${JSON.stringify(dataDir)}));`;
    const runs = Array.from({ length: 6 }, () =>
      run(process.execPath, ['--input-type=module', '-e', script], { env: processEnvironment() }),
    );
    const peppers = (await Promise.all(runs)).map(({ stdout }) => stdout.trim());
    expect(new Set(peppers).size).toBe(1);
    expect((await readFile(keyPepperPath(dataDir), 'utf8')).trim()).toBe(peppers[0]);
    expect(await readdir(dataDir)).toEqual(['key-pepper']);
  });

  it.each(['', 'short', 'z'.repeat(64)])('is neither used nor replaced if it is damaged: %j', async (damaged) => {
    await mkdir(dataDir);
    await writeFile(keyPepperPath(dataDir), damaged);
    expect(() => readKeyPepper(dataDir)).toThrow(/is damaged.*backup/);
    expect(() => makeKeyPepper(dataDir)).toThrow(/is damaged.*backup/);
    expect(await readFile(keyPepperPath(dataDir), 'utf8')).toBe(damaged);
  });
});
