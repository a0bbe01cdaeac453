import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { describeSummary, type ImportSummary } from '#indexer/importing/accounting/import-summary.ts';
import { markBounces } from '#indexer/records/mark-bounces.ts';
import { undoChanges } from '#indexer/records/undo-changes.ts';
import { type ChangeSet, newChangeSetId } from '#records/changes/change-set.ts';
import { testStores } from '#testing/backends.ts';
import { useEach } from '#testing/use.ts';
import { ListImporter } from './list-importer.ts';

const october = `outlet,website,contact name,job title,email,phone
Daily A,https://daily-a.example,Ann One,Politics Editor,ann@mail.example,+44 20 7946 0001
Daily A,https://daily-a.example,Bob Two,Sports Editor,bob@daily-a.example,+44 20 7946 0002
Daily A,https://daily-a.example,Cem Three,Reporter,cem@daily-a.example,
Radio B,https://radio-b.example,Dee Four,Host,dee@radio-b.example,
`;
/** Ann moved, Bob has another title, Cem and Dee left, Eva came. */
const november = `outlet,website,contact name,job title,email,phone
Radio B,https://radio-b.example,Ann One,Presenter,ann@mail.example,
Daily A,https://daily-a.example,Bob Two,Deputy Editor,bob@daily-a.example,+44 20 7946 0002
Radio B,https://radio-b.example,Eva Five,Host,eva@radio-b.example,
`;

describe.each(testStores)('lists of people, $name', ({ open }) => {
  const stores = useEach(open);
  const importer = useEach(() => ListImporter.open(stores));
  const list = { name: 'press', isComplete: false };
  const importList = (text: string, source: typeof list | null = list) =>
    importer.importWith({ kind: 'outlet', source }, text);

  /** Name, title and address of each contact, by medium. */
  const contacts = async () => {
    const records = await importer.readAll();
    return Object.fromEntries(
      records.map(({ name, contacts: all }) => [
        name,
        all.map((one) => [one.name, one.title, one.email].filter(Boolean).join(', ')).toSorted(),
      ]),
    );
  };
  const undo = async ({ import_id }: ImportSummary) => {
    const set = (await stores.changes.find(import_id ?? '')) as ChangeSet;
    return undoChanges({ ...stores, operator: 'test' }, set);
  };

  describe('of one source, month by month', () => {
    it('have who moved and who left, and undo brings back exactly these', async () => {
      await importList(october);
      const before = await contacts();
      const summary = await importList(november);
      expect(summary.people).toMatchObject({ read: 3, created: 2, updated: 1, moved: 1, left: 2, others: 0 });
      const after = {
        'Daily A': ['Bob Two, Deputy Editor, bob@daily-a.example'],
        'Radio B': ['Ann One, Presenter, ann@mail.example', 'Eva Five, Host, eva@radio-b.example'],
      };
      expect(await contacts()).toEqual(after);
      const names = (await readFile(summary.people_file ?? '', 'utf8')).split('\n').flatMap((line) => {
        if (line === '') return [];
        const { change, medium, name } = JSON.parse(line);
        return [`${change} ${medium} ${name}`];
      });
      expect(names.toSorted()).toEqual(['left Daily A Cem Three', 'left Radio B Dee Four', 'moved Radio B Ann One']);
      expect(await importList(november)).toMatchObject({ people: { unchanged: 3, left: 0, moved: 0 } });
      await undo(summary);
      expect(await contacts()).toEqual(before);
    });

    it('keep who is also of another source, and who is at a medium with a rejected row', async () => {
      await importList(october);
      await importList('outlet,contact name\nDaily A,Cem Three\n', { name: 'other', isComplete: false });
      const rejected = `kind,${november.replace('outlet', 'publication').replaceAll('\nRadio', '\nkiosk,Radio').replaceAll('\nDaily', '\noutlet,Daily')}`;
      const accepted = 'outlet,Radio B,https://radio-b.example,Flo Six,Host,flo@radio-b.example,\n';
      const { people } = await importer.importWith({ source: list }, rejected + accepted);
      expect(people).toMatchObject({ rejected: 2, left: 1, moved: 0 });
      expect(await contacts()).toMatchObject({
        'Daily A': ['Bob Two, Deputy Editor, bob@daily-a.example', 'Cem Three, Reporter, cem@daily-a.example'],
        'Radio B': ['Dee Four, Host, dee@radio-b.example', 'Flo Six, Host, flo@radio-b.example'],
      });
    });

    it('leave though freelancers are rejected, unless their rows name them, and nobody does because of a row that cannot be read', async () => {
      await importList(october);
      const rows = 'Freelance,,"Three, Cem",,,\n,,Gus Seven,,gus@mail.example,\n';
      const unread = await importList(`${november}${rows}Radio B,,Hal Eight,,hal@radio-b.example,,more\n`);
      expect(unread).toMatchObject({ rejected: 3, nobody_leaves: true, people: { left: 0 } });
      expect((await contacts())['Daily A']).toHaveLength(3);
      const summary = await importList(`${november}${rows}`);
      expect(summary).toMatchObject({ rejected: 2, nobody_leaves: false, people: { left: 2 } });
      expect(await contacts()).toMatchObject({
        'Daily A': ['Bob Two, Deputy Editor, bob@daily-a.example', 'Cem Three, Reporter, cem@daily-a.example'],
        'Radio B': ['Ann One, Presenter, ann@mail.example', 'Eva Five, Host, eva@radio-b.example'],
      });
    });

    it('leave beside others who want no mail, and who stay', async () => {
      await importList(october);
      const rows = 'outlet,contact name,email,opted out\nDaily A,Bob Two,,\nDaily A,"Three, Cem",,yes\n';
      expect(await importList(rows)).toMatchObject({ rejected: 1, people: { left: 1, rejected: 1 } });
      expect((await contacts())['Daily A']?.map((one) => one.split(',')[0])).toEqual(['Bob Two', 'Cem Three']);
    });

    it('leave media that a complete list does not name, and only with --complete', async () => {
      await importList(october);
      const daily = november.replaceAll(/^Radio.*\n/gm, '');
      // A row of totals is rejected, but is of no medium.
      expect(await importList(`${daily}Total,2\n`)).toMatchObject({ rejected: 1, people: { left: 2 } });
      expect((await contacts())['Radio B']).toHaveLength(1);
      const summary = await importList(daily, { name: 'press', isComplete: true });
      expect(summary.people).toMatchObject({ unchanged: 1, left: 1 });
      expect(describeSummary(summary)).toContain('To undo it');
      expect((await contacts())['Radio B']).toEqual([]);
      await undo(summary);
      expect((await contacts())['Radio B']).toHaveLength(1);
    });

    it('know people by the ids of the list, whatever their names and addresses', async () => {
      const rows = (name: string, email: string) => `id,outlet,contact name,email\n7,Daily A,${name},${email}\n`;
      await importList(rows('Ann One', 'ann@daily-a.example'));
      await importList(rows('Ann Married', 'married@daily-a.example'));
      expect(await contacts()).toEqual({ 'Daily A': ['Ann Married, married@daily-a.example'] });
      await importList(rows('Bob Two', 'bob@daily-a.example'), { name: 'another list', isComplete: false });
      expect((await contacts())['Daily A']).toHaveLength(2);
      const ids = async () =>
        (await importer.readAll()).flatMap((one) => one.contacts.map(({ id, name }) => `${id} ${name}`));
      const before = await ids();
      await importList(rows('Bob Two', ''));
      expect(await ids()).toEqual(before.filter((one) => one.endsWith('Bob Two')));
    });

    it('mix no people of one id, in a row far below or in another file', async () => {
      const heading = 'person_id,outlet,contact name,email\n';
      const many = Array.from({ length: 2_100 }, (_, at) => `p${at},Radio ${at},Cem Three,\n`).join('');
      const shared = ['Ann One', 'Bob Two', '"One, Ann"'].map((name) => `7,Daily A,${name},\n`) as [
        string,
        string,
        string,
      ];
      const married = [`8,Daily A,Dee Four,dee@a.example\n`, `8,Daily A,Dee Wed,wed@a.example\n`] as const;
      for (const files of [
        [shared[0] + married[0] + many + shared[1] + shared[2]],
        [shared[0] + married[0], shared[1]],
      ]) {
        await importer.clear();
        const { files: summaries } = await importer.importWith(
          { kind: 'outlet', source: list },
          ...files.map((rows) => heading + rows),
        );
        expect(summaries.flatMap(({ notes }) => notes.map(({ code }) => code))).toContain('shared_person_id');
        await importList(heading + married[1] + shared[0] + shared[1]);
        expect((await contacts())['Daily A']).toEqual(['Ann One', 'Bob Two', 'Dee Wed, wed@a.example']);
      }
    });
  });

  it('without a source let nobody leave, and count who moved and which media had others', async () => {
    await importList(october, null);
    const { people } = await importList(november, null);
    expect(people).toMatchObject({ created: 2, updated: 1, moved: 1, left: 0, others: 2 });
    expect((await contacts())['Daily A']).toHaveLength(3);
  });

  it('a dry run counts as the import does, and changes nothing', async () => {
    await importList(october);
    const before = await contacts();
    const { people } = await importer.importWith({ kind: 'outlet', source: list, dryRun: true }, november);
    expect(await contacts()).toEqual(before);
    expect((await importList(november)).people).toEqual(people);
  });

  it('split cells of several media and people, each of which is known by itself', async () => {
    await importList('outlet,contact name\nRadio B,Bob Two\n');
    const text = `outlet,contact name,email
Daily A,Ann One,ann@daily-a.example
"Daily A, Radio B",Cem Three,cem@mail.example
"Daily A, Echo X",Dee Four,dee@mail.example
"Freelance, Daily A",Eva Five,eva@mail.example
Radio B,Ann One & Bob Two,team@radio-b.example
Daily A,Ann One & Hal Eight,
Daily A,"Ida Nine, Jo Ten, Ann One",x@daily-a.example y@daily-a.example
Daily A,Ortega y Gasset,
Daily A,Arts & Culture,
Freelance,Fay Six,fay@mail.example
Globe and Mail,Gil Seven,gil@globe.example
`;
    const summary = await importList(text);
    expect(summary.people).toMatchObject({ read: 14, rejected: 1 });
    expect(summary.files).toMatchObject([
      {
        causes: [{ code: 'no_medium' }],
        notes: [
          { code: 'several_people', count: 2 },
          { code: 'several_media', count: 1 },
        ],
      },
    ]);
    expect(await contacts()).toEqual({
      'Daily A': [
        'Ann One & Hal Eight',
        'Ann One, ann@daily-a.example',
        'Arts & Culture',
        'Cem Three, cem@mail.example',
        'Eva Five, eva@mail.example',
        'Ida Nine, Jo Ten, Ann One, x@daily-a.example',
        'Ida Nine, Jo Ten, Ann One, y@daily-a.example',
        'Ortega y Gasset',
      ],
      'Daily A, Echo X': ['Dee Four, dee@mail.example'],
      'Globe and Mail': ['Gil Seven, gil@globe.example'],
      'Radio B': ['Ann One, team@radio-b.example', 'Bob Two, team@radio-b.example', 'Cem Three, cem@mail.example'],
    });
  });

  it('say which medium of a cell has none of its people, because it stands for several records', async () => {
    await importList('outlet,url\nRadio B,https://b.example\nRadio B,https://radio-b.example\n');
    const text = 'outlet,contact name\nDaily A,Ann One\n"Daily A, Radio B",Bob Two\n';
    const { files, people } = await importList(text);
    const values = [{ value: '"Radio B"', count: 1 }];
    expect(files).toMatchObject([{ rejected: 0, notes: [{ code: 'ambiguous_medium', first_line: 3, values }] }]);
    expect(people).toMatchObject({ read: 3, created: 2, rejected: 1 });
  });

  it('are the same contacts in one file and in several, also one name at two addresses', async () => {
    const headings = 'outlet,contact name,email,phone\n';
    const rows = [
      'Daily A,Ann One,b@daily-a.example,\n',
      'Daily A,Ann One,a@daily-a.example,\n',
      'Daily A,Ann One,,+44 1\n',
    ];
    await importList(headings + rows.join(''));
    const whole = await contacts();
    expect(whole['Daily A']).toEqual(['Ann One, a@daily-a.example', 'Ann One, b@daily-a.example']);
    await importer.clear();
    await importer.importWith({ kind: 'outlet' }, ...rows.toReversed().map((row) => headings + row));
    expect(await contacts()).toEqual(whole);
  });

  it('with JSON contacts are the whole truth, and a row with fewer than it counts is rejected', async () => {
    await importList(october, null);
    const [daily] = (await importer.readAll()).filter(({ name }) => name === 'Daily A');
    const row = { ...daily, contacts: daily?.contacts.slice(0, 2) };
    const rejected = await importer.import(`${JSON.stringify(row)}\n`.repeat(5));
    expect(rejected.people).toMatchObject({ read: 10, rejected: 10 });
    const summary = await importer.import(`${JSON.stringify({ ...row, contact_count: 2 })}\n`);
    expect(summary.people).toMatchObject({ unchanged: 2, left: 1 });
    await undo(summary);
    expect((await contacts())['Daily A']).toHaveLength(3);
  });

  it('have their bounced addresses marked, in any case, until undone', async () => {
    await importList(october);
    const changeSet = newChangeSetId(new Date());
    const begin = { action: 'bounces', operator: 'test', undoes: null, startedAt: '2026-01-01T00:00:00.000Z' } as const;
    await stores.changes.begin({ id: changeSet, ...begin });
    const addresses = ['BOB@daily-a.example', 'cem@daily-a.example', 'nobody@x.example'];
    expect(await markBounces(stores.records, addresses, new Set(), changeSet)).toEqual({
      ...{ known: 2, unchanged: 0, unknown: 1, records: 1 },
    });
    const statuses = async () => {
      const all = (await importer.readAll()).flatMap((record) => record.contacts);
      return Object.fromEntries(all.map(({ name, email_status: status }) => [name, status]));
    };
    expect(await statuses()).toMatchObject({ 'Ann One': null, 'Bob Two': 'invalid', 'Cem Three': 'invalid' });
    expect(await markBounces(stores.records, addresses, new Set(), null)).toMatchObject({
      known: 2,
      unchanged: 2,
      records: 0,
    });
    await undoChanges({ ...stores, operator: 'test' }, (await stores.changes.find(changeSet)) as ChangeSet);
    expect(await statuses()).toMatchObject({ 'Bob Two': null, 'Cem Three': null });
  });
});
