import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCommand } from '#testing/processes.ts';
import { useFolder } from '#testing/use.ts';

const root = join(import.meta.dirname, '../..');

describe('.env', () => {
  const folder = useFolder();

  it('is read by npm start, npm run indexer and npm run admin', async () => {
    const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
    for (const name of ['start', 'indexer', 'admin']) {
      expect(scripts[name]).toMatch(/^node (?:--\S+=\S+ ){0,2}--import \.\/scripts\/read-env-file\.mjs \S+\.ts$/);
    }
  });

  it('sets what the environment does not, and may be missing', async () => {
    const issue = (given: Record<string, string>) =>
      runCommand(
        [
          ...['--import', join(root, 'scripts/read-env-file.mjs'), join(root, 'admin/main.ts')],
          ...['keys', 'issue', '--tier', 'pro', '--days', '1', '--json'],
        ],
        given,
        { cwd: folder },
      );
    expect(await issue({ MASTHEAD_DATA_DIR: 'from-environment' })).toMatchObject({ code: 0, stderr: '' });
    await writeFile(join(folder, '.env'), '# settings\nMASTHEAD_DATA_DIR=from-file\nLOG_LEVEL="warn"\n');
    expect(await issue({})).toMatchObject({ code: 0, stderr: '' });
    expect((await readdir(folder)).toSorted()).toEqual(['.env', 'from-environment', 'from-file']);
    await rm(join(folder, 'from-file'), { recursive: true });
    expect(await issue({ MASTHEAD_DATA_DIR: 'from-environment' })).toMatchObject({ code: 0 });
    expect((await readdir(folder)).toSorted()).toEqual(['.env', 'from-environment']);
    await writeFile(join(folder, '.env'), 'MASTHEAD_DATADIR=elsewhere\nMY_OWN_VARIABLE=1\n');
    const misspelt = 'MASTHEAD_DATADIR is not a setting and has no effect. Did you mean MASTHEAD_DATA_DIR?';
    expect((await issue({})).stderr).toBe(`masthead: ${misspelt}\n`);
  });
});
