import { readFileSync } from 'node:fs';
import { text as textOf } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import type { ExportFormat } from '#outbound/export-records.ts';
import { contactRows } from '#outbound/export-rows.ts';
import { listFormats } from '#src/encodings/formats.ts';
import { leadTools } from '#src/lead-tools/lead-tools.ts';
import { readCases } from '#testing/cases.ts';
import { useEach } from '#testing/use.ts';
import { describeSummary } from '../../../indexer/importing/accounting/import-summary.ts';
import { describeColumns } from '../../../indexer/importing/ask-columns.ts';
import { ColumnMap, loadColumns, usualColumns } from '../../../indexer/importing/columns/column-map.ts';
import { ImportBench } from './import-bench.ts';

const ann = 'Ann One · Politics Editor · politics · ann@daily-a.example · +44 20 7946 0001 · ';
const bob = 'Bob Two · Sports Editor · sports · bob@daily-a.example · +44 20 7946 0002 · ';
const x = ['https://x.com/annone', 'https://x.com/bobtwo'];
const withoutBeats = (...people: string[]) => people.map((one) => one.replace(/ (?:politics|sports) ·/, '  ·'));

/** Whom the list of each tool (lists-of-tools/) names at Daily A. Radio B has a desk in each. */
const tools: [tool: string, people: string[]][] = [
  ['Apollo', withoutBeats(`${ann}https://www.linkedin.com/in/ann-one`, `${bob}https://www.linkedin.com/in/bob-two`)],
  ['Cision', [ann + x[0], bob + x[1]]],
  ['Google', withoutBeats(ann, bob)],
  ['HubSpot', withoutBeats(ann, bob)],
  ['Mailchimp', withoutBeats(ann, bob)],
  ['Muck Rack', [`${ann}https://muckrack.example/ann ${x[0]}`, `${bob}https://muckrack.example/bob ${x[1]}`]],
  ['Outlook', withoutBeats(ann, bob)],
  ['Prowly', withoutBeats(ann + x[0], bob + x[1])],
  ['Rephonic', ['Ann One ·  ·  · ann@daily-a.example ·  · ', 'Bob Two ·  ·  · bob@daily-a.example ·  · ']],
];
const listOf = (tool: string) => readFileSync(new URL(`lists-of-tools/${tool}.csv`, import.meta.url), 'utf8');

const reading = { kind: 'outlet', sheet: null, encoding: null } as const;

describe('a list of people', () => {
  const bench = useEach(ImportBench.open);

  /** The contacts of each medium, in one line each. */
  async function contacts(): Promise<Record<string, string[]>> {
    const records = [...(await bench.records()).values()];
    return Object.fromEntries(
      records.map(({ name, contacts: all }) => [
        name,
        all
          .map((one) =>
            [one.name, one.title, one.beats.join('/'), one.email, one.phone, one.links.join(' ')]
              .map((value) => value ?? '')
              .join(' · '),
          )
          .toSorted(),
      ]),
    );
  }

  const importList = async (text: string, columns = usualColumns) => {
    const summary = await bench.importText('list.csv', text, { kind: 'outlet', columns });
    expect(summary).toMatchObject({ refused: null });
    return summary;
  };

  it.each(tools)('of %s keeps each person with what is hers', async (tool, people) => {
    const text = listOf(tool);
    await importList(text);
    const kept = await contacts();
    expect(kept['Daily A']).toEqual(people);
    expect(kept['Radio B']).toHaveLength(1);
    expect(await importList(text)).toMatchObject({ unchanged: 2, created: 0, updated: 0 });
    expect(await contacts()).toEqual(kept);
  });

  it('of desks keeps each address, and takes no phone for a title', async () => {
    const list =
      'outlet,desk,email,tips\nDaily A,News desk,news@a.example,tips@a.example\nRadio B,Editor,ed@b.example,\n';
    await bench.importText('list.csv', list, { kind: 'outlet', columns: new ColumnMap({}, 'propose') });
    expect((await contacts())['Daily A']).toEqual(
      ['news', 'tips'].map((at) => ` · News desk ·  · ${at}@a.example ·  · `),
    );
    const phones = 'outlet,desk,email\nTV C,+44 20 7946 0001,news@c.example\nTV D,+44 20 7946 0002,news@d.example\n';
    await bench.importText('phones.csv', phones, { kind: 'outlet', columns: new ColumnMap({}, 'propose') });
    expect((await contacts())['TV C']).toEqual([' ·  ·  · news@c.example ·  · ']);
  });

  it.each(readCases<[headings: string, names: string[]]>(new URL('desks-and-people.tsv', import.meta.url)))(
    'of %s has its people, though most are desks: %j',
    async (headings, names) => {
      const desks = 'ABCD'.split('').flatMap((at) => names.map((name) => `Daily ${at},${name.replace('#', at)},,`));
      const list = `${headings},title,email\nDaily A,Ann Miller,Editor,ann@a.example\n${desks.join('\n')}\n`;
      await bench.importText('list.csv', list, { kind: 'outlet', columns: new ColumnMap({}, 'propose') });
      const [daily] = [...(await bench.records()).values()].filter(({ name }) => name === 'Daily A');
      expect(daily?.contacts.map(({ name, kind }) => `${name} ${kind}`)).toEqual([
        'Ann Miller person',
        ...names.map((name) => `${name.replace('#', 'A')} desk`),
      ]);
    },
  );

  it.each(readCases<[string]>(new URL('headings-of-people.tsv', import.meta.url)))(
    'has the same people under %s',
    async (headings) => {
      const rows = [
        'Ann One,Daily A,Editor,ann@daily-a.example,+44 20 7946 0001,politics',
        'Bob Two,Daily A,Reporter,bob@daily-a.example,+44 20 7946 0002,sports',
        'Cem Three,Radio B,Reporter,cem@radio-b.example,+44 20 7946 0003,music',
        'Dee Four,Herald C,Editor,dee@herald-c.example,+44 20 7946 0004,health',
      ];
      await importList(`${headings}\n${rows.join('\n')}\n`);
      expect((await contacts())['Daily A']).toEqual([
        'Ann One · Editor · politics · ann@daily-a.example · +44 20 7946 0001 · ',
        'Bob Two · Reporter · sports · bob@daily-a.example · +44 20 7946 0002 · ',
      ]);
    },
  );

  it('has people under a heading that no list had before, beside a plain one of their media', async () => {
    const people = ['Ann Miller', 'Robert Jones', 'Carla Smith', 'David Brown', 'Emma White'];
    const handle = (name: string) => name.replace(' ', '').toLowerCase();
    const row = (name: string, place: number) => ({
      id: handle(name),
      en: name,
      outlet: place < 2 ? 'Daily A' : `Daily ${place}`,
      x: handle(name),
      bluesky: '',
    });
    await importList(JSON.stringify([...people.map(row), { ...row('Zoe Young', 9), bluesky: 'zoe.example' }]));
    expect((await contacts())['Daily A']).toEqual([
      'Ann Miller ·  ·  ·  ·  · https://x.com/annmiller',
      'Robert Jones ·  ·  ·  ·  · https://x.com/robertjones',
    ]);
  });

  it.each([
    ['name,company', 'Herald of A,A Ltd\nRadio B,B plc\nEcho Weekly,B plc\n'],
    ['name,outlet', 'Herald of A,Herald of A\nRadio B,Radio B\nEcho Weekly,Echo Weekly\n'],
    ['name,outlet', 'Herald of A,Network News\nRadio B,Network News\nEcho Weekly,Public Radio\n'],
    ['guest,podcast', 'Ann Miller,Herald of A\nCarla Smith,Radio B\nRobert Jones,Echo Weekly\n'],
    ['account holder,outlet', 'Ann Miller,Herald of A\nAnn Miller,Radio B\nRobert Jones,Echo Weekly\n'],
  ])('is none where %s are media and who owns them', async (headings, rows) => {
    await bench.importText('list.csv', `${headings}\n${rows}`, {
      kind: 'outlet',
      columns: new ColumnMap({}, 'propose'),
    });
    expect([...(await bench.records()).values()].flatMap((one) => one.contacts)).toEqual([]);
  });

  it('has several people of a first-name and a last-name column apart, or rejects the row', async () => {
    const list =
      'outlet,first name,last name,email\nDaily A,Ann,One and Bob Two,ann@a.example\nDaily A,Cem,Three and Four,hi@a.example\n';
    const summary = await importList(list);
    expect((await contacts())['Daily A']).toEqual(['Ann One ·  ·  · ann@a.example ·  · ', 'Bob Two ·  ·  ·  ·  · ']);
    expect(summary).toMatchObject({ read: 2, created: 1, rejected: 1 });
  });

  it.each(
    readCases<[what: string, text: string, medium: string, people: string[], auto?: 'auto']>(
      new URL('people.tsv', import.meta.url),
    ),
  )('%s', async (_, text, medium, people, auto) => {
    await importList(text, auto && new ColumnMap({}, 'propose'));
    const kept = await contacts();
    expect(kept[medium]).toEqual(people);
    const path = await bench.write('list.csv', text);
    const proposal = await describeColumns(path, { ...reading, columns: new ColumnMap({}, 'propose') });
    const columns = await loadColumns(await bench.write('columns.yaml', proposal?.file ?? ''));
    await bench.importText('list.csv', text, { kind: 'outlet', columns });
    expect(await contacts()).toEqual(kept);
  });

  it('made for the eye has values that repeat the one above, two lines of headings, and totals', async () => {
    const text = [
      'Medium;;;Contact;;;Copies',
      'Name;Web;City;Name;Email;Phone;',
      'Daily A;https://daily-a.example;London;Ann One;ann@daily-a.example;+44 20 7946 0001;1,000',
      'same as above;;;Bob Two;bob@daily-a.example;4.4208E+11;-',
      's. o.;s. o.;dito;Cem Three;cem@daily-a.example;N/A;-',
      'LOCAL PRESS;;;;;;',
      'Ditto;https://ditto.example;Leeds;Dee Four;dee@ditto.example;+44 20 7946 0004;2,000',
      '"""";""""; ;Eve Five;eve@ditto.example;;',
      'Total;2;;5;;;3,000',
    ].join('\n');
    const summary = await importList(text);
    const notes = [
      { code: 'unreadable', field: 'phone', first_line: 4 },
      { code: 'only_name', first_line: 6 },
    ];
    expect(summary).toMatchObject({ read: 7, created: 3, rejected: 1, notes });
    expect(await contacts()).toEqual({
      'Daily A': [
        'Ann One ·  ·  · ann@daily-a.example · +44 20 7946 0001 · ',
        'Bob Two ·  ·  · bob@daily-a.example ·  · ',
        'Cem Three ·  ·  · cem@daily-a.example ·  · ',
      ],
      'LOCAL PRESS': [],
      Ditto: ['Dee Four ·  ·  · dee@ditto.example · +44 20 7946 0004 · ', 'Eve Five ·  ·  · eve@ditto.example ·  · '],
    });
    expect(await importList('outlet;city;contact name\nidem;;Ann One')).toMatchObject({ rejected: 1 });
  });

  it('has ids of people, unless its headings are ours or one id stands for several people of a medium', async () => {
    await importList('id,outlet,contact name\np1,Daily A,Ann One\np2,Daily A,Bob Two\n');
    await importList('id,outlet,contact name\nc1,Office C,Cem Three\nc1,Office C,Dee Four\n');
    await importList('id,kind,name,contact_name\nd1,outlet,Radio D,Eva Five\n');
    const ids = [...(await bench.records()).keys()];
    expect(ids).toHaveLength(3);
    expect(ids).toEqual(expect.arrayContaining(['c1', 'd1', expect.stringMatching(/^auto-/)]));
  });

  it.each([
    [
      'other names and tags',
      'name,aliases,tags,outlet\nAnn One,"[""A. One""]",vip,Daily A\nBob Two,"[""Bo""]",cold,Daily A\nCem,[],,Radio B\n',
    ],
    [
      'a text',
      'outlet,journalist,about\nDaily A,Ann One,Ann writes\nDaily A,Bob Two,Bob reads\nRadio B,Cem,Cem sings\n',
    ],
    [
      'a topic',
      'outlet,journalist,category\nDaily A,Ann One,health\nDaily A,Bob Two,finance\nRadio B,Cem,sports\nRadio B,Dee,sports\n',
    ],
    ['a biography', 'journalist,outlet,bio\nAnn One,Daily A,Ann writes\nCem,Radio B,Cem sings\n'],
  ])('gives no medium %s of its people', async (_, text) => {
    await importList(text);
    const nothing = { aliases: [], description: null, categories: [], tags: [] };
    for (const record of (await bench.records()).values()) expect(record).toMatchObject(nothing);
  });

  it('names people in the script that most of them have, with what belongs to them', async () => {
    const row = { name_hebrew: null, job_title_english: 'Reporter', organization_name: 'Daily A' };
    const hers = { name_hebrew: 'אן', job_title_english: 'Editor', beat: 'Politics, Energy' };
    const rows = [
      { ...row, ...hers, id: 'a_1', name_english: 'Ann One' },
      { ...row, id: 'a_2', name_english: 'Yoav' },
      { ...row, id: 'a_3', name_english: 'Agencies' },
    ];
    const { refused } = await bench.importText('list.json', JSON.stringify(rows), { kind: 'outlet' });
    expect(refused).toBeNull();
    expect(await contacts()).toEqual({
      'Daily A': [
        'Agencies · Reporter ·  ·  ·  · ',
        'Ann One · Editor · Politics/Energy ·  ·  · ',
        'Yoav · Reporter ·  ·  ·  · ',
      ],
    });
  });

  it('gives no medium the pages of its people, nor a name that says both', async () => {
    const articleOf = (author: string, publisher: string, page: string) =>
      [`${author} :: ${publisher}`, { author, publisher, urls: [`https://${page}`] }] as const;
    const authors = [
      articleOf('Ann One', 'Daily A', 'daily-a.example/one'),
      articleOf('Bob Two', 'Daily A', 'daily-a.example/two'),
      articleOf('Cem Three', 'Radio B', 'radio-b.example/three'),
    ];
    await bench.importText('list.json', JSON.stringify(Object.fromEntries(authors)), { kind: 'outlet' });
    expect(
      (await bench.records())
        .values()
        .map(({ name, url }) => [name, url])
        .toArray()
        .sort(),
    ).toEqual([
      ['Daily A', null],
      ['Radio B', null],
    ]);
  });

  it('has contacts in JSON whole, also beside keys that are not ours, and names under such a heading', async () => {
    const people = [{ name: 'Ann One', email: 'ann@a.example', beats: ['law'] }];
    const row = { id: 'a', kind: 'outlet', name: 'Daily A', company: 'A Ltd', notes: 'x', contacts: people };
    await bench.importText('list.ndjson', `${JSON.stringify(row)}\n`);
    await importList('outlet,contacts\nRadio B,Bob Two\n');
    expect(await contacts()).toEqual({
      'Daily A': ['Ann One ·  · law · ann@a.example ·  · '],
      'Radio B': ['Bob Two ·  ·  ·  ·  · '],
    });
  });

  it('gives no medium the places of its people, by whom it would be several', async () => {
    const guardian = 'Ann One,Guardian,UK,ann@g.example\nBob Two,Guardian,US,bob@g.example\n';
    const radio = 'Cem Three,Radio B,UK,cem@radio-b.example\n';
    await importList(`journalist,outlet,country,email\n${guardian}${radio}`);
    expect(Object.keys(await contacts()).toSorted()).toEqual(['Guardian', 'Radio B']);
    const gazettes = 'Dee Four,Gazette,UK,dee@one.example\nEva Five,Gazette,US,eva@two.example\n';
    const institute = 'Fay Six,Institute,Global,\nGil Seven,Institute,Eastern Europe,\n';
    const list = await bench.write('list.csv', `journalist,outlet,region,email\n${guardian}${gazettes}${institute}`);
    const summary = await bench.import([list], { kind: 'outlet' });
    expect(summary).toMatchObject({ created: 6, media_apart: [{ name: 'Guardian' }, { name: 'Institute' }] });
    expect(describeSummary(summary)).toContain('Institute (Eastern Europe / Global). If these are places of');
  });

  it('keeps texts and pages of shows, though two of one name differ', async () => {
    const shows = Array.from({ length: 12 }, (_, at) => `Show ${at},Text ${at},https://show${at}.example,Ann One\n`);
    const same = ['Bob Two', 'Cem Three'].map(
      (host) => `Weekly,By ${host},https://${host.slice(0, 3)}.example,${host}\n`,
    );
    const unhosted = ['Dee Four', ''].map((host) => `Daily,By ${host}.,https://${host.slice(0, 3)}0.example,${host}\n`);
    await importList(`title,description,website,host\n${[...shows, ...same, ...unhosted].join('')}`);
    const all = [...(await bench.records()).values()];
    expect(all).toHaveLength(16);
    expect(all.filter(({ description, url }) => description === null || url === null)).toEqual([]);
  });

  it('keeps what a list says of each medium beside its people', async () => {
    const daily = ',The Daily of A,The daily of Leeds,health\n';
    const rows = ['Ann One', 'Bob Two'].map((name) => `Daily A,${name}${daily}`);
    await importList(`outlet,contact name,aliases,description,category\n${rows.join('')}Radio B,Cem Three,,A radio,\n`);
    expect(
      (await bench.records())
        .values()
        .map(({ aliases, description, categories }) => [...aliases, description, ...categories])
        .toArray(),
    ).toEqual(expect.arrayContaining([['The Daily of A', 'The daily of Leeds', 'health'], ['A radio']]));
  });

  it.each(['csv', 'ndjson'])('goes in again unchanged as our export has it, with ids of contacts: %s', async (name) => {
    await importList(listOf('Muck Rack'));
    await importList('outlet,contact name,email\nRadio B,Cem Three & Fay Six,no-reply@radio-b.example\n');
    await importList('outlet,contact name\nDaily A,Cem Three\nDaily A,Fay Six\n');
    const before = await bench.records();
    const records = async function* () {
      yield [...before.values()];
    };
    const [format] = listFormats(leadTools).filter((one) => one.name === name) as [ExportFormat];
    const rows = contactRows(records(), ({ contacts: all }) => all);
    const file = await textOf(format.write(rows, { rows: 'contacts' }));
    expect(await bench.importText(`export.${name}`, file)).toMatchObject({ read: 6, unchanged: 2, notes: [] });
    expect(await bench.records()).toEqual(before);
    const moved = file.replaceAll('Cem Three & Fay Six', 'Dee Four');
    expect(await bench.importText(`export.${name}`, moved)).toMatchObject({ updated: 1, unchanged: 1, rejected: 0 });
    const desk = ' ·  ·  · news@radio-b.example · +44 20 7946 0009 · ';
    expect(await contacts()).toMatchObject({ 'Radio B': [desk, expect.stringMatching(/^Dee Four/)] });
  });

  it.each([
    ['first and last names', 'Senator,First,Last,Email,Title1\nSenA,Ann,One,a@x.example,(PS)\n', /"Senator".*columns:/],
    [
      'names alone',
      'handle,name,beat\n@a,Ann Miller,economy\n@b,Robert Fox,sport\n',
      /no heading says at which medium/,
    ],
    ['names in another script', 'press_id,journalist_id,name\nA,1,최병천\nB,2,박언\n', /"press_id".*columns:/],
    [
      'words for none',
      'name,publication,location\n"Miller, Ann",N/a,N/a\nRobert Fox,,N/a\nJane Doe,Freelance,N/a\n',
      /none of its rows names the medium/,
    ],
  ])('without a medium is refused with what it lacks: %s', async (_, text, reason) => {
    for (const kind of ['outlet', null] as const) {
      const { refused } = await bench.importText('list.csv', text, { kind });
      expect(refused).toMatchObject({ code: 'no_media', reason: expect.stringMatching(reason) });
      expect(refused?.reason.includes('add --kind')).toBe(kind === null);
    }
  });
});
