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

  it('03: line ends within quotes become spaces, and messages give line numbers of the file', async () => {
    const broken =
      'd5,outlet,Hill Valley Gazette 5,https://outlet5.example.com/,en,US,Springfield,news,a@x.example,more';
    const { created, causes, records } = await importTwice(
      '03.csv',
      csv(
        row(1),
        row(2, { name: '"Two\nLine Herald"' }),
        row(3, { city: '"St. Paul, MN\r\n"' }),
        row(4, { name: '"Says ""Hi"" Weekly"' }),
        broken,
      ),
    );
    expect(created).toBe(4);
    expect(records.get('d2')?.name).toBe('Two Line Herald');
    expect(records.get('d3')).toMatchObject({ city: 'St. Paul', region: 'Minnesota', country: 'US' });
    expect(records.get('d4')?.name).toBe('Says "Hi" Weekly');
    expect(causes).toMatchObject([{ first_line: 8, count: 1 }]);
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

  it('09: two columns for one field refuse the file and name both', async () => {
    const { refused, records } = await importTwice(
      '09.csv',
      `${header},email\n${row(1)},second@example.com\n${row(2)},\n`,
    );
    expect(refused).toMatchObject({ code: 'duplicate_column', reason: expect.stringMatching(/column 9.*column 10/) });
    expect(records.size).toBe(0);
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

  it('15: NUL characters are removed from text and make an address unreadable, both with a note', async () => {
    const { created, notes, records } = await importTwice(
      '15.csv',
      csv(row(1, { name: 'Nul\0Times' }), row(2, { email: 'desk\0@example.com' }), row(3)),
    );
    expect(created).toBe(3);
    expect(records.get('d1')?.name).toBe('NulTimes');
    expect(records.get('d2')?.email).toBeNull();
    expect(notes).toMatchObject([
      { field: 'name', code: 'control_characters', count: 1 },
      { field: 'email', code: 'unreadable', count: 1 },
    ]);
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

  it('29: placeholders are empty, UK is GB, a row without a name is rejected, blank rows are skipped', async () => {
    const { read, created, causes, records } = await importTwice(
      '29.csv',
      csv(
        row(1, { url: 'none', city: '-', email: 'N/A' }),
        row(2, { url: 'undefined', city: 'NULL', email: 'null' }),
        row(3, { language: 'xx-invalid-', country: 'UK', city: '?', email: 'TBD' }),
        row(4, { name: 'N/A' }),
        row(5, { name: ' \u00a0 ' }),
        ',,,,,,,,',
        '',
        '',
      ),
    );
    expect({ read, created }).toEqual({ read: 5, created: 3 });
    expect(records.get('d1')).toMatchObject({ url: null, city: null, email: null });
    expect(records.get('d2')).toMatchObject({ url: null, city: null, email: null });
    expect(records.get('d3')).toMatchObject({
      country: 'GB',
      continent: 'europe',
      language: null,
      city: null,
      email: null,
    });
    expect(causes).toMatchObject([{ first_line: 5, count: 2, field: 'name', code: 'required' }]);
  });
});
