import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { generateSample } from '#sample/generate-sample.ts';
import { engines } from '#testing/engines.ts';
import { openProduction, type Production } from '#testing/open-production.ts';
import { runHere } from '#testing/run-here.ts';

const { mongodb, elasticsearch } = engines;

describe.skipIf(!mongodb || !elasticsearch)('sample records in MongoDB', () => {
  let production: Production;
  let folder: string;
  beforeAll(async () => {
    production = await openProduction({ mongodb: mongodb ?? '', elasticsearch: elasticsearch ?? '' });
    await production.whenPrepared();
    folder = await mkdtemp(join(tmpdir(), 'masthead-sample-'));
    await writeFile(join(folder, 'own.csv'), 'id,kind,name\nown-1,outlet,The Times\n');
    const sample = [...generateSample({ count: 3 })].map((record) => JSON.stringify(record));
    await writeFile(join(folder, 'sample.ndjson'), `${sample.join('\n')}\n`);
  });
  afterAll(async () => {
    await production.close();
    await rm(folder, { recursive: true });
  });

  const importFile = (name: string, ...flags: string[]) =>
    runHere(['indexer/main.ts', 'import', join(folder, name), ...flags], {
      ...production.settings,
      MASTHEAD_DATA_DIR: folder,
    });
  const storedIds = async () => (await production.collection.find().sort({ _id: 1 }).toArray()).map(({ _id }) => _id);

  it('are deleted by the first import of other records, unless they are to be kept', async () => {
    const sample = ['sample-000001', 'sample-000002', 'sample-000003'];
    expect(await importFile('sample.ndjson')).toMatchObject({ code: 0 });
    expect(await storedIds()).toEqual(sample);
    expect(await importFile('own.csv', '--keep-sample')).toMatchObject({ code: 0 });
    expect(await storedIds()).toEqual(['own-1', ...sample]);
    const { code, stdout } = await importFile('own.csv');
    expect(code).toBe(0);
    expect(stdout).toContain('3 sample records were removed to make room for your own');
    expect(await storedIds()).toEqual(['own-1']);
  });
});
