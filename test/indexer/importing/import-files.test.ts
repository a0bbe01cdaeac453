import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, it } from 'vitest';
import { describeSummary } from '#indexer/importing/accounting/import-summary.ts';
import { usualColumns } from '#indexer/importing/columns/column-map.ts';
import { splitLines } from '#indexer/importing/reading/open-input.ts';
import { readCases } from '#testing/cases.ts';
import { useEach } from '#testing/use.ts';
import { ImportBench } from './import-bench.ts';

describe('the importer', () => {
  const bench = useEach(ImportBench.open);

  const names = async () => [...(await bench.records()).values()].map(({ name }) => name).toSorted();

  describe('reads', () => {
    it.each([
      ['commas', ','],
      ['semicolons', ';'],
      ['tabs', '\t'],
      ['bars', '|'],
    ])('cells separated by %s', async (_, delimiter) => {
      const lines = [
        ['id', 'kind', 'name', 'city'],
        ['1', 'outlet', '"A, B; C | D"', ''],
        ['2', 'outlet', ' "Quoted" ', 'Rome'],
      ];
      const { created } = await bench.importText('a.csv', lines.map((cells) => cells.join(delimiter)).join('\n'));
      expect(created).toBe(2);
      expect(await names()).toEqual(['A, B; C | D', 'Quoted']);
      expect(await bench.record('1')).toMatchObject({ city: null });
    });

    it('what follows a byte order mark, in UTF-8 and UTF-16', async () => {
      const text = '\ufeffid,kind,name\n1,outlet,Süddeutsche 日報\n';
      const files = [Buffer.from(text), Buffer.from(text, 'utf16le'), Buffer.from(text, 'utf16le').swap16()];
      for (const content of files) {
        expect(await bench.importText('a.csv', content)).toMatchObject({ read: 1, ignored_columns: [] });
        expect(await names()).toEqual(['Süddeutsche 日報']);
      }
    });

    it.each([
      ['aliases', ['One;Uno']],
      ['Other names', ['One', 'Uno']],
    ])('names with semicolons under %j as %j', async (heading, aliases) => {
      await bench.importText('a.csv', `id,kind,name,${heading}\n1,outlet,A,One;Uno\n`);
      expect(await bench.record('1')).toMatchObject({ aliases });
    });

    it('the separator line that Excel writes', async () => {
      const { created } = await bench.importText('a.csv', 'sep=;\r\nid;kind;name\r\n1;outlet;One\r\n');
      expect(created).toBe(1);
    });

    it.each([
      ['LF', '\n'],
      ['CRLF', '\r\n'],
      ['CR', '\r'],
    ])('lines that end with %s, and counts them correctly', async (_, end) => {
      const lines = [
        '',
        'id,kind,name',
        '1,outlet,One',
        '',
        '2,outlet,"Two',
        'lines"',
        'bad,row,with,four',
        '3,outlet,Three',
      ];
      const { created, causes } = await bench.importText('a.csv', lines.join(end));
      expect(created).toBe(3);
      expect(await names()).toEqual(['One', 'Three', 'Two lines']);
      expect(causes).toMatchObject([{ first_line: 7, code: 'too_many_cells' }]);
    });

    it.each(['\n', '\r\n', '\r'])('NDJSON whose lines end with %j', async (end) => {
      const lines = ['{"id":"1","kind":"outlet","name":"One"}', '', 'x', '{"id":"2","kind":"outlet","name":"Two"}'];
      const { created, format, causes } = await bench.importText('a.csv', lines.join(end));
      expect({ created, format }).toEqual({ created: 2, format: 'ndjson' });
      expect(causes).toMatchObject([{ first_line: 3 }]);
    });

    it('headings by their synonyms, and the kind that a heading implies', async () => {
      const { created, refused } = await bench.importText(
        'a.csv',
        'Podcast Name;Web site;E-Mail Address;Country Name;Listeners\nNight Talk;https://night.example/;host@night.example;United Kingdom;1.2M\n',
      );
      expect({ created, refused }).toEqual({ created: 1, refused: null });
      const [record] = [...(await bench.records()).values()];
      expect(record).toMatchObject({ kind: 'podcast', name: 'Night Talk', country: 'GB', audience: 1_200_000 });
      expect(record?.email).toBe('host@night.example');
    });

    it('rows without a kind if the whole file has one', async () => {
      const path = await bench.write('a.csv', 'id,name\n1,One\n');
      expect(await bench.import([path])).toMatchObject({ created: 0, rejected: 1 });
      expect(await bench.import([path], { kind: 'newsletter' })).toMatchObject({ created: 1 });
      expect(await bench.record('1')).toMatchObject({ kind: 'newsletter' });
    });
  });

  describe('limits a broken quote to its line', () => {
    const good = (n: number, name = `Outlet ${n}`) => `${n},outlet,${name},Rome`;
    const file = (...rows: string[]) => ['id,kind,name,city', ...rows, ''].join('\n');

    it.each([
      ['closes nowhere', [good(1), '2,outlet,"Open,Rome', good(3), good(4)]],
      ['meets the quotes of a later row', [good(1), '2,outlet,"Open,Rome', good(3), good(4, '"A ""B"" C"')]],
      [
        'ends where a later cell does',
        [good(1), '2,outlet,"Open,Rome', good(3), good(4).replace(',Rome', '",Rome,x,y')],
      ],
      ['has text behind it', [good(1), '2,outlet,"Open" end,Rome', good(3), good(4)]],
      [
        'has a backslash, and closes nowhere',
        [good(1), '2,outlet,"Open \\"A\\" B,Rome', good(3), good(4, '"A ""B"" C"')],
      ],
      ['has a backslash, and leaves too few cells', [good(1), '2,outlet,"Open \\"A\\",Rome"', good(3), good(4)]],
      ['has a backslash, and text behind its end', [good(1), '2,outlet,"Open \\"A" B","Rome"', good(3), good(4)]],
    ])('that %s', async (_, rows) => {
      const { causes } = await bench.importText('a.csv', file(...rows));
      expect(causes).toContainEqual(expect.objectContaining({ first_line: 3, code: 'broken_quote' }));
      const ids = [...(await bench.records()).keys()];
      expect(ids).toEqual(expect.arrayContaining(['1', '3']));
      expect(ids).not.toContain('2');
    });

    it('and treats a quote within a cell as text', async () => {
      await bench.importText('a.csv', file(good(1, '12" Records Weekly'), good(2)));
      expect(await names()).toEqual(['12" Records Weekly', 'Outlet 2']);
    });

    it.each([
      ['quotes that a backslash escapes, where nothing else explains them', '"The \\"B\\" List"', 'The "B" List'],
      ['one that a separator follows', '"The \\"B\\", \\\\ \\"C\\""', 'The "B", \\ "C"'],
      ['a backslash at the end of a cell as text', '"Drive C:\\"', 'Drive C:\\'],
      ['a backslash before two quotes as text', '"The ""B\\"" List"', 'The "B\\" List'],
    ])('and reads %s', async (_, cell, name) => {
      expect(await bench.importText('a.csv', file(good(1, cell), good(2)))).toMatchObject({ created: 2 });
      expect((await bench.record('1'))?.name).toBe(name);
    });

    it('and does not treat the rest of a broken row as a row', async () => {
      const { rejected } = await bench.importText(
        'a.csv',
        ['id,name,kind', '1,"Two', 'lines" x,outlet', '3,Three,outlet', ''].join('\n'),
      );
      expect(rejected).toBe(2);
      expect(await names()).toEqual(['Three']);
    });
  });

  describe('refuses a whole file, with what to do, and changes nothing', () => {
    const plain = readCases<[name: string, content: string, code: string, reason: string]>(
      new URL('refused-files.tsv', import.meta.url),
    );
    const latin1 = (text: string) => Buffer.from(text, 'latin1');
    it.each<[name: string, content: string | Buffer, code: string, reason: string]>([
      ...plain,
      ['200,000 columns', `${'ab,'.repeat(199_999)}ab\n1\n`, 'too_large', 'has 200,000 columns, and at most 16,384'],
      ['a first line of 2 MB', `${'a'.repeat(2_000_000)}\n1\n`, 'too_large', 'line longer than 1 MiB'],
      ...['Süddeutsche\n', 'Café', 'Café\n', 'Café\r\n'].map((end): [string, Buffer, string, string] => [
        `Latin-1 that ends with ${JSON.stringify(end)}`,
        latin1(`id,kind,name\n1,outlet,${end}`),
        'not_utf8',
        '--encoding, such as windows-1252',
      ]),
      ['UTF-16 without a mark', Buffer.from('id,kind,name\n1,outlet,One\n', 'utf16le'), 'not_utf8', 'UTF-16'],
      ['a damaged Excel workbook', Buffer.from('504b0304140000000800', 'hex'), 'bad_archive', 'damaged'],
    ])('%s', async (_, content, code, reason) => {
      const { refused, read } = await bench.importText('a.csv', content);
      expect(refused).toEqual({ code, reason: expect.stringMatching(new RegExp(reason)) });
      expect(refused?.reason).not.toMatch(/desk@/);
      expect(read).toBe(0);
      expect(await bench.backends.records.count()).toBe(0);
      expect(await bench.aboutRows()).toEqual({ rejects: '', entries: [] });
    });

    it('a missing file, and still imports the others', async () => {
      const path = await bench.write('a.csv', 'id,kind,name\n1,outlet,One\n');
      const { files, created } = await bench.import([join(bench.folder, 'none.csv'), path]);
      expect(files.map(({ refused }) => refused?.code)).toEqual(['not_found', undefined]);
      expect(created).toBe(1);
    });
  });

  describe('ids of a list', () => {
    const people = (medium: string, names: string) =>
      names.split(' ').map((name, at) => `${at + 1},outlet,${medium},${name} Roe,${name}@x.example\n`);
    const list = (rows: readonly string[]) => `id,kind,name,contact_name,email\n${rows.join('')}`;
    const first = list(people('Daily A', 'Ann Bob Cem Dee Eva'));

    it.each([
      ['media', people('Radio B', 'Ann Bob Cem Dee Eva')],
      ['people of other media', people('Radio B', 'Fay Gil Hal Ida Jon')],
      ['people of the same medium', people('Daily A', 'Fay Gil Hal Ida Jon')],
    ])(
      'that are those of other %s are refused before anything changes, and the list comes in without them',
      async (_, rows) => {
        await bench.importText('a.csv', first);
        const { refused, read } = await bench.importText('b.csv', list(rows));
        expect(refused).toEqual({
          code: 'foreign_ids',
          reason: expect.stringMatching(/^5 of the 5 .*--ignore "id"$/),
        });
        expect(read).toBe(0);
        expect(await bench.backends.records.find('5')).toMatchObject({ name: 'Daily A', contact_name: 'Eva Roe' });
        const columns = usualColumns.with({ id: null });
        const { files } = await bench.import([await bench.write('c.csv', list(rows))], { columns });
        expect(files).toMatchObject([{ refused: null, rejected: 0 }]);
        expect(await bench.backends.records.find('5')).toMatchObject({ name: 'Daily A', contact_name: 'Eva Roe' });
      },
    );

    it('that stand for several media are refused, but not if the media have a site or a word of the name in common', async () => {
      // Only each second row is looked at before, and of so many ids a part is compared.
      const twice = (rows: number, row: (at: number, id: number) => string) =>
        `id,kind,name,url\n${Array.from({ length: rows }, (_, at) => row(at, Math.floor(at / 2))).join('')}`;
      const stations = twice(24_000, (at, id) => `FOX ${id},outlet,Station${at},https://${at}.example\n`);
      expect((await bench.importText('a.csv', stations)).refused).toEqual({
        code: 'shared_ids',
        reason: expect.stringMatching(/^has at least [56]\d{3} ids .*--ignore "id"$/),
      });
      const renamed = twice(400, (at, id) => `${id},outlet,Daily ${at},https://${id}.example\n`);
      expect(await bench.importText('b.csv', renamed)).toMatchObject({ created: 200, repeated: 200 });
    });

    it.each([
      ['the same', first],
      ['names in another order', first.replaceAll(/(\w+) Roe/g, 'Roe $1')],
      ['some other people', first.replace('Ann', 'Fay').replace('Bob', 'Gil')],
      [
        'several people of a record, one of them as before',
        list([...people('Daily A', 'Fay Gil Hal Ida Jon'), ...people('Daily A', 'Ann Bob Cem Dee Eva')]),
      ],
      [
        'only people, for records that their ids name',
        first.replaceAll('outlet,Daily A,', '').replace('kind,name,', '').replaceAll(' Roe', ' Poe'),
      ],
      ['only names, which rename', 'id,name\n1,B\n2,C\n3,D\n4,E\n5,F\n'],
      [
        'names that leave a word of the one before',
        'id,name,url\n1,The Daily,\n2,Daily Two,\n3,DAILY Three,\n4,Daily+,\n5,Globe,x.example\n',
      ],
      ['records that are not stored', first.replaceAll(/^\d/gm, '9$&').replaceAll('Daily A', 'Radio B')],
    ])('take a list with %s', async (_, text) => {
      await bench.importText('a.csv', first);
      expect(await bench.importText('b.csv', text)).toMatchObject({ refused: null, rejected: 0 });
    });

    it('are compared with each person of a record', async () => {
      const colleagues = people('Daily A', 'Fay Gil Hal Ida Jon');
      await bench.importText('a.csv', list([...people('Daily A', 'Ann Bob Cem Dee Eva'), ...colleagues]));
      expect(await bench.importText('b.csv', list(colleagues))).toMatchObject({ refused: null, unchanged: 5 });
      const strangers = list(people('Daily A', 'Kai Lea Max Nia Oda'));
      expect(await bench.importText('c.csv', strangers)).toMatchObject({ refused: { code: 'foreign_ids' } });
    });

    it('are compared in the whole file, not at its start', async () => {
      const media = (name: string) => (_: unknown, at: number) => `${at},outlet,${name} ${at},,\n`;
      await bench.importText('a.csv', list(Array.from({ length: 3_000 }, media('Daily'))));
      const mostly = list([
        ...Array.from({ length: 1_400 }, media('Daily')),
        ...Array.from({ length: 3_000 }, media('Radio')).slice(1_400),
      ]);
      expect(await bench.importText('b.csv', mostly.replaceAll(/(Radio) \d+/g, '$1'))).toMatchObject({
        refused: { code: 'foreign_ids' },
      });
    });
  });

  it('rejects a row with invalid UTF-8 after the first 64 KiB, and no other', async () => {
    const filler = Array.from({ length: 2_000 }, (_, at) => `${at},outlet,An outlet of a long enough name ${at}`);
    const text = ['id,kind,name', ...filler, 'x,outlet,S\u00fcd', 'y,outlet,Gr\ufffdn', ''].join('\n');
    const bytes = Buffer.from(text).toString('latin1').replace('S\u00c3\u00bcd', 'S\u00fcd');
    const { created, causes } = await bench.importText('a.csv', Buffer.from(bytes, 'latin1'));
    expect(created).toBe(2_001);
    expect(causes).toMatchObject([{ first_line: 2_002, code: 'not_utf8' }]);
  });

  it('imports what a damaged gzip contains, without the truncated row, and says so', async () => {
    const rows = Array.from({ length: 3_000 }, (_, index) => `${index},outlet,Outlet ${Math.sin(index)}`);
    const packed = gzipSync(['id,kind,name', ...rows, ''].join('\n'));
    const { broken, created, read } = await bench.importText('a.csv.gz', packed.subarray(0, packed.length / 2));
    expect(broken).toMatch(/damaged or truncated/);
    expect(created).toBe(read);
    expect(created).toBeLessThan(3_000);
    expect(await bench.backends.records.count()).toBe(created);
  });

  it('skips a line of 100 MB without keeping it', async () => {
    const chunk = 'x'.repeat(256 * 1024);
    async function* texts() {
      yield '{"id":"1"}\n';
      for (let size = 0; size < 100 * 1024 * 1024; size += chunk.length) yield chunk;
      yield '"}\n{"id":"2"}\n';
    }
    const read: (string | null)[] = [];
    for await (const { lines } of splitLines(texts())) read.push(...lines);
    expect(read).toEqual(['{"id":"1"}', null, '{"id":"2"}']);
  });

  it.each([
    ['CSV', (long: string) => `id,kind,name,description\n1,outlet,One,\n2,outlet,Two,${long}\n3,outlet,Three,\n`, 3],
    [
      'NDJSON',
      (long: string) =>
        ['One', long, 'Three'].map((name, n) => JSON.stringify({ id: n + 1, kind: 'outlet', name })).join('\n'),
      2,
    ],
  ])('rejects a line of %s that is longer than 1 MiB', async (_, file, line) => {
    const { causes } = await bench.importText('a.txt', file('x'.repeat(3 * 1024 * 1024)));
    expect(causes).toMatchObject([{ first_line: line, code: 'too_long' }]);
    expect(await names()).toEqual(['One', 'Three']);
  });

  it('rejects an object that names a field twice, and quotes only its keys', async () => {
    const lines = [
      '{"id":"1","kind":"outlet","name":"One","\\u001bTitle":"Uno"}',
      '{"id":"2","kind":"outlet","__proto__":{"name":"X"}}',
      '7',
    ];
    const { causes, ignored_columns } = await bench.importText('a.ndjson', lines.join('\n'));
    expect(causes).toMatchObject([
      { first_line: 1, code: 'duplicate_key', message: expect.stringMatching(/^"name" and "Title" both mean name/) },
      { first_line: 2, code: 'incomplete' },
      { first_line: 3, code: 'not_an_object' },
    ]);
    expect(ignored_columns).toEqual(['"__proto__"']);
  });

  describe('merges', () => {
    const full = 'id,kind,name,city,description,email\n1,outlet,One,Rome,About,desk@one.example\n';

    it('an absent column keeps the stored value, an empty cell clears it', async () => {
      await bench.importText('full.csv', full);
      const { updated } = await bench.importText('part.csv', 'id,city\n1,\n');
      expect(updated).toBe(1);
      expect(await bench.record('1')).toMatchObject({
        name: 'One',
        city: null,
        description: 'About',
        email: 'desk@one.example',
      });
    });

    it('an unreadable value keeps the stored one, and so does a missing cell', async () => {
      await bench.importText('full.csv', full);
      const { unchanged, notes } = await bench.importText(
        'bad.csv',
        'id,email,city,description\n1,desk at one dot example,Rome\n',
      );
      expect(unchanged).toBe(1);
      expect(notes.map(({ code }) => code).toSorted()).toEqual(['obfuscated', 'short_row']);
      expect(await bench.record('1')).toMatchObject({ email: 'desk@one.example', description: 'About' });
    });

    it('the last row of an id wins, however far apart, and a second import changes nothing', async () => {
      const rows = Array.from({ length: 4_000 }, (_, index) => `${index % 2_500},outlet,Outlet ${index}`);
      const text = ['id,kind,name', ...rows].join('\n');
      const first = await bench.importText('a.csv', text);
      expect(first).toMatchObject({ read: 4_000, created: 2_500, unchanged: 0, repeated: 1_500 });
      const found = await bench.backends.maintenance.verify({ repairs: false });
      expect(found).toMatchObject({ compared: 2_500, missing: 0, extra: 0, stale: 0 });
      expect(await bench.record('7')).toMatchObject({ name: 'Outlet 2507' });
      expect(await bench.importText('a.csv', text)).toMatchObject({ updated: 0, unchanged: 2_500, repeated: 1_500 });
    });
  });

  describe('with sample records in the store', () => {
    const own = 'id,kind,name\n1,outlet,One\n';

    beforeEach(async () => {
      await bench.import([await bench.write('s.csv', 'id,kind,name\nsample-1,outlet,A\nsample-2,outlet,B\n')]);
    });

    it('deletes them before the first other record', async () => {
      expect(await bench.import([await bench.write('a.csv', own)])).toMatchObject({ sample_removed: 2, created: 1 });
      expect(await names()).toEqual(['One']);
    });

    it('counts in a dry run how many would go', async () => {
      const path = await bench.write('a.csv', own);
      const dry = await bench.import([path], { dryRun: true });
      expect(dry).toMatchObject({ sample_removed: 2, created: 1 });
      expect(describeSummary(dry)).toContain('2 sample records would be removed to make room for your own');
      expect(await names()).toEqual(expect.arrayContaining(['A', 'B']));
    });

    it.each([
      ['told to keep them', own, { removesSample: false }],
      ['the file is refused', '[]', {}],
      ['no row is good', 'id,email\n9,desk@nine.example\n', {}],
      ['they are what is imported', 'id,kind,name\nsample-3,outlet,C\n', {}],
    ])('keeps them if %s', async (_, content, options) => {
      const path = await bench.write('a.csv', content);
      expect(await bench.import([path], options)).toMatchObject({ sample_removed: 0 });
      expect(await names()).toEqual(expect.arrayContaining(['A', 'B']));
    });
  });
});
