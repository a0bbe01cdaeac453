import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ImportBench } from './import-bench.ts';

const header = 'id,kind,name,url,language,country,city,categories,email';

/** A row of a CSV file as data staff would deliver it; any cell can be given. */
function row(
  n: number,
  given: Partial<Record<'name' | 'url' | 'language' | 'country' | 'city' | 'email', string>> = {},
) {
  const cells = {
    name: `Hill Valley Gazette ${n}`,
    url: `https://outlet${n}.example.com/`,
    language: 'en',
    country: 'US',
    city: 'Springfield',
    email: `desk${n}@example.com`,
    ...given,
  };
  return `d${n},outlet,${cells.name},${cells.url},${cells.language},${cells.country},${cells.city},news|local,${cells.email}`;
}

const csv = (...rows: string[]) => [header, ...rows, ''].join('\n');

function object(n: number, given: object = {}) {
  const url = `https://outlet${n}.example.com/`;
  const base = { id: `d${n}`, kind: 'outlet', name: `Hill Valley Gazette ${n}`, url, country: 'US' };
  return JSON.stringify({ ...base, email: `desk${n}@example.com`, ...given });
}

describe('how dirty files are read', () => {
  let bench: ImportBench;

  beforeEach(async () => {
    bench = await ImportBench.open();
  });
  afterEach(async () => {
    await bench.close();
  });

  /** Imports the file, then once more: the second time nothing changes. */
  async function importTwice(name: string, content: string | Uint8Array) {
    const first = await bench.importText(name, content);
    const records = await bench.records();
    const second = await bench.importText(name, content);
    expect({ created: second.created, updated: second.updated }).toEqual({ created: 0, updated: 0 });
    expect(await bench.records()).toEqual(records);
    expect(JSON.stringify([first, (await bench.aboutRows()).entries])).not.toMatch(
      /@example\.com|@x\.example|\bat [\w.<]+ \(/,
    );
    return { ...first, records };
  }

  it('01: a byte order mark is not part of the first heading', async () => {
    const { created, ignored_columns, records } = await importTwice('01.csv', `\ufeff${csv(row(1), row(2), row(3))}`);
    expect({ created, ignored_columns }).toEqual({ created: 3, ignored_columns: [] });
    expect([...records.keys()]).toEqual(['d1', 'd2', 'd3']);
  });

  it.each(['utf16le', 'utf16be'] as const)('05: %s with its mark is decoded correctly', async (encoding) => {
    const text = `\ufeff${csv(row(1), row(2), row(3, { name: 'Süddeutsche Nachrichten 日報' }))}`;
    const bytes = Buffer.from(text, 'utf16le');
    const { created, records } = await importTwice('05.csv', encoding === 'utf16le' ? bytes : bytes.swap16());
    expect(created).toBe(3);
    expect(records.get('d3')?.name).toBe('Süddeutsche Nachrichten 日報');
  });

  it('07: a short row keeps to its cells, a long one is rejected, and so is one without kind and name', async () => {
    const short = 'd2,outlet,Hill Valley Gazette 2,https://outlet2.example.com/,en';
    const { created, rejected, causes, records } = await importTwice(
      '07.csv',
      csv(row(1), short, `${row(3)},extra,cells`, row(4), 'd5'),
    );
    expect({ created, rejected }).toEqual({ created: 3, rejected: 2 });
    expect(records.get('d2')).toMatchObject({ language: 'en', country: null, city: null, categories: [], email: null });
    expect(causes).toMatchObject([
      { first_line: 4, code: 'too_many_cells', message: expect.stringContaining('11 cells, but the header has 9') },
      { first_line: 6, code: 'incomplete', message: expect.stringMatching(/kind and name/) },
    ]);
  });

  it('11: unknown columns are listed once and ignored', async () => {
    const { created, ignored_columns } = await importTwice(
      '11.csv',
      `${header},Black-owned?,Year Founded,X (formerly Twitter)\n${[1, 2, 3].map((n) => `${row(n)},x,42,https://x.example/x\n`).join('')}`,
    );
    expect(created).toBe(3);
    expect(ignored_columns).toEqual(['"Black-owned?"', '"Year Founded"', '"X (formerly Twitter)"']);
  });

  it('13: a header alone is not a fault and changes nothing', async () => {
    await bench.importText('before.csv', csv(row(1)));
    const { read, refused, records } = await importTwice('13.csv', `${header}\n`);
    expect({ read, refused, size: records.size }).toEqual({ read: 0, refused: null, size: 1 });
  });

  it('18: gzip is decompressed, whatever the file is called', async () => {
    const { created } = await importTwice('18.csv', gzipSync(csv(row(1), row(2), row(3))));
    expect(created).toBe(3);
  });

  it('19: broken lines are named, the others are imported', async () => {
    const { created, causes, records } = await importTwice(
      '19.ndjson',
      [
        object(1),
        object(2),
        '{"id":"d3","kind":"outlet","name":"Cut off',
        '',
        object(4),
        '{"id":"d5","name":"Trailing comma",}',
        object(6),
        '',
      ].join('\n'),
    );
    expect(created).toBe(4);
    expect([...records.keys()]).toEqual(['d1', 'd2', 'd4', 'd6']);
    expect(causes).toMatchObject([{ first_line: 3, count: 2, code: 'not_json' }]);
    expect(JSON.stringify(causes)).not.toMatch(/Cut off|Trailing/);
  });
});
