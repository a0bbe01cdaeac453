import { describe, expect, it } from 'vitest';
import { ImportBench } from '#test/indexer/importing/import-bench.ts';
import { useOne } from '#testing/use.ts';
import { daysAfter } from '#text/days.ts';

const daysAgo = (days: number) => daysAfter(new Date(), -days);

const rows = [
  'id,kind,name,url,email,email_status,last_verified_at,country,contact_name',
  `1,outlet,The Herald,https://herald.example/,jane.doe@group.example,valid,${daysAgo(1)},GB,`,
  `2,outlet,The Herald,https://www.herald.example/,JANE.DOE@group.example,valid,${daysAgo(60)},GB,`,
  `3,outlet,<b>&"Evening",https://herald.example/evening,jane.doe@group.example,,,IE,`,
  `4,podcast,Night Talk,,talk@night.example,invalid,${daysAgo(400)},,`,
  '6,podcast,Silent Talk,,,,,,',
  '5,podcast,Day Talk,,dee@day.example,invalid,,,Dee Four',
  '5,podcast,Day Talk,,news@day.example,valid,,,',
  '',
].join('\n');

describe('the command report', () => {
  const bench = useOne(ImportBench.open);

  const run = (...args: string[]) => bench.run('report', ...args);

  it('counts the records of each kind, and each of their contacts by the status of its address and the age of the last check', async () => {
    expect(JSON.parse((await run('--json')).stdout)[3]).toMatchObject({ kind: 'all', records: 0, with_email: 0 });
    await bench.importText('rows.csv', rows);
    const { stdout, stderr, code } = await run('--json');
    expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
    expect(JSON.parse(stdout)).toMatchObject([
      {
        kind: 'outlet',
        records: 3,
        contacts: 3,
        people: 0,
        with_email: 3,
        valid: 2,
        unknown: 1,
        checked_3_months: 2,
        never: 1,
      },
      { kind: 'podcast', records: 3, contacts: 3, people: 1, with_email: 3, valid: 1, invalid: 2, older: 1, never: 2 },
      { kind: 'newsletter', records: 0 },
      {
        kind: 'all',
        records: 6,
        contacts: 6,
        with_email: 6,
        valid: 3,
        invalid: 2,
        checked_3_months: 2,
        older: 1,
        never: 3,
      },
    ]);
    expect((await run()).stdout).toMatch(
      /^kind +records +contacts +people +with_email +valid .*\noutlet +3 +3 +0 +3 +2 /,
    );
  });
});
