import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ImportBench } from '#test/indexer/importing/import-bench.ts';
import { parseLines } from '#testing/lines.ts';
import { useOne } from '#testing/use.ts';

const rows = `id,kind,name,url,email,country,city,contact_name
1,outlet,The Herald,https://herald.example/,desk@herald.example,US,Springfield,
2,outlet,Herald,http://www.herald.example,,US,Springfield,
3,outlet,"=1+1, Post",https://post.example/,,US,Springfield,
3,outlet,"=1+1, Post",https://post.example/,ann@post.example,US,Springfield,Ann One
4,outlet,"=1+1, Post",https://post.example/,bob@post.example,US,,Bob Two
5,outlet,Other Post,https://other.example/,,US,Springfield,
6,outlet,Hidden News,https://hidden.example/,,US,Springfield,
7,outlet,Hidden News,https://hidden.example/,,US,Springfield,
`;

describe('the command duplicates', () => {
  const bench = useOne(ImportBench.open, async (bench) => {
    await bench.importText('rows.csv', rows);
    await run('suppress', '--record', '6');
  });

  const run = (...args: string[]) => bench.run(...args);

  it('prints the groups for people, with the best record first, with contacts, and drops none with an address that the kept one lacks', async () => {
    const { code, stdout, stderr } = await run('duplicates');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toBe(
      [
        '1. keep 1  The Herald · Springfield, US  https://herald.example/  10 fields',
        '        desk@herald.example',
        '   drop 2  Herald · Springfield, US  http://www.herald.example/  9 fields',
        '        100: same name but for an article or "and", same page, same city',
        '',
        '2. keep 3  =1+1, Post · Springfield, US  https://post.example/  11 fields',
        '        Ann One, ann@post.example',
        '   look 4  =1+1, Post · US  https://post.example/  9 fields',
        '        Bob Two, bob@post.example',
        '        100: same name, same page, same country; but an address that the kept one lacks',
        '',
        '6 records searched: 2 groups of 4 records.',
        '',
      ].join('\n'),
    );
  });

  it('prints each group as a line of JSON, then the totals', async () => {
    const { stdout } = await run('duplicates', '--json');
    const [group, other, totals] = parseLines(stdout);
    expect(group).toMatchObject({ keep: { id: '1' }, drop: [{ record: { id: '2' }, like: '1', score: 100 }] });
    expect(totals).toEqual({ searched: 6, groups: 2, records: 4, left_out: {}, output: null });
    expect(other).toMatchObject({ keep: { id: '3' } });
  });

  it('writes the groups to a file for spreadsheets', async () => {
    const file = join(bench.folder, 'duplicates.csv');
    const { code, stdout } = await run('duplicates', '--output', file);
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: `6 records searched: 2 groups of 4 records.\nWritten to ${file}.\n`,
    });
    const lines = (await readFile(file, 'utf8')).trimEnd().split('\r\n');
    expect(lines[0]).toBe(
      'group,action,id,name,city,country,url,contacts,fields,last_verified_at,score,like,reasons,against',
    );
    expect(lines.slice(1).map((line) => line.split(',', 3).join())).toEqual([
      '1,keep,1',
      '1,drop,2',
      '2,keep,3',
      '2,,4',
    ]);
    expect(lines[3]).toContain(`"'=1+1, Post"`);
    expect(lines[4]).toContain('"Bob Two, bob@post.example"');
  });

  it('replaces no file', async () => {
    const file = await bench.write('mine.csv', 'mine');
    const { code, stderr } = await run('duplicates', '--output', file);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('Delete it') });
    expect(await readFile(file, 'utf8')).toBe('mine');
  });
});
