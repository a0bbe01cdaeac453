import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import type { MediaRecord } from '#records/media-record.ts';
import { generateSample } from '#sample/generate-sample.ts';
import { testBackends } from '#testing/backends.ts';
import { madeContact } from '#testing/made-contact.ts';
import { madeRecord } from '#testing/made-record.ts';
import { runHere } from '#testing/run-here.ts';
import { useEach, useFolder } from '#testing/use.ts';

const [sample] = generateSample({ count: 1, seed: 7 });
const texts = { name: 'Ünïcode „Herald“ 人民 🗞️', aliases: ['UH', 'Вестник'], description: 'Another "quote"; and \\.' };
const full = madeRecord({ ...sample, ...texts, id: 'full', kind: 'outlet' } as MediaRecord);

/** Names and texts that mean something to spreadsheets, CSV, JSON or shells. */
const hostile = `=1+1 +SUM(A1) -2 @home ＝1 'quoted' '=1 a,b;c " x"y $(id) \\n null. 007 1E5`.split(' ');

describe.each(testBackends)('the command export, $name', ({ open }) => {
  const backend = useEach(open);
  const folder = useFolder();

  const run = (...args: string[]) =>
    runHere(['indexer/main.ts', ...args], { MASTHEAD_DATA_DIR: folder, ...backend.settings });
  const records = [
    full,
    ...hostile.map((text, at) =>
      madeRecord({
        id: `h${at}`,
        kind: 'outlet',
        name: `Paper ${at}`,
        description: `${text} is text`,
        contact_title: text,
        aliases: [`${text} one`],
      }),
    ),
    madeRecord({ id: '=id', kind: 'podcast', name: '=name' }),
  ];

  it.each(['ndjson', 'csv'])('writes %s that an import reads back without a change', async (format) => {
    const path = join(folder, 'all.ndjson');
    await writeFile(path, records.map((record) => `${JSON.stringify(record)}\n`).join(''));
    await run('import', path);
    const file = join(folder, `out.${format}`);
    expect(await run('export', file)).toMatchObject({ code: 0 });
    const { code, stdout, stderr } = await run('import', file, '--json');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const count = await backend.records.count();
    expect(JSON.parse(stdout)).toMatchObject({ read: count, unchanged: count, updated: 0, created: 0, rejected: 0 });
  });

  it('keeps suppressed records in, and writes those that a filter finds', async () => {
    await backend.load([
      madeRecord({ id: 'us', country: 'US' }),
      madeRecord({ id: 'de', country: 'DE' }),
      madeRecord({ id: 'gone', country: 'US' }),
    ]);
    await run('suppress', '--record', 'gone');
    await backend.settle();
    const all = await run('export', join(folder, 'whole.csv'), '--json');
    expect(JSON.parse(all.stdout)).toMatchObject({ records: 2, suppressed: 1 });
    const some = await run('export', join(folder, 'us.ndjson'), '--filter', 'country=US', '--json');
    expect(JSON.parse(some.stdout)).toMatchObject({ records: 1 });
    expect(JSON.parse(await readFile(join(folder, 'us.ndjson'), 'utf8'))).toMatchObject({ id: 'us' });
  });

  it('writes a row of each contact that meets the filters', async () => {
    const ann = madeContact({ id: 'ann', name: 'Ann Moe', email: 'ann@a.example', beats: ['Climate'] });
    const desk = madeContact({ id: 'desk', name: 'News desk', email: 'news@a.example' });
    await backend.load([madeRecord({ id: 'a', contacts: [desk, ann] }), madeRecord({ id: 'b' })]);
    const whole = await run('export', join(folder, 'contacts.csv'), '--rows', 'contacts', '--json');
    expect(whole.stderr).toBe('');
    expect(JSON.parse(whole.stdout)).toMatchObject({ records: 2, contacts: 2, suppressed: 0 });
    const people = await run('export', join(folder, 'people.csv'), '--rows', 'contacts', '--filter', 'named=1');
    expect(people.stdout).toContain('1 contact of ');
    const rows = parse(await readFile(join(folder, 'people.csv'), 'utf8'), { columns: true });
    expect(rows).toMatchObject([{ id: 'a', contact_id: 'ann', email: 'ann@a.example', beats: 'Climate', links: '' }]);
  });

  it('writes rows of contacts that an import reads back without a change', async () => {
    const profile = 'https://www.linkedin.com/in/annmoe';
    const contacts = [
      madeContact({ id: 'news', name: 'News desk', email: 'news@a.example', email_status: 'valid' }),
      madeContact({
        id: 'ann',
        name: 'Ann Moe',
        beats: ['Climate', '=Energy'],
        links: [profile, 'https://x.com/annmoe'],
      }),
      madeContact({ id: 'bob', name: 'Bob Roe', title: 'Critic', email: 'bob@a.example', phone: '+44 20 7946 0001' }),
      madeContact({ id: 'eve', name: 'Eve Poe', email: 'press@a.example' }),
      madeContact({ id: 'dora', name: 'Dora Low', email: 'press@a.example' }),
      madeContact({ id: 'robot', email: 'no-reply@a.example' }),
    ];
    await backend.load([
      madeRecord({ id: 'a', linkedin_url: profile, categories: ['music'], tags: ['Jazz'], contacts }),
      madeRecord({ id: 'b', contacts: [madeContact({ id: 'c', title: 'Editor' })] }),
    ]);
    const file = join(folder, 'people-back.csv');
    expect(await run('export', file, '--rows', 'contacts')).toMatchObject({ code: 0 });
    const before = await backend.index.findMany(['a', 'b'], 'full');
    const { code, stdout, stderr } = await run('import', file, '--json');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({ created: 0, updated: 0, rejected: 0 });
    expect(await backend.index.findMany(['a', 'b'], 'full')).toEqual(before);
  });
});
