import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { MediaRecord } from '#records/media-record.ts';
import { type ProductionTestBackend, type TestBackend, testBackends } from '#testing/backends.ts';
import { madeRecord } from '#testing/made-record.ts';
import { runHere } from '#testing/run-here.ts';

const full = madeRecord({
  id: 'full',
  kind: 'outlet',
  name: 'Ünïcode „Herald“ 人民 🗞️',
  aliases: ['UH', 'Вестник'],
  url: 'https://herald.example/',
  description: 'One sentence, another with "quotes"; and \\ backslash.',
  language: 'de',
  continent: 'europe',
  country: 'DE',
  country_name: 'Germany',
  region: 'Bayern',
  city: 'München',
  city_size: 'large',
  type: 'newspaper',
  categories: ['business', 'politics'],
  coverage: 'national',
  contact_name: 'Jürgen Groß',
  contact_title: 'Editor',
  email: 'jg@herald.example',
  email_status: 'valid',
  email_source: 'https://herald.example/imprint',
  last_verified_at: '2026-03-01T10:30:00.000Z',
  phone: '+49 89 000000',
  audience: 123_456,
  frequency: 'daily',
  feed_url: 'https://herald.example/feed',
  platform: 'wordpress',
  linkedin_url: 'https://www.linkedin.example/herald',
});

/** Names and texts that mean something to spreadsheets, CSV, JSON or shells. */
const hostile = [
  '=1+1',
  '+SUM(A1)',
  '-2',
  '@home',
  '＝1',
  "'quoted'",
  "'=1",
  'a,b;c',
  '"',
  'x"y',
  '$(id)',
  '\\n',
  'null.',
  '007',
  '1E5',
];

describe.each(testBackends)('the command export, $name', ({ open }) => {
  let backend: TestBackend;
  let folder: string;
  beforeEach(async () => {
    backend = await open();
    folder = await mkdtemp(join(tmpdir(), 'masthead-export-'));
  });
  afterEach(async () => {
    await backend.close();
    await rm(folder, { recursive: true });
  });

  const settings = () => {
    const { stored } = backend;
    return 'dataDir' in stored
      ? { MASTHEAD_DATA_DIR: stored.dataDir }
      : { MASTHEAD_DATA_DIR: folder, ...(backend as ProductionTestBackend).settings };
  };
  const run = (...args: string[]) => runHere(['indexer/main.ts', ...args], settings());
  const records = () => [
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
    const path = await writeFile(join(folder, 'all.ndjson'), lines(records())).then(() => join(folder, 'all.ndjson'));
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
    const all = await run('export', join(folder, 'all.csv'), '--json');
    expect(JSON.parse(all.stdout)).toMatchObject({ records: 2, suppressed: 1 });
    const some = await run('export', join(folder, 'us.ndjson'), '--filter', 'country=US', '--json');
    expect(JSON.parse(some.stdout)).toMatchObject({ records: 1 });
    expect((await read('us.ndjson')).map(({ id }) => id)).toEqual(['us']);
  });

  const read = async (name: string): Promise<MediaRecord[]> =>
    (await readFile(join(folder, name), 'utf8'))
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));
});

const lines = (records: readonly MediaRecord[]) => records.map((record) => `${JSON.stringify(record)}\n`).join('');
