import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ImportBench } from '#test/indexer/importing/import-bench.ts';
import { runHere } from '#testing/run-here.ts';

const daysAgo = (days: number) => new Date(Date.now() - days * 24 * 60 * 60 * 1_000).toISOString();

const rows = [
  'id,kind,name,url,email,email_status,last_verified_at,country',
  `1,outlet,The Herald,https://herald.example/,jane.doe@group.example,valid,${daysAgo(1)},GB`,
  `2,outlet,The Herald,https://www.herald.example/,JANE.DOE@group.example,valid,${daysAgo(60)},GB`,
  `3,outlet,<b>&"Evening",https://herald.example/evening,jane.doe@group.example,,,IE`,
  `4,podcast,Night Talk,,talk@night.example,invalid,${daysAgo(400)},`,
  '5,podcast,Day Talk,,,,,',
  '',
].join('\n');

describe('the command report', () => {
  let bench: ImportBench;
  beforeAll(async () => {
    bench = await ImportBench.open();
  });
  afterAll(() => bench.close());

  const run = (...args: string[]) =>
    runHere(['indexer/main.ts', 'report', ...args], { MASTHEAD_DATA_DIR: join(bench.folder, 'data') });

  it('works for an empty store', async () => {
    expect(await run()).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(/^0 records\. No dup/) });
    await bench.importText('rows.csv', rows);
  });

  it('counts known fields by kind and country, the age of addresses, and duplicates', async () => {
    const { stdout, stderr, code } = await run('--json');
    const report = JSON.parse(stdout);
    expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
    expect(report).toMatchObject({
      records: 5,
      with: { url: 3, email: 4, country: 3, phone: 0 },
      verified: { last_30_days: 1, last_90_days: 1, last_year: 0, older: 1, never: 1 },
      email_statuses: { valid: 2, invalid: 1, unknown: 1 },
      duplicates: { groups: 1, records: 2 },
    });
    expect(report.kinds.map(({ kind, records }: { kind: string; records: number }) => [kind, records])).toEqual([
      ['outlet', 3],
      ['podcast', 2],
      ['newsletter', 0],
    ]);
    expect(report.countries[0]).toMatchObject({ country: 'GB', country_name: 'United Kingdom', records: 2 });
    expect(report.kinds_by_country).toHaveLength(3);
  });

  it('names what many records share, with masks for addresses', async () => {
    const report = JSON.parse((await run('--json')).stdout);
    expect(report.shared_emails).toEqual([{ value: 'j***@group.example', records: 3, example: '1' }]);
    expect(report.shared_hosts).toEqual([{ value: 'herald.example', records: 3, example: '1' }]);
    for (const args of [[], ['--json']]) expect((await run(...args)).stdout.toLowerCase()).not.toContain('jane.doe');
  });

  it('prints tables for people', async () => {
    const { stdout } = await run();
    expect(stdout).toContain('5 records. 1 group of duplicates with 2 records');
    expect(stdout).toMatch(/^outlet +3 +100 %/m);
    expect(stdout).toMatch(/^United Kingdom +2/m);
    expect(stdout).toMatch(/^j\*\*\*@group\.example +3 +1$/m);
  });
});
