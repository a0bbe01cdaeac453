import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openEmbeddedForTest, type TestBackend } from '#testing/backends.ts';
import { madeRecord } from '#testing/made-record.ts';
import { runHere } from '#testing/run-here.ts';

const record = madeRecord({ id: 'a', kind: 'outlet', name: 'Herald', email: 'desk@herald.example' });

describe('the command export', () => {
  let backend: TestBackend;
  let folder: string;
  beforeEach(async () => {
    backend = await openEmbeddedForTest();
    await backend.load([record]);
    folder = await mkdtemp(join(tmpdir(), 'masthead-export-'));
  });
  afterEach(async () => {
    await backend.close();
    await rm(folder, { recursive: true });
  });
  const run = (...args: string[]) =>
    runHere(['indexer/main.ts', ...args], { MASTHEAD_DATA_DIR: (backend.stored as { dataDir: string }).dataDir });

  it('writes a file for its owner alone, and nothing beside it', async () => {
    expect((await run('export', join(folder, 'a.csv'))).stdout).toBe('1 record exported\n');
    expect((await stat(join(folder, 'a.csv'))).mode & 0o777).toBe(0o600);
    expect(await readdir(folder)).toEqual(['a.csv']);
  });

  it('writes to standard output', async () => {
    const { stdout } = await run('export', '-');
    expect(JSON.parse(stdout)).toEqual(record);
  });

  it('replaces a file only with --force', async () => {
    await writeFile(join(folder, 'a.csv'), 'mine');
    const { code, stderr } = await run('export', join(folder, 'a.csv'));
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('--force') });
    expect(await readFile(join(folder, 'a.csv'), 'utf8')).toBe('mine');
    expect(await run('export', join(folder, 'a.csv'), '--force')).toMatchObject({ code: 0 });
  });

  it.each([
    [['a.txt'], '.ndjson or .csv'],
    [['a.csv', '--filter', 'country'], 'name=value'],
    [['a.csv', '--filter', 'contry=US'], 'country'],
    [['a.csv', '--filter', 'kind=outlett'], 'outlet'],
  ])('refuses %j', async ([file = '', ...flags], reason) => {
    const { code, stderr } = await run('export', join(folder, file), ...flags);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(reason) });
    expect(await readdir(folder)).toEqual([]);
  });

  it('is audited, with its filters', async () => {
    await run('export', join(folder, 'a.csv'), '--filter', 'kind=outlet');
    const [entry] = await backend.audit.list(1);
    expect(entry).toMatchObject({
      action: 'export',
      subject: expect.stringContaining('kind=outlet'),
      outcome: '1 record exported',
    });
  });
});
