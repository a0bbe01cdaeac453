import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { digestRow } from '#indexer/importing/find-repeats.ts';
import { ImportBench } from './import-bench.ts';

const row = { id: '1', kind: 'outlet', name: 'The Quiet Harbour', city: 'Rome' };
const file = (...rows: object[]) => rows.map((one) => JSON.stringify(one)).join('\n');

describe('a row that is imported again', () => {
  let bench: ImportBench;
  beforeEach(async () => {
    bench = await ImportBench.open();
  });
  afterEach(() => bench.close());

  const importRows = (...rows: object[]) => bench.importText('again.ndjson', file(...rows), { removesSample: false });
  const isKnown = async (source: object = row) =>
    (await bench.backends.records.findMerged?.(new Map([['1', digestRow(source, null)]])))?.has('1');

  it('is not read further while its record is as it left it', async () => {
    await importRows(row);
    expect(await isKnown()).toBe(true);
    expect(await importRows(row)).toMatchObject({ read: 1, unchanged: 1 });
    expect(await isKnown({ ...row, city: 'Milan' })).toBe(false);
    expect(await importRows({ ...row, city: 'Milan' })).toMatchObject({ updated: 1 });
    expect(await isKnown()).toBe(false);
  });

  const records = () => bench.backends.records;
  it.each([
    ['a value set by hand', () => records().amend(['1'], () => ({ city: 'Milan' }), 'set')],
    ['another row', () => importRows({ id: '1', city: 'Milan' })],
    ['a deletion', () => records().remove(['1'])],
    [
      'an undo',
      () =>
        records().revert([{ id: '1', is: 'changed', before: { city: 'Milan' }, after: { city: 'Rome' } }], 'undone'),
    ],
    [
      'another program',
      () => {
        const database = new DatabaseSync(join(bench.folder, 'data', 'masthead.db'));
        database.exec("UPDATE records SET body = json_set(body, '$.city', 'Milan')");
        database.close();
      },
    ],
  ])('is merged again after %s changed its record', async (_, change) => {
    for (const id of ['set', 'undone']) {
      const startedAt = '2026-01-01T00:00:00.000Z';
      await bench.backends.changes.begin({ id, action: 'import', operator: 'test', startedAt, undoes: null });
    }
    await importRows(row);
    await change();
    expect(await isKnown()).toBe(false);
    expect(await importRows(row)).toMatchObject({ unchanged: 0 });
    expect(await bench.record('1')).toMatchObject({ city: 'Rome' });
  });

  it('is read as the kind that the import names', async () => {
    const { kind: _, ...kindless } = row;
    await bench.importText('a.ndjson', file(kindless), { kind: 'outlet' });
    expect(await bench.importText('a.ndjson', file(kindless), { kind: 'podcast' })).toMatchObject({ updated: 1 });
    expect(await bench.record('1')).toMatchObject({ kind: 'podcast' });
  });

  it('gives a record that others were merged into what it says', async () => {
    await importRows(row, { ...row, id: '2', name: 'Harbour' });
    const startedAt = '2026-01-01T00:00:00.000Z';
    await bench.backends.changes.begin({ id: 'merge', action: 'merge', operator: 'test', startedAt, undoes: null });
    await records().mergeDuplicates('1', ['2'], 'merge');
    const { mergedIds } = bench.backends;
    const again = () => bench.importText('again.ndjson', file(row), { mergedIds });
    await again();
    expect(await isKnown()).toBe(false);
    expect(await again()).toMatchObject({ unchanged: 1 });
  });
});
