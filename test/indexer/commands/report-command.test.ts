import { describe, expect, it } from 'vitest';
import { ImportBench } from '#test/indexer/importing/import-bench.ts';
import { useOne } from '#testing/use.ts';
import { daysAfter } from '#text/days.ts';

const daysAgo = (days: number) => daysAfter(new Date(), -days);

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
  const bench = useOne(ImportBench.open);

  const run = (...args: string[]) => bench.run('report', ...args);

  it('counts the records of each kind, their addresses by status, and the age of the last check', async () => {
    expect(JSON.parse((await run('--json')).stdout)[3]).toMatchObject({ kind: 'all', records: 0, with_email: 0 });
    await bench.importText('rows.csv', rows);
    const { stdout, stderr, code } = await run('--json');
    expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
    expect(JSON.parse(stdout)).toMatchObject([
      { kind: 'outlet', records: 3, with_email: 3, valid: 2, unknown: 1, checked_3_months: 2, never: 1 },
      { kind: 'podcast', records: 2, with_email: 1, invalid: 1, older: 1 },
      { kind: 'newsletter', records: 0 },
      { kind: 'all', records: 5, with_email: 4, valid: 2, invalid: 1, checked_3_months: 2, older: 1, never: 1 },
    ]);
    expect((await run()).stdout).toMatch(/^kind +records +with_email +valid .*\noutlet +3 +3 +2 /);
  });
});
