import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { MediaRecord } from '#records/media-record.ts';
import { everything, firstPage } from '#search/search-query.ts';
import { productionBackends, testBackends } from '#testing/backends.ts';
import { madeRecord } from '#testing/made-record.ts';
import { runHere } from '#testing/run-here.ts';
import { startDnsServer } from '#testing/stand-ins/dns-server.ts';
import { useEach, useFolder } from '#testing/use.ts';

describe.each(testBackends)('the dates of the service, $name', ({ open }) => {
  const backend = useEach(open);
  const folder = useFolder();
  const dns = useEach(() => startDnsServer({ 'paper.example': { MX: ['mail.paper.example'] } }));

  const settings = () => ({ MASTHEAD_DATA_DIR: folder, ...backend.settings, DNS_SERVERS: dns.address });
  const run = async (...args: string[]) => {
    const ended = await runHere(['indexer/main.ts', ...args, '--json'], settings());
    expect(ended).toMatchObject({ code: 0 });
    return JSON.parse(ended.stdout);
  };
  const importRows = async (...rows: object[]): Promise<string> => {
    const file = join(folder, 'rows.ndjson');
    await writeFile(file, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
    return (await run('import', file)).import_id;
  };
  /** The records that searches find, by id. */
  const shown = async (): Promise<ReadonlyMap<string, MediaRecord>> => {
    await backend.settle();
    const { records } = await backend.index.search(everything, firstPage(50), 'full');
    return new Map(records.map((record) => [record.id, record]));
  };
  /** Does some work, and returns the ids of the records that a caller who asks what changed since then gets. */
  const changedBy = async (work: () => Promise<unknown>): Promise<string[]> => {
    const before = await shown();
    const since =
      [...before.values()]
        .map((one) => one.updated_at)
        .sort()
        .at(-1) ?? '';
    await work();
    const after = [...(await shown()).values()];
    for (const { id, created_at } of after) expect(created_at).toBe(before.get(id)?.created_at ?? created_at);
    return after.filter(({ updated_at }) => updated_at > since).map(({ id }) => id);
  };
  const paper = (id: string, values: object = {}) => ({ id, kind: 'outlet', name: `Paper ${id}`, ...values });

  it('are now when a record comes in, whatever its row says', async () => {
    const began = new Date().toISOString();
    const changed = await changedBy(() =>
      importRows(paper('a', { updated_at: '2025-01-01', created_at: '2020-01-01' })),
    );
    expect(changed).toEqual(['a']);
    const { updated_at = '', created_at = '' } = (await shown()).get('a') ?? {};
    expect([updated_at >= began, created_at >= began]).toEqual([true, true]);
  });

  it('of a change are later than those before: of an import, of its undo and redo', async () => {
    const contact = { contact_name: 'Ann Roe' };
    await importRows(paper('a', { ...contact, email: 'desk@paper.example' }), paper('b'));
    const dated = { 'Last Updated': '2025-03-01', updated_at: '2025-03-01' };
    const wrong = paper('a', { ...contact, email: 'wrong@paper.example', ...dated });
    let id = '';
    const importWrong = async () => {
      id = await importRows(wrong);
    };
    expect(await changedBy(importWrong)).toEqual(['a']);
    expect(await changedBy(() => importRows(wrong))).toEqual([]);
    expect(await changedBy(() => run('imports', 'undo', id))).toEqual(['a']);
    expect((await shown()).get('a')).toMatchObject({ email: 'desk@paper.example' });
    const [{ id: undo }] = await run('imports', 'list');
    expect(await changedBy(() => run('imports', 'undo', undo))).toEqual(['a']);
    expect((await shown()).get('a')).toMatchObject({ email: 'wrong@paper.example' });
  });

  it('change with what hides a record and shows it again, and with nothing else', async () => {
    await importRows(paper('a'), paper('b'), paper('c', { url: 'https://hidden.example/' }));
    for (const entry of [
      ['--record', 'a'],
      ['--domain', 'hidden.example'],
    ]) {
      const id = entry[0] === '--record' ? 'a' : 'c';
      expect(await changedBy(() => run('suppress', ...entry))).toEqual([]);
      expect(await changedBy(() => run('unsuppress', ...entry))).toEqual([id]);
    }
    expect(await changedBy(() => run('reindex'))).toEqual([]);
  });

  it('change with a deletion that is undone, a merge, and its undo', async () => {
    await importRows(
      paper('a', { country: 'GB' }),
      paper('b', { phone: '+44 113 496 0000', country: 'GB' }),
      paper('c'),
    );
    expect(await changedBy(() => run('delete', 'c'))).toEqual([]);
    const [{ id: deletion }] = await run('imports', 'list');
    expect(await changedBy(() => run('imports', 'undo', deletion))).toEqual(['c']);
    expect(await changedBy(() => run('merge', 'a', 'b'))).toEqual(['a']);
    const [{ id: merge }] = await run('imports', 'list');
    expect((await changedBy(() => run('imports', 'undo', merge))).toSorted()).toEqual(['a', 'b']);
  });

  it('change when a field is set, or an address checked', async () => {
    await importRows(paper('a', { email: 'desk@paper.example' }), paper('b'));
    expect(await changedBy(() => run('set', 'a', 'city=Leeds'))).toEqual(['a']);
    expect(await changedBy(() => run('set', 'a', 'city=Leeds'))).toEqual([]);
    expect(await changedBy(() => run('check-emails'))).toEqual(['a']);
  });

  it('never go back, also where the clock was set back', async () => {
    const ahead = '2099-01-01T00:00:00.000Z';
    await backend.load([madeRecord({ id: 'a', updated_at: ahead })]);
    await backend.records.merge([{ id: 'a', city: 'Leeds' }]);
    const [first] = (await shown()).values();
    await backend.records.merge([{ id: 'a', city: 'York' }]);
    const [second] = (await shown()).values();
    expect([ahead, first?.updated_at, second?.updated_at]).toEqual([
      ahead,
      '2099-01-01T00:00:00.001Z',
      '2099-01-01T00:00:00.002Z',
    ]);
  });
});

describe.each(testBackends)('the sort order reachable, $name', ({ open }) => {
  const backend = useEach(open);

  it('begins with those that have a usable address, and is that without a text in both parts', async () => {
    const email = 'desk@paper.example';
    await backend.load([
      madeRecord({ id: 'silent', audience: 900 }),
      madeRecord({ id: 'unchecked', audience: 10, email }),
      madeRecord({ id: 'invalid', audience: 500, email, email_status: 'invalid' }),
      madeRecord({ id: 'thrown', email, email_status: 'disposable' }),
      madeRecord({ id: 'valid', audience: 20, email, email_status: 'valid' }),
    ]);
    const sorted = async (reversed: boolean) => {
      const page = { ...firstPage(10), sort: { key: 'reachable', reversed } as const };
      return (await backend.index.search(everything, page, 'masked')).records.map(({ id }) => id).join(' ');
    };
    expect(await sorted(false)).toBe('valid unchecked silent invalid thrown');
    expect(await sorted(true)).toBe('invalid silent thrown unchecked valid');
  });
});

describe.each(productionBackends)('records of other tools, $name', ({ open }) => {
  const backend = useEach(open);
  const shown = async (id: string) => {
    await backend.settle();
    return (await backend.index.findMany([id], 'full'))[0];
  };
  const document = { kind: 'outlet', name: 'Herald', updated_at: '2019-01-01', created_at: '2018-01-01' } as const;

  it('get dates when the sync sees them, which a rebuild and other keys leave as they are', async () => {
    const began = new Date().toISOString();
    await backend.collection.insertOne({ _id: 'a', ...document });
    const first = await shown('a');
    expect(String(first?.updated_at) >= began).toBe(true);
    expect(first?.created_at).toBe(first?.updated_at);
    await backend.collection.updateOne({ _id: 'a' }, { $set: { owner: 'Ann', updated_at: '2030-01-01' } as object });
    await backend.reindex();
    expect(await shown('a')).toEqual(first);
    await backend.collection.updateOne({ _id: 'a' }, { $set: { city: 'Leeds' } });
    const second = await shown('a');
    expect(second).toMatchObject({ city: 'Leeds', created_at: first?.created_at });
    expect(String(second?.updated_at) > String(first?.updated_at)).toBe(true);
    await backend.reindex();
    expect(await shown('a')).toEqual(second);
  });

  it('have the date of a change that this service makes of them', async () => {
    await backend.collection.insertOne({ _id: 'a', ...document });
    const began = new Date().toISOString();
    await backend.records.merge([{ id: 'a', city: 'Leeds' }]);
    const record = await shown('a');
    expect(record).toEqual(await backend.records.find('a'));
    expect([String(record?.updated_at) >= began, String(record?.created_at) >= began]).toEqual([true, true]);
  });
});
