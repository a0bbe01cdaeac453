import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { describeSummary } from '#indexer/importing/accounting/import-summary.ts';
import { askColumns } from '#indexer/importing/ask-columns.ts';
import { ColumnMap, usualColumns } from '#indexer/importing/columns/column-map.ts';
import { proposeColumns, proposeConstants } from '#indexer/importing/columns/propose-columns.ts';
import type { Sample } from '#indexer/importing/row.ts';
import { countryOfRegion } from '#records/places/regions.ts';
import { useEach } from '#testing/use.ts';
import { ImportBench } from './import-bench.ts';

/** The field that is proposed for a column of these values, beside others. */
function proposed(heading: string, values: readonly string[], others: Record<string, readonly string[]> = {}) {
  const sample: Sample = new Map([...Object.entries(others), [heading, values]]);
  return proposeColumns(usualColumns, sample).find((column) => column.heading === heading)?.field;
}

const media = ['Herald', 'Radio Nord', 'Echo', 'Die Post', '每日新闻'];
const names = ['Herald', 'Gazette', 'Echo'];
const emails = ['ann@x.example', 'b@y.example', 'c@z.example'];
const urls = ['https://x.example', 'https://y.example', 'www.z.example'];

/** A heading, values of its column and the fields that are proposed for it, if any: a line each, with tabs between. */
const headings = readFileSync(new URL('headings.tsv', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => {
    const [heading = '', values = '', field = ''] = line.split('\t');
    return [heading, values, field] as const;
  });

describe('a proposal needs heading and values:', () => {
  it.each(headings)('%s with %j fills %j', (heading, values, field) => {
    expect([proposed(heading, values.split('|'))].flat().join('|')).toBe(field);
  });

  it('each field once, and what usual headings name comes first', () => {
    expect(proposed('Medio', names, { 'Media Outlet': names })).toBe(null);
    expect(proposed('domain', ['x.example', 'y.example'], { Website: urls.slice(0, 2) })).toBe(null);
    expect(proposed('Title', names, { Publication: names })).toBe(null);
    expect(proposed('url', ['https://x.example/rss'], { homepage: urls })).toBe('feed_url');
    expect(proposed('First Name', ['Ann'], { Name: ['Ann Roy'], 'Main outlet': names })).toBe(null);
    expect(proposed('seen_first', ['25/10/21', '6/12/17'], { Name: names })).toBe(null);
    expect(proposed('name', names, { link_last: ['true', 'true', ''] })).toBe('name');
    expect(proposed('Company', names, { Title: ['', '', ''] })).toBe('name');
    expect(proposed('Homepage', urls, { Website: ['', '', ''], Name: names })).toBe('url');
    expect(proposed('domain', ['x.example', 'y.example'], { id: ['1', '2'] })).toBe('url');
  });

  it('a page in a directory is not that of the medium, if another column has its host', () => {
    const pages = ['a', 'b', 'c', 'd', 'e'].map((page) => `https://directory.example/${page}`);
    const hosts = ['a.example', 'b.example', 'c.example', 'd.example', 'e.example'];
    expect(proposed('domain', hosts, { url: pages, name: media })).toBe('url');
    expect(proposed('url', pages, { domain: hosts })).toBe(null);
    expect(proposed('url', pages, { name: hosts })).toBe('url');
    expect(proposed('url', hosts, { domain: hosts, name: media })).toBe('url');
  });

  it('names may be below an unknown heading, if no other has them', () => {
    const domain = media.map((_, at) => `${at}.example`);
    expect(proposed('Introduction', media, { domain })).toBe('name');
    expect(proposed('Introduction', media, { domain, name: domain })).toBe(null);
    expect(proposed('Introduction', media.toSpliced(1, 1, 'Echo'), { domain })).toBe(null);
    expect(proposed('handle', ['@herald', '@nord', 'echo', 'post', 'news'], { domain })).toBe(null);
  });

  it('an id that stands for several names is not one', () => {
    const ids = Array.from({ length: 20 }, (_, row) => `FOX ${row % 10}`);
    const each = ids.map((_, row) => `Station ${row}`);
    expect(proposed('id', ids, { name: each })).toBe(null);
    expect(proposed('id', ids, { name: ids })).toBe('id');
  });

  it.each<[states: readonly string[], others: Record<string, readonly string[]>, country: string | undefined]>([
    [['AK', 'Alabama', 'TX'], {}, 'US'],
    [['NSW', 'Victoria', 'QLD'], {}, 'AU'],
    [['AK', 'Alabama', 'TX'], { Country: ['', '', ''] }, undefined],
    [['Jalisco', 'Puebla', 'Yucatán'], {}, 'MX'],
    [['BY', 'HE', 'NW'], {}, undefined],
    [['North', 'South', 'East'], {}, undefined],
    [['TX', 'TX', 'CA'], {}, undefined],
  ])('and a list of regions %j alone is of one country', (states, others, country) => {
    const sample: Sample = new Map([...Object.entries({ ...others, State: states })]);
    expect(proposeConstants(proposeColumns(usualColumns, sample), sample).country).toBe(country);
  });
});

describe('columns without a field', () => {
  const bench = useEach(ImportBench.open);

  const stored = async () => [...(await bench.records()).values()];
  const rows = (heading: string, values: readonly string[], more = '') =>
    `name,${heading}${more && ',Site'}\n${values.map((value, at) => `${names[at]},${value}${more && `,${urls[at]}`}`).join('\n')}\n`;

  it.each([
    ['email addresses', rows('Kontakt', emails), 'has email addresses in "Kontakt"'],
    ['email addresses beside names', rows('Contact', ['Ann <ann@x.example>', 'b@y.example']), '"Contact"'],
    ['web addresses, where none fills url', rows('Webseite', urls), 'has web addresses in "Webseite"'],
    ['email addresses in JSON', JSON.stringify(emails.map((at) => ({ name: at[0], Kontakt: at }))), '"Kontakt"'],
  ])('refuse a list if they hold %s, and name the ways out', async (_, text, reason) => {
    const { refused } = await bench.importText('a.csv', text, { kind: 'outlet' });
    expect(refused).toMatchObject({ code: 'lost_addresses', reason: expect.stringContaining(reason) });
    for (const way of ['--columns auto', '--columns FILE', '--ignore "']) expect(refused?.reason).toContain(way);
    expect(refused?.reason).not.toMatch(/@|y\.example/);
    expect(await stored()).toEqual([]);
  });

  it('that no field is proposed for are left out by a proposal, too', async () => {
    const { refused } = await bench.importText('a.csv', rows('Logo', urls), { kind: 'outlet' });
    expect(refused?.reason).toMatch(/No field is proposed .*, or leave them out with --columns auto$/);
    const columns = new ColumnMap({}, 'propose');
    expect(await bench.importText('a.csv', rows('Logo', urls), { kind: 'outlet', columns })).toMatchObject({
      created: 3,
    });
  });

  it('are told from usual headings whose values are something else', async () => {
    const list =
      'name,kind,url,country,state\nHerald,outlet,https://x.example,US,active\nEcho,outlet,https://y.example,US,active\n';
    const summary = await bench.import([await bench.write('a.csv', list.replace('state', 'region'))]);
    expect(summary.files[0]).toMatchObject({ ignored_columns: [], doubted_columns: ['"region"'] });
    expect(describeSummary(summary)).toContain('The values of "region" are not what the heading says');
  });

  it('tell the medium of a list of people', async () => {
    const people = async () => (await stored()).flatMap(({ contacts }) => contacts);
    const list = 'First Name,Last Name,Title,Outlet,Title\nJane,Doe,Reporter,Herald,Ms\nBob,Fox,Editor,Echo,Mr\n';
    await bench.importText('a.csv', list, { kind: 'outlet', columns: new ColumnMap({}, 'propose') });
    const told = (await stored()).map((one) => [one.name, one.contact_name, one.contact_title].join(', '));
    expect(told.toSorted()).toEqual(['Echo, Bob Fox, Editor', 'Herald, Jane Doe, Reporter']);
    await bench.importText('b.csv', 'Last name,First name,Outlet\nRoy,Ann,Echo\n', { kind: 'outlet' });
    expect((await people()).map(({ name }) => name)).toContain('Ann Roy');
    const names = ['Ann Roy', 'Bob Fox', 'Jane Doe', 'Tom Ray', 'Mary Poe', 'Robert Fox'];
    const staff = { Name: names, 'Job Title': names.map(() => 'Editor') };
    expect(proposed('Employer', ['Echo', 'Post', 'Herald', 'Echo', 'Echo', 'Echo'], staff)).toBe('name');
    const json = '[{"outlet":"Post","last_name":"Ray","first_name":"Tom"}]';
    for (const columns of [new ColumnMap({}, 'propose'), usualColumns])
      expect(await bench.importText('c.json', json, { kind: 'outlet', columns })).toMatchObject({ rejected: 0 });
    expect((await people()).map(({ name }) => name)).toContain('Tom Ray');
  });

  it('name media by their hosts, if a list has no names', async () => {
    const list = 'domain,bias,score\nx.example,,\nhttps://www.Y.example/,right,1\nblog.github.io,left,2\n';
    const auto = { kind: 'outlet', columns: new ColumnMap({}, 'propose') } as const;
    for (const counts of [{ created: 3 }, { unchanged: 3 }])
      expect(await bench.importText('a.csv', list, auto)).toMatchObject({ ...counts, rejected: 0, notes: [] });
    expect((await stored()).map(({ name, url }) => `${name} ${url}`).toSorted()).toEqual([
      'Y.example https://www.y.example/',
      'blog.github.io https://blog.github.io/',
      'x.example https://x.example/',
    ]);
  });

  it('imply a country, by which no record is another', async () => {
    const list = 'name,state\nA,Jalisco\nB,Puebla\nC,Yucatán\n';
    const auto = { kind: 'outlet', columns: new ColumnMap({}, 'propose') } as const;
    await bench.importText('a.csv', list, { kind: 'outlet' });
    expect(await bench.importText('a.csv', list, auto)).toMatchObject({ updated: 3 });
    expect(await bench.importText('a.csv', `${list}D,Jalisco\n`, auto)).toMatchObject({ unchanged: 3, created: 1 });
    expect(await bench.importText('a.csv', `${list}D,Jalisco\n`, { kind: 'outlet' })).toMatchObject({ unchanged: 4 });
  });

  it('imply another country or none for a region that is not of the country of the list', async () => {
    const states = ['TX', 'NY', 'FL', 'OH', 'WI', 'MI', 'OR', 'NV', 'AZ', 'UT', 'NA', 'ON'];
    const list = states.map((state) => ({ name: `${state} Herald`, state, langs: ['EN', 'FR'] }));
    const columns = new ColumnMap({}, 'propose');
    await bench.importText('a.json', JSON.stringify(list), { kind: 'outlet', columns });
    const read = (await stored()).map(({ name, country, language }) => `${name} ${country} ${language}`);
    expect(read.toSorted()).toEqual(states.map((one) => `${one} Herald ${one === 'ON' ? 'CA' : 'US'} en`).toSorted());
    expect(countryOfRegion('Victoria', 'US')).toBe(null);
    expect(countryOfRegion('West', 'US')).toBe('US');
    expect(countryOfRegion('MX', 'US')).toBe(null);
  });

  describe('are asked about on a terminal:', () => {
    async function ask(content: string, answer: string | null, name = 'list.csv', map = usualColumns) {
      const path = await bench.write(name, content);
      const [input, output] = [new PassThrough(), new PassThrough()];
      const options = { sheet: null, encoding: null, columns: map, kind: 'outlet' } as const;
      if (answer === null) input.end();
      else input.write(`${answer}\n`);
      const columns = await askColumns(path, options, { input, output });
      output.end();
      return { path, columns, shown: await text(output) };
    }
    const list = rows('Kontakt', emails);

    it('with what is proposed and the first records, without whole addresses', async () => {
      const { columns, shown, path } = await ask(list, 'yes');
      expect(shown).toContain('Kontakt: email # a***@x.example');
      expect(shown).toContain('  kind: outlet · name: Herald · email: a***@x.example\n');
      expect(shown).toContain('Echo');
      expect(shown).not.toContain('ann@');
      await bench.import([path], { kind: 'outlet', columnsOf: new Map([[path, columns ?? usualColumns]]) });
      expect((await stored()).map(({ email }) => email).toSorted()).toEqual(emails);
    });

    it('no imports nothing', async () => {
      expect(await ask(list, 'no')).toMatchObject({ columns: null });
    });

    it('file writes what is proposed into a file, once, and imports nothing; neither does the end of the input', async () => {
      const name = `${randomUUID()}.csv`;
      const { columns, shown } = await ask(list, 'file', name);
      expect(columns).toBe(null);
      expect(shown).toContain(`--columns ${name}.columns.yaml`);
      expect(await readFile(`${name}.columns.yaml`, 'utf8')).toContain('  Kontakt: email # a***@x.example');
      await expect(ask(list, 'file', name)).rejects.toThrow('EEXIST');
      await rm(`${name}.columns.yaml`);
      expect(await ask(list, null)).toMatchObject({ columns: null });
    });

    it('nothing is asked where the usual headings say it all, or --columns auto does', async () => {
      expect(await ask('name,url,owner\nA,https://a.example,B\n', null)).toMatchObject({
        columns: usualColumns,
        shown: '',
      });
      const auto = new ColumnMap({}, 'propose');
      expect(await ask(list, null, 'list.csv', auto)).toMatchObject({ columns: auto, shown: '' });
    });
  });
});
