import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { BounceReader } from '#indexer/records/read-bounces.ts';
import { readCases } from '#testing/cases.ts';
import { useEach } from '#testing/use.ts';
import { ImportBench } from '../importing/import-bench.ts';

describe('what became of mail', () => {
  it.each(
    readCases<[tool: string, headings: string, cells: string, delivery: string]>(
      new URL('bounces.tsv', import.meta.url),
    ),
  )('as %s writes it under %s: %s is %s', (_, headings, cells, delivery) => {
    const row = cells.split(',');
    const reader = new BounceReader(headings.split(','), [row]);
    expect(reader.read(row)).toEqual({ email: 'b@x.example', delivery });
  });
});

describe('the command bounces', () => {
  const bench = useEach(ImportBench.open);
  const list =
    'kind,outlet,contact name,email\noutlet,Daily A,Ann One,ann@x.example\noutlet,Daily A,Bob Two,bob@x.example\n';

  it('marks what bounced hard, lists who unsubscribed, can be undone, and shows no address', async () => {
    await bench.importText('list.csv', list);
    const path = await bench.write(
      'bounces.csv',
      'Email Address,Status\nBob@x.example,bounced\nann@x.example,unsubscribed\ngone@x.example,bounced\n',
    );
    const statuses = async () =>
      [...(await bench.records()).values()].flatMap(({ contacts }) => contacts.map((one) => one.email_status));
    expect(JSON.parse((await bench.run('bounces', path, '--dry-run', '--json')).stdout)).toMatchObject({ known: 1 });
    expect(await statuses()).toEqual([null, null]);
    const { code, stdout, stderr } = await bench.run('bounces', path);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('1 known, 0 of them unchanged, 1 unknown');
    expect(stdout).not.toMatch(/@x/);
    expect(await statuses()).toEqual([null, 'invalid']);
    const [, unsubscribed = ''] = /suppress --from (\S+)/.exec(stdout) ?? [];
    expect(await readFile(unsubscribed, 'utf8')).toBe('address ann@x.example\n');
    const [, changeSet = ''] = /imports undo (\S+)/.exec(stdout) ?? [];
    expect(await bench.run('imports', 'undo', changeSet)).toMatchObject({ code: 0 });
    expect(await statuses()).toEqual([null, null]);
  });

  it('exits with 1 for rows that it cannot read, and refuses a file without a status', async () => {
    const rows = await bench.write('rows.csv', 'email,status\nann@x.example,purple\nnobody,bounced\n');
    const { code, stderr } = await bench.run('bounces', rows);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('2 rows could not be read') });
    const bare = await bench.write('bare.csv', 'email,name\nann@x.example,Ann\n');
    const refused = await bench.run('bounces', bare);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(/bare\.csv has no column that says what became of mail/);
  });
});
