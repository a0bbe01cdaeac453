import { readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { utils, write } from '@e965/xlsx';
import { describe, expect, it } from 'vitest';
import { describeFaults, describeSummary } from '#indexer/importing/accounting/import-summary.ts';
import { ColumnMap } from '#indexer/importing/columns/column-map.ts';
import type { Row } from '#indexer/importing/row.ts';
import { writeXlsx } from '#src/encodings/write-xlsx.ts';
import { madeRecord } from '#testing/made-record.ts';
import { useEach } from '#testing/use.ts';
import { ImportBench } from './import-bench.ts';
import { madeRow, madeWorkbook, madeZip } from './made-archive.ts';

describe('the importer', () => {
  const bench = useEach(ImportBench.open);

  const names = async () => [...(await bench.records()).values()].map(({ name }) => name).toSorted();
  const csv = 'id,kind,name\n1,outlet,One\n';

  it.each(['utf8', 'utf16le'] as const)('reads tables in Markdown in %s, with links', async (encoding) => {
    const table = readFileSync(new URL('tables.md', import.meta.url), 'utf8');
    expect(await bench.importText('a.md', Buffer.from(`\ufeff${table}`, encoding), { kind: 'outlet' })).toMatchObject({
      created: 3,
      rejected: 0,
      notes: [],
      other_sheets: ['"Costs | plans of everything that could be bought for money"'],
    });
    const long = 'Costs | plans of everything that could be bought for money';
    expect(await bench.importText('a.md', table, { kind: 'outlet', sheet: long })).toMatchObject({
      refused: { reason: expect.stringContaining('"Item", "Cost"') },
    });
    expect([...(await bench.records()).values()].map(({ name, url }) => `${name} ${url}`).toSorted()).toEqual([
      'Echo * https://echo.example/',
      'Post_1 https://post.example/',
      'Radio Nord https://nord.example/',
    ]);
  });

  it('reads the feeds of OPML lists, with their groups as tags, rejects one that a quote ends too early, and says that a list is cut off', async () => {
    const feeds = `<?xml version="1.0"?><opml version="2.0"><body><outline text="Space">
<outline text="Orbit &amp; Beyond" xmlUrl="https://orbit.example/rss" htmlUrl="https://orbit.example/"/>
<outline title="Comets" text="rss" description="Comets" xmlUrl="https://comets.example/feed" htmlUrl="https://comets.example/feed"/>
</outline><outline text="No feed"/>`;
    const list = `${feeds}</body></opml>`;
    expect(await bench.importText('a.opml', list, { kind: 'podcast' })).toMatchObject({ created: 2, rejected: 0 });
    const media = [...(await bench.records()).values()].toSorted((one, other) => (one.name < other.name ? -1 : 1));
    expect(media).toMatchObject([
      { name: 'Comets', feed_url: 'https://comets.example/feed', url: null, description: null, tags: ['Space'] },
      { name: 'Orbit & Beyond', feed_url: 'https://orbit.example/rss', url: 'https://orbit.example/', tags: ['Space'] },
    ]);
    const quote = feeds.replace('description="Comets"', 'description="By <a href="https://x.example/">X</a>."');
    expect(await bench.importText('quote.opml', `${quote}</body></opml>`, { kind: 'podcast' })).toMatchObject({
      unchanged: 1,
      rejected: 1,
      causes: [{ code: 'not_xml', first_line: 3 }],
    });
    const cut = await bench.importText('cut.opml', feeds, { kind: 'podcast' });
    expect(cut).toMatchObject({ unchanged: 2, broken: 'ends before </opml>, so it was cut off' });
  });

  describe('reads Excel workbooks:', () => {
    const head = madeRow(1, ['id', 'kind', 'name', 'city', 'audience']);

    it('what an export of Masthead wrote', async () => {
      const record = madeRecord({
        id: '12345678901234567890',
        name: 'The "Herald", <b>',
        aliases: ['A', 'B'],
        audience: 1_200_000,
        email: 'desk@x.example',
        last_verified_at: '2026-03-01T10:30:00.000Z',
      });
      async function* batches() {
        yield [record];
      }
      const file = writeXlsx(batches());
      const summary = await bench.importText('a.xlsx', await buffer(file));
      expect(summary).toMatchObject({ format: 'workbook', created: 1, rejected: 0, refused: null });
      expect(await bench.record(record.id)).toMatchObject({
        name: 'The "Herald",',
        aliases: ['A', 'B'],
        audience: 1_200_000,
        last_verified_at: '2026-03-01T10:30:00.000Z',
      });
    });

    it('numbers, dates, formulas, shared and formatted texts as their cells show them', async () => {
      const styles = `<numFmts><numFmt numFmtId="164" formatCode="[$-409]d\\-mmm\\-yyyy;@"/><numFmt numFmtId="165" formatCode="00000"/></numFmts>
        <cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="165"/></cellXfs>`;
      const shared = '<si><t>The </t><rPh><t>za</t></rPh></si><si><r><t>Daily </t></r><r><t>&amp; Post</t></r></si>';
      const rows = `${madeRow(1, ['id', 'kind', 'name', 'last_verified_at', 'audience', 'region', 'email'])}
        <row r="3"><c r="A3"><v>1.2345678901E10</v></c><c r="B3" t="str"><f>"out"&amp;"let"</f><v>outlet</v></c><c r="C3" t="s"><v>1</v></c>
        <c r="D3" s="1"><v>46082.5</v></c><c r="E3"><v>12500.000000000002</v></c><c r="G3" t="inlineStr"><is><t>desk@x.example</t></is></c></row>
        <row r="4"><c r="A4" s="2"><v>42</v></c><c r="B4" t="inlineStr"><is><t>outlet</t></is></c><c r="C4" t="s"><v>0</v></c><c r="E4" t="e"><v>#N/A</v></c></row>`;
      const summary = await bench.importText('a.xlsx', await madeWorkbook([{ name: 'S', rows }], { styles, shared }));
      expect(summary).toMatchObject({ created: 2, rejected: 0, notes: [] });
      expect(await bench.record('12345678901')).toMatchObject({
        name: 'Daily & Post',
        last_verified_at: '2026-03-01T12:00:00.000Z',
        audience: 12_500,
        region: null,
        email: 'desk@x.example',
      });
      expect(await bench.record('00042')).toMatchObject({ name: 'The', audience: null });
    });

    it('dates that count from 1904', async () => {
      const rows = `${madeRow(1, ['id', 'kind', 'name', 'last_verified_at', 'phone'])}<row r="2"><c r="A2"><v>1</v></c>
        <c r="B2" t="str"><v>outlet</v></c><c r="C2" t="str"><v>One</v></c><c r="D2" s="0"><v>44620</v></c><c r="E2"><v>5550100</v></c></row>`;
      const styles = '<cellXfs><xf numFmtId="14"/></cellXfs>';
      const properties = '<workbookPr date1904="1"/>';
      await bench.importText('a.xlsx', await madeWorkbook([{ name: 'S', rows }], { properties, styles }));
      expect((await bench.record('1')).last_verified_at).toBe('2026-03-01T00:00:00.000Z');
    });

    it('the first visible sheet, or the named one, and lists the sheets if there is none of that name', async () => {
      const sheet = (name: string, state?: string) => ({
        name,
        rows: head + madeRow(2, [name, 'outlet', name]),
        ...(state && { state }),
      });
      const path = await bench.write(
        'a.xlsx',
        await madeWorkbook([sheet('Old', 'hidden'), sheet('UK'), sheet('Übrige')]),
      );
      await bench.import([path]);
      const { files: read } = await bench.import([path], { sheet: 'übrige' });
      expect(read[0]?.other_sheets).toEqual(['"UK"']);
      expect(await names()).toEqual(['UK', 'Übrige']);
      const { files } = await bench.import([path], { sheet: 'US' });
      expect(files[0]?.refused).toEqual({
        code: 'no_sheet',
        reason: 'has no sheet "US". Its sheets are "Old", "UK", "Übrige"',
      });
    });

    it('and numbers rejected rows as the sheet does', async () => {
      const rows =
        head + madeRow(3, ['1', 'outlet', 'One\nTwo']) + madeRow(7, ['2', 'outlet']) + madeRow(8, ['', '', '', '', '']);
      const summary = await bench.importText('a.xlsx', await madeWorkbook([{ name: 'S', rows }]));
      expect(summary).toMatchObject({ read: 2, created: 1, causes: [{ first_line: 7 }] });
      expect(await names()).toEqual(['One Two']);
    });

    it.each([
      ['an empty sheet', '', 'empty'],
      ['one whose first row names no columns', madeRow(1, ['a', 'b']), 'no_known_column'],
    ])('refuses %s', async (_, rows, code) => {
      const { refused } = await bench.importText('a.xlsx', await madeWorkbook([{ name: 'S', rows }]));
      expect(refused?.code).toBe(code);
    });

    it('refuses one that takes too much memory unpacked, whatever sizes it states', async () => {
      const spaces = Buffer.alloc(300 * 1024 * 1024, ' ');
      const file = await madeZip({ '[Content_Types].xml': '', 'xl/worksheets/sheet1.xml': spaces });
      const stated = file.lastIndexOf(Buffer.from('PK\u0001\u0002')) + 24;
      file.writeUInt32LE(10, stated);
      expect((await bench.importText('a.xlsx', file)).refused).toEqual({
        code: 'too_large',
        reason: expect.stringMatching(/more than 256 MB unpacked. Save its sheet as CSV/),
      });
    });

    it.each(['xls', 'ods'] as const)('and those of other programs: .%s', async (bookType) => {
      const sheet = utils.aoa_to_sheet([
        ['id', 'kind', 'name'],
        ['1', 'outlet', 'One'],
      ]);
      const file: Buffer = write({ SheetNames: ['S'], Sheets: { S: sheet } }, { bookType, type: 'buffer' });
      expect(await bench.importText(`a.${bookType}`, file)).toMatchObject({ format: 'workbook', created: 1 });
    });
  });

  it('finds headings below titles, fills cells that are merged down, and follows links', async () => {
    const rows = [
      ['UK papers, checked by Ann'],
      [],
      ['Region', 'Outlet', 'Website'],
      ['DAILIES'],
      ['Wales', 'One', 'Site'],
      ['', 'Two', 'b.example'],
    ];
    const sheet = utils.aoa_to_sheet(rows);
    sheet['!merges'] = ['A4:C4', 'A5:A6'].map(utils.decode_range);
    Object.assign(sheet.C5, { l: { Target: 'https://a.example/' } });
    const file: Buffer = write({ SheetNames: ['S'], Sheets: { S: sheet } }, { bookType: 'xlsx', type: 'buffer' });
    expect(await bench.importText('a.xlsx', file, { kind: 'outlet' })).toMatchObject({ read: 2, created: 2 });
    const stored = [...(await bench.records()).values()].map(({ region, url }) => [region, url]);
    expect(stored).toEqual(
      expect.arrayContaining([
        ['Wales', 'https://a.example/'],
        ['Wales', 'https://b.example/'],
      ]),
    );
    const text = `UK papers\n\n${rows.slice(2, 3).join()}\nWales,One,a.example\n`;
    expect(await bench.importText('a.csv', text, { kind: 'outlet' })).toMatchObject({ unchanged: 1 });
  });

  describe('reads a JSON array', () => {
    it.each([
      ['on one line', JSON.stringify],
      ['on many lines', (value: unknown) => JSON.stringify(value, null, 2)],
    ])('%s', async (_, write) => {
      const objects = Array.from({ length: 3 }, (_, at) => ({
        id: at,
        kind: 'outlet',
        name: `[{"${at},]`,
        x: [[1], {}],
      }));
      const summary = await bench.importText('a.json', write(objects));
      expect(summary).toMatchObject({ format: 'json', created: 3, rejected: 0, ignored_columns: ['"x"'] });
    });

    it('that is a value of one object, gzipped, whatever else the object has', async () => {
      const rows = Array.from({ length: 2_500 }, (_, at) => ({ id: at, kind: 'outlet', name: `[{ ${at} é` }));
      const text = JSON.stringify({ meta: { a: [1], pages: [[2]] }, data: [...rows, 5], next: null });
      const { created, causes } = await bench.importText('a.json.gz', gzipSync(text));
      expect(created).toBe(2_500);
      expect(causes).toMatchObject([{ first_line: 2_501, code: 'not_an_object' }]);
    });

    it.each([
      ['an object without an array of records', '{\n"UK": {"papers": []}\n}', 'json_over_lines', /one object per line/],
      ['objects that are not alike', '{\n"6":{"a":1},"7":{"a":2}\n}', 'json_over_lines', /one object per line/],
      ['one with several', '{"UK":[{"name":"A"}],\n"US":[{"name":"B"}]}', 'json_over_lines', /several arrays/],
      ['one that is cut off', '[{"id":"1","kind":"outlet","name":"One"},\n{"id":"2', 'not_json', /valid/],
      ['one that is followed by something', '[{"id":"1","kind":"outlet","name":"One"}] {}', 'not_json', /character 43/],
    ])('but refuses %s', async (_, text, code, reason) => {
      const { refused } = await bench.importText('a.json', text);
      expect(refused).toMatchObject({ code, reason: expect.stringMatching(reason) });
      expect(await names()).toEqual([]);
    });

    it.each([
      ['by their names', { One: { url: 'a.example' }, Two: { url: 'b.example', rss: 'b.example/rss' } }, []],
      ['that have names by keys', { one: { name: 'One' }, two: { name: 'Two' } }, ['"key"']],
    ])('or objects %s', async (_, objects, ignored) => {
      const summary = await bench.importText('a.json', JSON.stringify(objects, null, 2), { kind: 'outlet' });
      expect(summary).toMatchObject({ created: 2, ignored_columns: ignored });
      expect(await names()).toEqual(['One', 'Two']);
    });

    it('with objects in rows, whose parts are columns', async () => {
      const contact = { name: 'Ann Roy', email: 'ann@x.example' };
      const row = { _id: { $oid: '5b61' }, name: 'One', contact, language: { code: 'en' }, tags: { 0: 'vip' } };
      const summary = await bench.importText('a.json', JSON.stringify([row]), { kind: 'outlet' });
      expect(summary).toMatchObject({ created: 1, ignored_columns: ['"_id.$oid"'] });
      const [record] = (await bench.records()).values();
      expect(record).toMatchObject({ contact_name: 'Ann Roy', email: 'ann@x.example', language: 'en', tags: ['vip'] });
    });

    it('with lists of people without addresses under keys of people, with what is said of each, also of named media', async () => {
      const staff = [
        { name: 'Ann Roe', role: 'Editor', twitter: '@annroe' },
        { name: 'Bob Fox', role: 'Reporter', phone: '+44 20 7946 0002' },
      ];
      const hosts = [{ first_name: 'Carla', last_name: 'Day', role: 'Host' }];
      const related = [{ name: 'Daily B', url: 'https://b.example' }];
      const media = {
        'Daily A': { url: 'https://a.example', staff, related },
        'Radio B': { url: 'https://b.example', hosts },
      };
      await bench.importText('a.json', JSON.stringify(media, null, 2), { kind: 'outlet' });
      const people = [...(await bench.records()).values()].flatMap(({ name, contacts }) =>
        contacts.map((one) => [name, one.name, one.title, one.phone, ...one.links].filter(Boolean).join(' · ')),
      );
      expect(people.toSorted()).toEqual([
        'Daily A · Ann Roe · Editor · https://x.com/annroe',
        'Daily A · Bob Fox · Reporter · +44 20 7946 0002',
        'Radio B · Carla Day · Host',
      ]);
    });

    it.each([
      ['JSON:API', (media: object[]) => ({ data: media.map((attributes, at) => ({ id: String(at), attributes })) })],
      ['Airtable', (media: object[]) => ({ records: media.map((fields, at) => ({ id: `rec${at}`, fields })) })],
      ['a plain list', (media: object[]) => media],
    ])('with lists of people, each of whom keeps her address, from %s', async (_, wrap) => {
      const people = ['Ann Roy', 'Bo Lin', 'Cy Dean'].map((name, at) => ({ name, email: `p${at}@x.example` }));
      const media = [
        { title: 'One', editors: people.slice(0, 2), staff: [] },
        { title: 'Two', staff: people.slice(2) },
      ];
      const { created } = await bench.importText('a.json', JSON.stringify(wrap(media)), { kind: 'outlet' });
      expect(created).toBe(2);
      const contacts = [...(await bench.records()).values()].flatMap((record) => record.contacts);
      expect(contacts.map(({ name, email }) => ({ name, email }))).toEqual(expect.arrayContaining(people));
    });

    it('with attributes beside values of their own, which stay', async () => {
      const row = {
        title: 'One',
        url: 'https://one.example',
        attributes: { title: 'Two', url: 'https://two.example' },
      };
      await bench.importText('a.json', JSON.stringify([row]), { kind: 'outlet' });
      expect([...(await bench.records()).values()]).toMatchObject([{ name: 'One', url: 'https://one.example/' }]);
    });

    it('and takes an object with a name for a row, whatever arrays it has', async () => {
      const row = { id: '1', kind: 'outlet', name: 'One', staff: [{ name: 'Ann' }] };
      expect(await bench.importText('a.json', JSON.stringify(row))).toMatchObject({ format: 'ndjson', created: 1 });
    });
  });

  describe('reads other encodings when it is told which', () => {
    const bytes = Buffer.concat([
      Buffer.from('id,kind,name\n1,outlet,'),
      Buffer.from([0xcf, 0xf0, 0xe0, 0xe2, 0xe4, 0xe0, 0x0a]),
    ]);

    it('and else says how to', async () => {
      const { refused } = await bench.importText('a.csv', bytes);
      expect(refused).toEqual({
        code: 'not_utf8',
        reason: expect.stringMatching(/--encoding, such as .* windows-1251 /),
      });
      await bench.importText('a.csv', bytes, { encoding: 'windows-1251' });
      expect(await names()).toEqual(['Правда']);
    });

    it('but reads what is UTF-8 as UTF-8, also beside others', async () => {
      const utf8 = await bench.write('b.csv', 'id,kind,name\n2,outlet,Süddeutsche\n');
      await bench.import([await bench.write('a.csv', bytes), utf8], { encoding: 'windows-1251' });
      expect(await names()).toEqual(['Süddeutsche', 'Правда']);
    });

    it('and rejects rows with bytes that the encoding does not have', async () => {
      const text = Buffer.concat([
        Buffer.from('id,kind,name\n1,outlet,'),
        Buffer.from([0x93, 0xfa, 0x0a]),
        Buffer.from('2,outlet,'),
        Buffer.from([0xff, 0x0a]),
      ]);
      const summary = await bench.importText('a.csv', text, { encoding: 'shift_jis' });
      expect(summary).toMatchObject({ created: 1, causes: [{ first_line: 3, code: 'not_utf8' }] });
      expect(await names()).toEqual(['日']);
    });
  });

  describe('reads several lists', () => {
    it('by its path alone: a folder and a zip archive are refused, with the way out', async () => {
      await mkdir(join(bench.folder, 'lists'));
      const paths = [join(bench.folder, 'lists'), await bench.write('a.zip', await madeZip({ 'a.csv': csv }))];
      const { files } = await bench.import([...paths, await bench.write('a.csv', csv)]);
      expect(files.map(({ refused }) => refused?.reason)).toEqual([
        `is a folder. Pass its files, such as ${paths[0]}/*.csv`,
        'is a zip archive. Unpack it and pass its files',
        undefined,
      ]);
      expect(await names()).toEqual(['One']);
    });

    it('and goes on with the others if a reader fails in an unforeseen way', async () => {
      class Failing extends ColumnMap {
        override with(): ColumnMap {
          return this;
        }

        override complete(rows: Row[]): Row[] {
          if (rows.some((row) => 'source' in row && row.source.id === 'bad')) throw new TypeError('of jane@x.example');
          return rows;
        }
      }
      const paths = [await bench.write('a.csv', csv.replace('1', 'bad')), await bench.write('b.csv', csv)];
      const summary = await bench.import(paths, { columns: new Failing({}) });
      expect(summary.files).toMatchObject([
        { file: paths[0], created: 0, stopped: null, broken: expect.stringContaining('unexpected error') },
        { file: paths[1], created: 1, broken: null },
      ]);
      expect(describeFaults(summary).join()).not.toContain('jane');
    });

    it('and shows no address that a file is called by', async () => {
      const paths = [
        await bench.write('for-jane@x.example.csv', csv),
        await bench.write('ann (at) z.example.csv', 'x'),
      ];
      const summary = await bench.import(paths);
      const shown = [JSON.stringify(summary), describeSummary(summary), ...describeFaults(summary)].join();
      expect(shown).not.toMatch(/jane|ann|[xz]\.example/);
      expect(summary).toMatchObject({ created: 1 });
    });
  });
});
