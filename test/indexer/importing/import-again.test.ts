import { describe, expect, it } from 'vitest';
import { useEach } from '#testing/use.ts';
import { ImportBench } from './import-bench.ts';

const row = { id: '1', kind: 'outlet', name: 'The Quiet Harbour', city: 'Rome' };
const file = (...rows: object[]) => rows.map((one) => JSON.stringify(one)).join('\n');

describe('a row that is imported again', () => {
  const bench = useEach(ImportBench.open);

  const importRows = (...rows: object[]) => bench.importText('again.ndjson', file(...rows), { removesSample: false });

  it('changes nothing, unless its record changed since', async () => {
    await importRows(row);
    expect(await importRows(row)).toMatchObject({ read: 1, unchanged: 1 });
    await bench.backends.records.remove(['1']);
    expect(await importRows(row)).toMatchObject({ created: 1 });
    await importRows({ id: '1', city: 'Milan' });
    expect(await importRows(row)).toMatchObject({ updated: 1 });
    expect(await bench.record('1')).toMatchObject({ city: 'Rome' });
  });

  it('is read as the kind that the import names', async () => {
    const { kind: _, ...kindless } = row;
    await bench.importText('a.ndjson', file(kindless), { kind: 'outlet' });
    expect(await bench.importText('a.ndjson', file(kindless), { kind: 'podcast' })).toMatchObject({ updated: 1 });
    expect(await bench.record('1')).toMatchObject({ kind: 'podcast' });
  });
});
