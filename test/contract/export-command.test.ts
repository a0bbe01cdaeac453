import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { MediaRecord } from '#records/media-record.ts';
import { generateSample } from '#sample/generate-sample.ts';
import { type ProductionTestBackend, type TestBackend, testBackends } from '#testing/backends.ts';
import { madeRecord } from '#testing/made-record.ts';
import { runHere } from '#testing/run-here.ts';

const [sample] = generateSample({ count: 1, seed: 7 });
const texts = { name: 'Ünïcode „Herald“ 人民 🗞️', aliases: ['UH', 'Вестник'], description: 'Another "quote"; and \\.' };
const full = madeRecord({ ...sample, ...texts, id: 'full', kind: 'outlet' } as MediaRecord);

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
