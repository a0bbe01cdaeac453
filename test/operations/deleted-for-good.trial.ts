import { cp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openReader } from '#backends/embedded/database.ts';
import { type EmbeddedStore, openEmbedded } from '#backends/embedded/open-embedded.ts';
import { readFolder } from '#testing/folder-files.ts';
import { runHere } from '#testing/run-here.ts';
import { useFolders } from '#testing/use.ts';

const head = 'id,kind,name,aliases,url,description,contact_name,email,phone,city,country';
const first =
  'zq1,outlet,Quexzilvorn Dmytrabble,Wumplefitz Gazette,https://www.hjorvathskrum.example/blixtorp,Covers snorfblatting at length,Pjotrix Vandalkrumm,jixxterplonk@hjorvathskrum.example,+44 7700 987123,Zorbington,GB';
const second = first.replace('Quexzilvorn', 'Yttervald').replace('snorfblatting', 'grelvintides');
/** What those rows say, also without the first letters that a prefix or a page of an index may have cut off. */
const words =
  'quexzilvorn dmytrabble wumplefitz hjorvathskrum blixtorp snorfblatt vandalkrumm jixxterplonk 987123 zorbington yttervald grelvintid';
const traces = words.split(' ').flatMap((word) => (word.length > 6 ? [word, word.slice(2)] : [word]));

/* The bytes of all files, as somebody finds them who takes the disk away. */
describe('a record that was deleted for good', () => {
  const newFolder = useFolders();
  const template = newFolder();
  let folder: string;
  let dataDir: string;
  let beside: EmbeddedStore;

  const run = (...args: string[]) => runHere(args, { MASTHEAD_DATA_DIR: dataDir });
  const indexer = async (...args: string[]) => {
    const ended = await run('indexer/main.ts', ...args);
    expect(ended.code, ended.stderr).toBe(0);
    return ended.stdout;
  };
  const importText = async (name: string, text: string) => {
    const path = join(folder, name);
    await writeFile(path, text);
    await indexer('import', '--keep-sample', path);
    await rm(path);
  };

  async function findTraces(path: string): Promise<string[]> {
    const files = await readFolder(path);
    return [...files].flatMap(([name, bytes]) => {
      const text = bytes.toString('latin1').toLowerCase();
      return traces.filter((word) => text.includes(word)).map((word) => `${name}: ${word}`);
    });
  }

  beforeAll(async () => {
    folder = template;
    dataDir = join(template, 'data');
    const sample = join(folder, 'sample.ndjson');
    await indexer('sample', '1500', '--output', sample);
    await indexer('import', '--keep-sample', sample);
    await importText('first.csv', `${head}\n${first}\n`);
    await importText('second.csv', `${head}\n${second}\n`);
  });

  beforeEach(async () => {
    folder = newFolder();
    dataDir = join(folder, 'data');
    await cp(join(template, 'data'), dataDir, { recursive: true });
    // As a service has the store open beside the commands.
    beside = openEmbedded(dataDir);
    expect((await beside.index.findMany(['zq1'], 'full'))[0]?.name).toContain('Yttervald');
    const stored = (await findTraces(dataDir)).map((trace) => trace.split(': ')[1]);
    expect(traces.filter((word) => !stored.includes(word))).toEqual([]);
  });
  afterEach(() => beside.close());

  it('leaves no byte in the data folder and in later backups, while a service runs', async () => {
    expect(await indexer('delete', 'zq1', '--for-good')).toMatch(/^1 record deleted for good\. /);
    expect(await findTraces(dataDir)).toEqual([]);
    const backup = join(folder, 'backup');
    expect(await run('admin/main.ts', 'backup', backup)).toMatchObject({ code: 0 });
    expect(await findTraces(backup)).toEqual([]);
    expect((await beside.maintenance.verify({ repairs: false })).compared).toBe(1_500);
  });

  it('leaves no byte after merges of the full text, and where it was deleted before', async () => {
    await indexer('reindex');
    await indexer('delete', 'zq1');
    await indexer('reindex');
    // The record is gone, and its history has it still.
    expect((await findTraces(dataDir)).length).toBeGreaterThan(0);
    const again = await run('indexer/main.ts', 'delete', 'zq1', '--for-good');
    expect(again).toMatchObject({ code: 1, stderr: 'masthead: No record has the id zq1.\n' });
    expect(await findTraces(dataDir)).toEqual([]);
  });

  it('says so while somebody reads the store as it was, and can be repeated', async () => {
    const reader = openReader(join(dataDir, 'masthead.db'));
    reader.exec('BEGIN; SELECT count(*) FROM records');
    const early = await run('indexer/main.ts', 'delete', 'zq1', '--for-good');
    expect(early).toMatchObject({ code: 1, stdout: expect.stringMatching(/^1 record deleted for good/) });
    expect(early.stderr).toMatch(
      /^masthead: Bytes of what was deleted may stay .*: another program still reads the store as it was\. Run/,
    );
    reader.close();
    await run('indexer/main.ts', 'delete', 'zq1', '--for-good');
    expect(await findTraces(dataDir)).toEqual([]);
  });

  it('is not in the free pages that a backup leaves out', async () => {
    await beside.close();
    const database = new DatabaseSync(join(dataDir, 'masthead.db'));
    database.exec("DELETE FROM changes; DELETE FROM records WHERE id = 'zq1'; DELETE FROM search_text");
    database.exec('DELETE FROM documents');
    database.close();
    const backup = join(folder, 'backup');
    expect(await run('admin/main.ts', 'backup', backup)).toMatchObject({ code: 0 });
    expect((await findTraces(dataDir)).length).toBeGreaterThan(0);
    expect((await findTraces(backup)).filter((trace) => /987123|jixxterplonk/.test(trace))).toEqual([]);
    beside = openEmbedded(dataDir);
  });
});
