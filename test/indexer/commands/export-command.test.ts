import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ImportBench } from '#test/indexer/importing/import-bench.ts';
import { madeRecord } from '#testing/made-record.ts';
import { useEach } from '#testing/use.ts';

const record = madeRecord({ id: 'a', kind: 'outlet', name: 'Herald', email: 'desk@herald.example' });

describe('the command export', () => {
  const bench = useEach(ImportBench.open, (bench) => bench.backends.records.merge([record]));
  const run = (...args: string[]) => bench.run(...args);
  const at = (name: string) => join(bench.folder, name);

  it('writes a file for its owner alone, and nothing beside it', async () => {
    expect((await run('export', at('a.csv'))).stdout).toBe('1 record exported\n');
    expect((await stat(at('a.csv'))).mode & 0o777).toBe(0o600);
    expect(await readdir(bench.folder)).toEqual(['a.csv', 'data']);
  });

  it('writes to standard output', async () => {
    const { stdout } = await run('export', '-');
    expect(JSON.parse(stdout)).toEqual(record);
  });

  it('replaces a file only with --force', async () => {
    await writeFile(at('a.csv'), 'mine');
    const { code, stderr } = await run('export', at('a.csv'));
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('--force') });
    expect(await readFile(at('a.csv'), 'utf8')).toBe('mine');
    expect(await run('export', at('a.csv'), '--force')).toMatchObject({ code: 0 });
  });

  it.each([
    [['a.txt'], '.ndjson or .csv'],
    [['a.csv', '--filter', 'country'], 'name=value'],
    [['a.csv', '--filter', 'contry=US'], 'Did you mean country?'],
    [['a.csv', '--filter', 'kind=outlett'], 'Did you mean outlet?'],
  ])('refuses %j', async ([file = '', ...flags], reason) => {
    const { code, stderr } = await run('export', at(file), ...flags);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(reason) });
    expect(await readdir(bench.folder)).toEqual(['data']);
  });

  it('is audited, with its filters', async () => {
    await run('export', at('a.csv'), '--filter', 'kind=outlet');
    const [entry] = await bench.backends.audit.list(1);
    expect(entry).toMatchObject({
      action: 'export',
      subject: expect.stringContaining('kind=outlet'),
      outcome: '1 record exported',
    });
  });
});
