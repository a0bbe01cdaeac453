import { execFile } from 'node:child_process';
import { readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { useFolder } from '#testing/use.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../..', import.meta.url));

/** Writes to every file that the product makes in a data folder, and closes nothing, so that SQLite's own files stay. */
const writeEverything = `
  import { backUp } from '#backends/embedded/back-up.ts';
  import { makeKeyPepper } from '#backends/embedded/key-pepper.ts';
  import { importFiles } from '#indexer/importing/run-import.ts';
  import { openIndexer } from '#indexer/open-indexer.ts';

  const [dataDir, rejected, copy] = process.argv.slice(1);
  const { records, index } = await openIndexer({ dataDir });
  makeKeyPepper(dataDir);
  await importFiles([rejected], {
    records, dryRun: false, removesSample: false, kind: null, rejectsFolder: dataDir + '/rejects',
  });
  await index.findMany(['nobody'], 'masked');
  await backUp(dataDir, copy);
  process.exit(0);`;

describe.skipIf(process.platform === 'win32')('the files of a data folder', () => {
  const parent = useFolder();
  const dataDir = join(parent, 'data');

  /** The permissions of a folder and all in it, by their paths below it. */
  async function permissions(folder: string): Promise<Record<string, string>> {
    const names = ['.', ...(await readdir(folder, { recursive: true }))];
    const modes = await Promise.all(
      names.map(async (name) => ((await stat(join(folder, name))).mode & 0o777).toString(8)),
    );
    return Object.fromEntries(names.map((name, place) => [name, modes[place] ?? '']));
  }

  it('belong to their owner only, whatever the umask, and so do backups and the folders made for them', async () => {
    const rejected = join(parent, 'rejected.csv');
    await writeFile(rejected, 'kind,name\nnewspaper?,\n');
    const backups = join(parent, 'backups');
    const shell = ['-c', 'umask 0; exec "$0" --input-type=module -e "$@"', process.execPath];
    await run('sh', [...shell, writeEverything, dataDir, rejected, join(backups, 'monday')], { cwd: root });
    const found = await permissions(dataDir);
    const rejects = Object.keys(found).find((name) => name.startsWith('rejects/')) ?? expect.fail('no rejects file');
    expect(found).toEqual({
      '.': '700',
      'key-pepper': '600',
      'masthead.db': '600',
      'masthead.db-shm': '600',
      'masthead.db-wal': '600',
      rejects: '700',
      [rejects]: '600',
    });
    expect(await permissions(backups)).toEqual({
      '.': '700',
      monday: '700',
      'monday/key-pepper': '600',
      'monday/masthead.db': '600',
    });
  });
});
