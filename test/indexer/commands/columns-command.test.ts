import { describe, expect, it } from 'vitest';
import { ImportBench } from '#test/indexer/importing/import-bench.ts';
import { readCases } from '#testing/cases.ts';
import { useEach } from '#testing/use.ts';

const list = `Nr;Sender;Webseite;Kontaktadresse;Land;Themen;Notiz
1;Radio Nord;https://nord.example;jane@nord.example;Germany;news, sport;"anrufen #1"
2;Radio Süd;https://sued.example;joe@sued.example;Austria;music;
`;

const columns = `columns:
  Nr: id
  Sender: name
  Webseite: website
  Kontaktadresse: email
  Land: country
  Themen: categories
  Notiz:
constants:
  kind: outlet
  type: radio
list_separator: ","`;

describe('columns of other names', () => {
  let file: string;
  const bench = useEach(ImportBench.open, async (bench) => {
    file = await bench.write('sender.csv', list);
  });

  const run = (...args: string[]) => bench.run(...args);
  const importWith = async (text: string, path = file) =>
    run('import', path, '--json', '--columns', await bench.write('columns.yaml', text));

  it('are read as a column file says, with constants and a separator of lists', async () => {
    expect(await importWith(columns)).toMatchObject({ code: 0 });
    expect(await bench.record('1')).toMatchObject({
      kind: 'outlet',
      type: 'radio',
      name: 'Radio Nord',
      url: 'https://nord.example/',
      email: 'jane@nord.example',
      country: 'DE',
      categories: ['general_news', 'sports'],
      description: null,
    });
  });

  it('let several columns fill a list', async () => {
    const path = await bench.write(
      'a.csv',
      'id,kind,name,Owner,Network,Motto\n1,outlet,A,Tegna,NBC,\n2,outlet,B,,ABC,x\n',
    );
    expect(await importWith('columns: { Motto: tags, Owner: tags }', path)).toMatchObject({ code: 0 });
    expect((await bench.record('1')).tags).toEqual(['Tegna']);
    expect((await bench.record('2')).tags).toEqual(['x']);
    expect(await run('import', path)).toMatchObject({ code: 0 });
    expect((await bench.record('1')).tags).toEqual(['Tegna', 'NBC']);
    const json = await bench.write('a.json', '[{"id":"3","kind":"outlet","name":"C","owner":"Tegna","tags":["NBC"]}]');
    expect(await run('import', json)).toMatchObject({ code: 0 });
    expect((await bench.record('3')).tags).toEqual(['Tegna', 'NBC']);
  });

  it.each(readCases<[file: string, reason: string]>(new URL('refused-columns.tsv', import.meta.url)))(
    'refuse the column file %j',
    async (text, reason) => {
      const { code, stderr } = await importWith(text);
      expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(reason) });
      expect(await bench.backends.records.count()).toBe(0);
    },
  );

  it('refuse a list that lacks a column', async () => {
    const { code, stderr } = await importWith('columns: { Sender: name, Ort: city }');
    expect(code).toBe(1);
    expect(stderr).toContain('has no column "Ort", which the column file names. It has "Nr", "Sender"');
  });

  it('are proposed from headings and values, with addresses masked, as a file to edit', async () => {
    const shown = (await run('import', file, '--columns', 'auto', '--dry-run', '--kind', 'outlet')).stdout;
    const stdout = shown.slice(0, shown.indexOf(file));
    expect(shown).toContain('2 created');
    expect(await bench.backends.records.count()).toBe(0);
    expect(stdout).toContain('Nr: # 1 · 2');
    expect(stdout).toContain('Sender: name # Radio Nord · Radio Süd');
    expect(stdout).toContain('Webseite: url #');
    expect(stdout).toContain('Kontaktadresse: email # j***@nord.example · j***@sued.example');
    expect(stdout).toContain('Land: country # Germany · Austria');
    expect(stdout).not.toContain('jane@');
    expect((await run('import', file, '--dry-run')).stdout).toContain(stdout);
    expect(await importWith(`${stdout}constants: { kind: outlet }\n`)).toMatchObject({ code: 0 });
    expect(await bench.backends.records.count()).toBe(2);
  });

  it('may fill two fields: an address or what follows the last comma, and the rest', async () => {
    const path = await bench.write(
      'a.csv',
      'id,name,Contact,Place\n1,A,Ann Lee <ann@a.example>,"Houston, Texas"\n2,B,bo@b.example,Rome\n3,C,Cy Roe,"a, b, Texas"\n',
    );
    const file = 'columns: { Contact: [contact_name, email], Place: [city, region] }\nconstants: { kind: outlet }';
    expect(await importWith(file, path)).toMatchObject({ code: 0 });
    const [a, b, c] = [await bench.record('1'), await bench.record('2'), await bench.record('3')];
    expect(a).toMatchObject({ contact_name: 'Ann Lee', email: 'ann@a.example', city: 'Houston', region: 'Texas' });
    expect(b).toMatchObject({ contact_name: null, email: 'bo@b.example', city: 'Rome', region: null });
    expect(c).toMatchObject({ contact_name: 'Cy Roe', email: null, city: 'a, b', region: 'Texas' });
  });

  it('say what the words of a source mean', async () => {
    const path = await bench.write('a.csv', 'id,name,type,category\n1,A,Print and online,Local|Sport\n');
    const file =
      'values: { type: { "Print and Online": newspaper, Web: }, categories: { local: local_news } }\nconstants: { kind: outlet }';
    expect(await importWith(file, path)).toMatchObject({ code: 0 });
    expect(await bench.record('1')).toMatchObject({ type: 'newspaper', categories: ['local_news', 'sports'] });
  });

  it('name the columns of a file without a header, or its line', async () => {
    const headless = await bench.write('a.csv', '1;A;https://a.example\n2;B;https://b.example\n');
    expect(await importWith('header: [id, name, url]\nconstants: {kind: outlet}', headless)).toMatchObject({ code: 0 });
    const below = await bench.write('b.csv', 'Our list,\nof 2026,\nid,name\n3,C\n');
    expect(await importWith('header_row: 3\nconstants: { kind: outlet }', below)).toMatchObject({ code: 0 });
    expect([...(await bench.records()).values()].map(({ id, name }) => id + name)).toEqual(['1A', '2B', '3C']);
  });

  it('are left out with --ignore, or taken as proposed with auto', async () => {
    expect(await run('import', file, '--kind', 'outlet', '--columns', 'auto')).toMatchObject({ code: 0 });
    expect(await bench.backends.records.count()).toBe(2);
    const path = await bench.write('a.csv', 'id,kind,name,Mailbox,Extra\n7,outlet,G,g@g.example,1\n');
    expect(await run('import', path)).toMatchObject({ code: 1, stderr: expect.stringContaining('--ignore "Mailbox"') });
    const left = await run('import', path, '--ignore', 'Mailbox', '--ignore', 'Extra');
    expect(left).toMatchObject({ code: 0, stdout: expect.not.stringContaining('Unknown columns') });
  });
});
