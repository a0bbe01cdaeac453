import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { MediaRecord } from '#records/media-record.ts';
import { ImportBench } from '#test/indexer/importing/import-bench.ts';
import { processEnvironment, runCommand } from '#testing/processes.ts';
import { useEach } from '#testing/use.ts';

describe('the indexer command', () => {
  const bench = useEach(ImportBench.open);

  function start(...args: string[]): ChildProcessWithoutNullStreams {
    const env = processEnvironment({ MASTHEAD_DATA_DIR: join(bench.folder, 'data') });
    return spawn(process.execPath, ['indexer/main.ts', ...args], { env });
  }

  async function run(args: string[], input?: string) {
    const settings = { MASTHEAD_DATA_DIR: join(bench.folder, 'data') };
    const ended =
      input === undefined ? bench.run(...args) : runCommand(['indexer/main.ts', ...args], settings, { input });
    const { stdout, stderr, code: exit } = await ended;
    return { stdout, stderr, exit };
  }

  const csv = (...names: string[]) =>
    [
      'id,kind,name,email',
      ...names.map((name, index) => `${index + 1},outlet,${name},desk${index}@x.example`),
      '',
    ].join('\n');

  it('imports files, reports that, and exits with 0', async () => {
    const path = await bench.write('a.csv', csv('One', 'Two'));
    const { stdout, stderr, exit } = await run(['import', path]);
    expect(stdout).toContain('2 rows read = 2 created + 0 updated + 0 unchanged + 0 repeated + 0 rejected');
    expect({ stderr, exit }).toEqual({ stderr: '', exit: 0 });
    expect(await bench.backends.records.count()).toBe(2);
  });

  it('says on standard error why not every row was imported, even if standard output is discarded', async () => {
    const none = join(bench.folder, 'none.csv');
    const rejected = await bench.write('a.csv', csv('One', '', 'Three'));
    const broken = await bench.write('b.csv.gz', gzipSync(csv('One', 'Two')).subarray(0, -9));
    for (const flags of [[], ['--json']]) {
      const { exit, stderr } = await run(['import', none, rejected, broken, ...flags]);
      expect(exit).toBe(1);
      expect(stderr.trimEnd().split('\n')).toEqual([
        `masthead: ${none} does not exist. Nothing of it was imported.`,
        expect.stringMatching(
          /^masthead: 1 row of \S+a\.csv was rejected\. Correct and import them: \S+\.rejects\.csv$/,
        ),
        expect.stringMatching(
          /^masthead: \S+b\.csv\.gz is gzip, but damaged or truncated\. The rows before that are in\.$/,
        ),
      ]);
    }
  });

  it('reads standard input for -', async () => {
    const { stdout, exit } = await run(['import', '-'], csv('One'));
    expect(stdout).toContain('standard input (csv): 1 row read');
    expect(exit).toBe(0);
  });

  it('deletes records by id, and exits with 1 if one does not exist', async () => {
    await bench.importText('a.csv', csv('One', 'Two', 'Three'));
    const deleted = { exit: 0, stdout: expect.stringMatching(/^2 records deleted\. To undo it: .* undo [\w-]+\n$/) };
    expect(await run(['delete', '1', ' 3 '])).toMatchObject(deleted);
    expect(await run(['delete', '1', '2'])).toMatchObject({
      exit: 1,
      stdout: expect.stringMatching(/^1 record deleted\./),
      stderr: 'masthead: No record has the id 1.\n',
    });
    expect(await bench.backends.records.count()).toBe(0);
  });

  it.each([
    [['import'], /missing required argument/],
    [['import', 'a.csv', '--kind', 'kiosk'], /outlet, podcast, newsletter/],
    [['sample', 'many'], /whole number/],
    [['inport', 'a.csv'], /import/],
  ])('says what to use after %j', async (args, message) => {
    const { exit, stderr } = await run(args);
    expect(exit).toBe(2);
    expect(stderr).toMatch(message);
  });

  it('gives the same result after kill -9 midway and a second run', async () => {
    const rows = Array.from({ length: 2_500 }, (_, index) => `${index % 2_200},outlet,Outlet ${index},Rome,IT`);
    const lines = ['id,kind,name,city,country', ...rows, ''].join('\n');
    const path = await bench.write('a.csv', lines);
    const database = new DatabaseSync(join(bench.folder, 'data', 'masthead.db'));
    database.exec(`CREATE VIEW endless AS WITH RECURSIVE n (x) AS (VALUES (1) UNION ALL SELECT x + 1 FROM n) SELECT x FROM n;
      CREATE TRIGGER hold BEFORE INSERT ON records WHEN new.id = '1500' BEGIN SELECT max(x) FROM endless; END`);
    const child = start('import', path, '--json');
    await expect.poll(() => bench.backends.records.count()).toBe(1_000);
    child.kill('SIGKILL');
    await once(child, 'close');
    expect(await bench.backends.records.count()).toBe(1_000);
    database.exec('DROP TRIGGER hold; DROP VIEW endless');
    database.close();
    await bench.import([path]);
    const whole = await ImportBench.open();
    onTestFinished(() => whole.close());
    await whole.importText('a.csv', lines);
    expect(withoutTimes(await bench.records())).toEqual(withoutTimes(await whole.records()));
  });
});

function withoutTimes(records: Map<string, MediaRecord>): unknown[] {
  const sorted = [...records.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1));
  return sorted.map(({ updated_at, created_at, ...record }) => record);
}
