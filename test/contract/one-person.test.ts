import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ListChange } from '#accounts/media-list.ts';
import type { StoredKey } from '#accounts/stored-key.ts';
import { bestFirst, type KeptContact } from '#records/contacts/contact.ts';
import { createList, writeList } from '#search/lists/lists.ts';
import { testBackends } from '#testing/backends.ts';
import { runHere } from '#testing/run-here.ts';
import { useEach, useFolder } from '#testing/use.ts';

const owner = { hash: 'ada', plan: { tier: 'premium', expiresAt: '2030-01-01T00:00:00.000Z' } } as StoredKey;
const head = 'id,kind,name,contact_name,contact_title,email,phone';
const ann = 'a,outlet,Daily A,Ann One,Editor,ann@daily.example,+44 20 7946 0001';
const bob = 'a,outlet,Daily A,Bob Two,,bob@daily.example,';
const desk = 'a,outlet,Daily A,,Newsroom,news@daily.example,';

describe.each(testBackends)('one person, $name', ({ open }) => {
  const backend = useEach(open);
  const folder = useFolder();

  const settings = () => ({ MASTHEAD_DATA_DIR: folder, ...backend.settings });
  const tryTo = (...args: string[]) => runHere(['indexer/main.ts', ...args], settings());
  const run = async (...args: string[]) => {
    const ended = await tryTo(...args, '--json');
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    return JSON.parse(ended.stdout);
  };
  const importRows = async (...rows: string[]): Promise<string> => {
    const file = join(folder, 'rows.csv');
    await writeFile(file, [head, ...rows, ''].join('\n'));
    return (await run('import', file)).import_id;
  };
  const undo = (changeSet: string) => run('imports', 'undo', changeSet);

  const contacts = async (id = 'a'): Promise<readonly KeptContact[]> =>
    (await backend.records.find(id))?.contacts ?? [];
  const idOf = async (who: string, id = 'a') =>
    (await contacts(id)).find(({ name, title }) => (name ?? title) === who)?.id ?? '';
  const namesOf = (all: readonly KeptContact[]) => bestFirst(all).map(({ name, title }) => name ?? title);
  /** Who is shown, best first: the same in the store and in answers. */
  const shown = async (id = 'a') => {
    await backend.settle();
    const [record] = await backend.index.findMany([id], 'full');
    return namesOf(record?.contacts ?? []);
  };

  it('is set by the id of the contact, with beats and links, and nobody else; undone exactly', async () => {
    await importRows(ann, bob);
    const before = await contacts();
    const [first, second] = before;
    const profile = 'https://x.example/bob';
    const set = await run(
      'set',
      'a',
      '--contact',
      second?.id ?? '',
      'contact_title=Reporter',
      'beats=Rail|Ships',
      `links=${profile}`,
    );
    expect(await contacts()).toEqual([
      first,
      { ...second, title: 'Reporter', beats: ['Rail', 'Ships'], links: [profile] },
    ]);
    const cleared = await run('set', 'a', '--contact', second?.id ?? '', 'beats=', 'email=');
    expect((await contacts())[1]).toMatchObject({ name: 'Bob Two', email: null, beats: [], links: [profile] });
    await undo(cleared.change_set);
    await undo(set.change_set);
    expect(await contacts()).toEqual(before);
  });

  it('is added as a new contact, but not twice, and undone', async () => {
    await importRows(ann);
    const add = ['set', 'a', '--contact', 'new', 'contact_name=Cem Three', 'email=cem@daily.example'];
    const { added_contact: id, change_set: changeSet } = await run(...add);
    expect((await contacts())[1]).toMatchObject({ id, kind: 'person', name: 'Cem Three', email: 'cem@daily.example' });
    const again = await tryTo(...add);
    expect(again).toMatchObject({
      code: 1,
      stderr: `masthead: that is contact ${id}, which the record has. Nothing was changed.\n`,
    });
    await run('set', 'a', '--contact', 'new', 'contact_name=Cem Three', 'email=cem@radio.example');
    expect(await contacts()).toHaveLength(3);
    await undo(changeSet);
    expect((await contacts()).map(({ email }) => email)).toEqual(['ann@daily.example', 'cem@radio.example']);
  });

  it('needs no id where it is the only contact that is shown', async () => {
    await importRows(ann);
    await run('set', 'a', 'phone=+44 20 7946 0009');
    expect(await contacts()).toMatchObject([{ name: 'Ann One', phone: '+44 20 7946 0009' }]);
    await importRows(bob);
    const [first, second] = await contacts();
    expect(await tryTo('set', 'a', 'phone=+44 20 7946 0003')).toMatchObject({
      code: 1,
      stderr: `masthead: the record has several contacts. Say which with --contact: ${first?.id} (person), ${second?.id} (person). Nothing was changed.\n`,
    });
    await run('suppress', '--address', 'ann@daily.example');
    await run('set', 'a', 'phone=+44 20 7946 0002');
    expect(await contacts()).toMatchObject([{ phone: '+44 20 7946 0009' }, { phone: '+44 20 7946 0002' }]);
    await run('suppress', '--address', 'bob@daily.example');
    const hidden = await contacts();
    expect(await tryTo('set', 'a', 'phone=+44 20 7946 0003')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('has no contact'),
    });
    expect(await contacts()).toEqual(hidden);
  });

  it('is neither changed, put first nor added while a suppression hides it', async () => {
    await importRows(ann, bob);
    const [first, second] = (await contacts()).map(({ id }) => id) as [string, string];
    await run('suppress', '--address', 'ann@daily.example');
    const before = await contacts();
    const refused = async (...args: string[]) => {
      const { code, stdout, stderr } = await tryTo('set', 'a', ...args);
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).not.toMatch(/Ann|ann@|7946/);
      return stderr;
    };
    const hidden = `masthead: contact ${first} is suppressed. To show it again: unsuppress a --contact ${first}. Nothing was changed.\n`;
    expect(await refused('--contact', first, 'contact_name=Dee Four')).toBe(hidden);
    expect(await refused(`preferred=${first}`)).toBe(hidden);
    expect(await refused('--contact', 'new', 'contact_name=One, Ann')).toContain('somebody who is suppressed');
    expect(await refused('--contact', second, 'email=ann@daily.example')).toContain('somebody who is suppressed');
    expect(await contacts()).toEqual(before);
    const { fields } = await run('set', 'a', '--contact', second, 'contact_title=Reporter');
    expect(JSON.stringify(fields)).not.toMatch(/Ann|ann@|7946/);
  });

  it('stays first once it was preferred: after imports, merges and undo of what came before', async () => {
    const first = await importRows(ann, desk);
    const second = await importRows(bob, ann.replace('Editor', 'Chief editor'));
    const news = await idOf('Newsroom');
    const { change_set: changeSet } = await run('set', 'a', `preferred=${news}`);
    const expected = ['Newsroom', 'Ann One', 'Bob Two'];
    expect(await shown()).toEqual(expected);
    await importRows(ann, bob, desk.replace(/,$/, ',+44 20 7946 0004'));
    expect(await shown()).toEqual(expected);
    await undo(second);
    expect(await shown()).toEqual(['Newsroom', 'Ann One']);
    expect((await contacts())[0]).toMatchObject({ title: 'Editor' });
    await importRows('b,outlet,Daily B,Eve Five,,eve@daily.example,');
    await run('set', 'b', `preferred=${await idOf('Eve Five', 'b')}`);
    await run('merge', 'a', 'b');
    expect(await shown()).toEqual(['Newsroom', 'Ann One', 'Eve Five']);
    await undo(changeSet);
    expect(await shown()).toEqual(['Ann One', 'Eve Five', 'Newsroom']);
    expect(await tryTo('imports', 'undo', first)).toMatchObject({ code: 1 });
  });

  it('hands its place on to the record that its own is merged into, if nobody is first there', async () => {
    await importRows(
      ann,
      'b,outlet,Daily B,,Newsroom,news@daily.example,',
      'b,outlet,Daily B,Eve Five,,eve@daily.example,',
    );
    await run('set', 'b', `preferred=${await idOf('Newsroom', 'b')}`);
    await run('merge', 'a', 'b');
    expect(await shown()).toEqual(['Newsroom', 'Ann One', 'Eve Five']);
    const none = await run('set', 'a', 'preferred=');
    expect(await shown()).toEqual(['Ann One', 'Eve Five', 'Newsroom']);
    await undo(none.change_set);
    expect(await shown()).toEqual(['Newsroom', 'Ann One', 'Eve Five']);
  });

  it('leaves its place to nobody by an undo of what is not the last choice', async () => {
    await importRows(ann, bob);
    const added = await importRows(desk);
    const choose = async (who: string) => (await run('set', 'a', `preferred=${await idOf(who)}`)).change_set;
    const first = await choose('Bob Two');
    await choose('Newsroom');
    expect(await tryTo('imports', 'undo', first)).toMatchObject({ code: 1 });
    // Nor does an undo take away whom somebody has put first since.
    expect(await tryTo('imports', 'undo', added)).toMatchObject({ code: 1 });
    expect(await shown()).toEqual(['Newsroom', 'Ann One', 'Bob Two']);
  });

  it('is deleted from its record, and comes back with undo', async () => {
    await importRows(ann, bob, desk);
    const before = await contacts();
    const id = await idOf('Ann One');
    const { deleted, change_set } = await run('delete', 'a', '--contact', id);
    expect(deleted).toEqual([id]);
    expect(await shown()).toEqual(['Bob Two', 'Newsroom']);
    await undo(change_set);
    expect(await contacts()).toEqual(before);
    expect(await tryTo('delete', 'a', '--contact', 'none')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /^masthead: a has no contact none\. It has \S+ \(person\), \S+ \(person\), \S+ \(desk\)\.\n$/,
      ),
    });
    expect(await tryTo('delete', 'none', '--contact', id)).toMatchObject({
      code: 1,
      stderr: 'masthead: No record has the id none.\n',
    });
  });

  it('is nowhere once it was deleted for good, also where it was merged, moved or hidden; colleagues keep their history', async () => {
    await importRows(ann.replace('ann@daily', 'vorn@quex'), bob);
    const bobBefore = (await contacts())[1];
    const reporter = await importRows(bob.replace('Two,,', 'Two,Reporter,'), ann.replace('Editor', 'Snorfblatter'));
    await importRows(
      'b,outlet,Daily B,Ann One,Grelvintide,ann@daily.example,',
      'b,outlet,Daily B,Eve Five,,eve@daily.example,',
    );
    await run('merge', 'a', 'b');
    await run('suppress', '--address', 'ann@daily.example');
    const id = await idOf('Ann One');
    const traces = ['Ann One', 'ann@daily', 'vorn@quex', 'Snorfblatt', 'Grelvintide', '7946 0001'];
    for (const trace of traces) expect([trace, await backend.holdsText(trace)]).toEqual([trace, true]);
    expect(await run('delete', 'a', '--contact', id, '--for-good')).toEqual({
      deleted: [id],
      unknown: [],
      change_set: null,
    });
    for (const trace of traces) expect([trace, await backend.holdsText(trace)]).toEqual([trace, false]);
    await backend.settle();
    for (const trace of traces) expect([trace, await backend.holdsText(trace)]).toEqual([trace, false]);
    expect(await shown()).toEqual(['Bob Two', 'Eve Five']);
    await tryTo('imports', 'undo', reporter);
    expect((await contacts())[0]).toEqual(bobBefore);
    expect(await shown()).toEqual(['Bob Two', 'Eve Five']);
  });

  it('is taken out of the history also where it was deleted before', async () => {
    await importRows(ann, bob);
    const id = await idOf('Ann One');
    await run('delete', 'a', '--contact', id);
    expect(await backend.holdsText('ann@daily')).toBe(true);
    expect(await tryTo('delete', 'a', '--contact', id, '--for-good')).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('0 contacts deleted for good'),
    });
    expect(await backend.holdsText('ann@daily')).toBe(false);
    expect(await backend.holdsText('bob@daily')).toBe(true);
  });

  it('is shown with all that is known of her address: contacts, sources, history, lists and what hides it, also where it is hidden', async () => {
    const created = await importRows(ann, bob);
    const moved = await importRows(ann.replace('ann@daily', 'ann.one@radio'), bob);
    await importRows('b,outlet,Daily B,Ann One,,Ann@daily.example,', 'b,outlet,Daily B,Eve Five,,eve@daily.example,');
    const id = await idOf('Ann One', 'b');
    await run('set', 'b', '--contact', id, 'contact_title=Chief');
    await backend.settle();
    const at = new Date('2026-11-29T12:00:00.000Z');
    const list = await createList(backend, 'Spring', owner, at);
    const add = [
      { id: 'b', note: 'of the medium' },
      { id: 'b', contactId: await idOf('Eve Five', 'b') },
    ];
    const put = (change: ListChange) => writeList(backend, { id: list.id, version: null, change }, owner, at);
    await put({ add: [...add, { id: 'b', contactId: id, note: 'met in May', status: 'contacted' }] });
    await run('suppress', '--domain', 'daily.example', '--reason', 'they asked');
    const { contacts: places, history, list_entries: listed, suppressions } = await run('show', 'ANN@daily.example');
    const named = { list_id: list.id, record_id: 'b', contact_id: id };
    expect(listed).toEqual([{ ...named, note: 'met in May', status: 'contacted', added_at: at.toISOString() }]);
    expect(places).toEqual([
      {
        ...{ record_id: 'b', record_name: 'Daily B', sources: {}, is_hidden: true },
        contact: expect.objectContaining({ id, name: 'Ann One', title: 'Chief', email: 'Ann@daily.example' }),
        suppressed_by: [{ kind: 'domain', value: 'daily.example', reason: 'they asked' }],
      },
    ]);
    expect(suppressions).toMatchObject([{ kind: 'domain', value: 'daily.example', reason: 'they asked' }]);
    expect(history).toMatchObject([
      { record_id: 'b', action: 'set', fields: { contact_title: { before: null, after: 'Chief' } } },
      { record_id: 'b', action: 'import', is: 'created', files: [expect.stringContaining('rows.csv')] },
      {
        record_id: 'a',
        change_set: moved,
        fields: { email: { before: 'ann@daily.example', after: 'ann.one@radio.example' } },
      },
    ]);
    expect(JSON.stringify([places, history])).not.toMatch(new RegExp(`Bob|Eve|${created}`));
    const { stdout } = await tryTo('show', 'ann@daily.example');
    expect(stdout).toMatch(/^b Daily B \(hidden by domain daily\.example \(they asked\)\)\n {2}id: /);
    expect(stdout).toContain('\n  contact_title: (empty) → Chief\n');
    expect(stdout).toMatch(/\nIt is suppressed by domain daily\.example \(they asked\) since 2\S+\.\n$/);
    expect(await tryTo('show', 'nobody@daily.test')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: 'masthead: Nothing is known of this address.\n',
    });
  });

  it('who is hidden is marked by bounces, too, which show it nowhere: no count, no date, and no bad address that comes back as good', async () => {
    await importRows(ann, bob, 'b,outlet,Daily B,Ann One,,ann@daily.example,');
    await run('suppress', '--address', 'ann@daily.example');
    await shown();
    const dates = async () => {
      await backend.settle();
      const found = await backend.index.findMany(['a', 'b'], 'full');
      return found.map(({ id, updated_at: at }) => [id, at]);
    };
    const before = await dates();
    const file = join(folder, 'bounces.csv');
    await writeFile(file, 'Email,Status\nANN@daily.example,hard bounced\n');
    const counts = { known: 0, unchanged: 0, unknown: 1, records: 0 };
    expect(await run('bounces', file, '--dry-run')).toMatchObject(counts);
    const { import_id: changeSet, ...summary } = await run('bounces', file);
    expect(summary).toMatchObject(counts);
    expect(await dates()).toEqual(before);
    const statuses = async () => [...(await contacts('a')), ...(await contacts('b'))].map((one) => one.email_status);
    expect(await statuses()).toEqual(['invalid', null, 'invalid']);
    await undo(changeSet);
    expect(await dates()).toEqual(before);
    expect(await statuses()).toEqual([null, null, null]);
    await run('bounces', file);
    await run('unsuppress', '--address', 'ann@daily.example');
    await backend.settle();
    const [record] = await backend.index.findMany(['a'], 'full');
    expect(record?.contacts[0]).toMatchObject({ name: 'Ann One', email_status: 'invalid' });
  });

  it('who is hidden is in no file of rejects, and in nothing that is said of an import', async () => {
    await importRows(ann, bob);
    await backend.settle();
    await run('suppress', '--address', 'ann@daily.example');
    const file = join(folder, 'people.csv');
    const rows = [
      'id,kind,name,first name,last name,email',
      'a,outlett,Daily A,Somebody,Else,Ann@daily.example',
      'z,outlett,Daily Z,Ann,One,',
      'a,outlett,Daily A,Bob,Two,bob@daily.example',
      'a,outlet,Daily A,Ann,One,new@daily.example',
      'a,outlet,Daily A,Bob,Two,bob@daily.example',
    ];
    await writeFile(file, [...rows, ''].join('\n'));
    const ended = await tryTo('import', file, '--rejects', join(folder, 'about people'), '--json');
    const { import_id: changeSet, people, files } = JSON.parse(ended.stdout);
    expect(people).toMatchObject({ read: 5, unchanged: 1, suppressed: 1, rejected: 3 });
    const shownImport = await tryTo('imports', 'show', changeSet);
    const written = await readdir(join(folder, 'about people'));
    const texts = await Promise.all(written.map((name) => readFile(join(folder, 'about people', name), 'utf8')));
    const all = [ended.stdout, ended.stderr, shownImport.stdout, ...texts].join('\n');
    expect(all).not.toMatch(/ann@|new@|Ann,One|Else/i);
    const rejects = (await readFile(files[0].rejects_file, 'utf8')).split('\r\n');
    expect(rejects[1]).toMatch(
      /^2,"?kind is not valid.*its cells are left out, because they name somebody who is suppressed"?,,,,,,$/,
    );
    expect(rejects[3]).toMatch(/^4,.*,a,outlett,Daily A,Bob,Two,bob@daily\.example$/);
  });
});
