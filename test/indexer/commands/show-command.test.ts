import { describe, expect, it } from 'vitest';
import { ImportBench } from '#test/indexer/importing/import-bench.ts';
import { useOne } from '#testing/use.ts';

const rows = `id,kind,name,email,url,country
1,outlet,Alpha Herald,jane@alpha.example,https://www.alpha.example/,US
2,outlet,Beta Herald,,https://beta.example,US
3,outlet,Twin Post,,,US
4,podcast,Twin Post,,,FR
5,outlet,Gone Gazette,joe@gone.example,https://gone.example,FR
6,outlet,Left Letter,left@gone.example,,FR
`;

describe('the command show', () => {
  const bench = useOne(ImportBench.open, async (bench) => {
    await bench.importText('rows.csv', rows);
    await run('set', '6', 'city=Paris');
    await run('set', '6', 'city=Lyon', 'contact_title=Editor');
    await run('suppress', '--domain', 'gone.example', '--reason', 'they asked');
  });

  const run = (...args: string[]) => bench.run(...args);

  async function show(...args: string[]) {
    const { code, stdout, stderr } = await run('show', ...args, '--json');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return JSON.parse(stdout);
  }

  it.each(['1', 'alpha herald', 'https://alpha.example/about', 'alpha.example'])(
    'prints the whole record that is %s',
    async (wanted) => {
      expect(await show(wanted)).toMatchObject({
        record: { id: '1', name: 'Alpha Herald', email: 'jane@alpha.example' },
        is_searchable: true,
        suppressed_by: [],
        query: null,
      });
    },
  );

  it('says what hides a record', async () => {
    expect(await show('5', '--query', 'gazette')).toMatchObject({
      record: { id: '5', email: null },
      is_searchable: false,
      suppressed_by: [{ kind: 'domain', value: 'gone.example', reason: 'they asked' }],
      query: { place: null, total: 0 },
    });
    const { stdout } = await run('show', '5');
    expect(stdout).toContain('Searches do not find it.\nIt is suppressed by domain gone.example (they asked).\n');
  });

  it('lists hidden contacts by their ids, also in the history, without a value of them', async () => {
    const { record, suppressed_by, hidden_contacts } = await show('6');
    expect([record.contacts, record.email, suppressed_by]).toEqual([[], null, []]);
    const entry = { kind: 'domain', value: 'gone.example', reason: 'they asked' };
    expect(hidden_contacts).toEqual([{ id: expect.stringMatching(/^[\w-]{10}$/), suppressed_by: [entry] }]);
    const { stdout } = await run('show', '6');
    expect(stdout).toContain(`Contact ${hidden_contacts[0].id} is suppressed by domain gone.example (they asked).`);
    expect(stdout).not.toContain('left@');
    const { stdout: history } = await run('show', '6', '--history');
    expect(history).toContain('Paris → Lyon');
    expect(history).not.toMatch(/left@|Editor/);
  });

  it('says where a query finds a record, and whether it was corrected', async () => {
    const { stdout } = await run('show', '2', '--query', 'betta herald');
    expect(stdout).toMatch(/^id: 2\nkind: outlet\nname: Beta Herald\n/);
    expect(stdout).toContain('The query finds it as result 1 of 1, by a corrected plan.');
    expect((await show('1', '--query', 'herald')).query).toMatchObject({ place: 2, total: 2, is_corrected: false });
    expect((await run('show', '2', '--query', 'alpha')).stdout).toContain(
      'The query does not find it among its first 1 results.',
    );
  });

  it('says what was understood of a query, which plan answers it and why, and the tier of the record and of those before it', async () => {
    const { query } = await show('1', '--query', 'herald');
    expect(query).toMatchObject({ understood: ['herald: a word'], plan: 'fuzzy' });
    expect(query.why).toEqual([
      'strict: no, it finds 2 of the 5 wanted, and no name equals the text',
      'fuzzy: answers, as it finds 1 or more',
    ]);
    expect(query.tiers[query.record.tier]).toBe(`${query.record.tier} words: herald in names`);
    expect(query.before).toMatchObject([{ place: 1, id: '2', name: 'Beta Herald', tier: query.record.tier }]);
    expect((await show('2', '--query', 'herald')).query.behind).toMatchObject({ place: 2, id: '1' });
    expect((await show('2', '--query', 'betta herald')).query).toMatchObject({
      plan: 'fuzzy',
      why: [expect.stringMatching(/^strict: no, it finds 0 of /), expect.stringMatching(/^fuzzy: answers, /)],
      record: { tier: 6, edits: 1, nearest_name: 'Beta Herald' },
    });
    expect((await show('1', '--query', 'beta herald')).query).toMatchObject({
      plan: 'strict',
      why: ['strict: answers, as the name of a medium or a person equals the text'],
      place: null,
      record: { tier: null },
    });
    const { stdout } = await run('show', '2', '--query', 'media in the us');
    expect(stdout).toContain(
      'Understood:\n- media: kind.outlet\n- the us: country.us\n- in: ignored\nPlans, in the order tried:\n- strict: no, ',
    );
    expect(stdout).toMatch(
      /\nThis record is in tier \d+, prominence \d+\.\d \(unknown audience 16\.0, .*\)\.\nIt meets of this tier:\n- kind\.outlet: its kind\n- country\.us: its country\n/,
    );
    const { stdout: lacking } = await run('show', '1', '--query', 'sports media in the us');
    expect(lacking).toMatch(
      /of which all lack sports\.\n.*tier \d+, lacks sports, .*\nBeside it, with the points in which each differs:\n1\. 2 Beta Herald: tier \d+, lacks sports, prominence 18\.7 \(short host label \+0\.3\)\n/s,
    );
    expect(stdout).toMatch(
      /\nTiers with results up to the next one \(\d+ others have none; --json has them\):\n\d+ [a-z]+: /,
    );
  });

  it('asks for an id where several records fit, and says where none does', async () => {
    const several = await run('show', 'Twin Post');
    expect([several.code, several.stdout]).toEqual([1, '']);
    expect(several.stderr).toMatch(/Several records match\. Pass the id of one: [34] .*; [34] .*\./);
    const none = await run('show', 'Gone Gazette');
    expect([none.code, none.stderr]).toEqual([
      1,
      'masthead: No record has this id, URL or name. A suppressed record is found only by its id.\n',
    ]);
    expect((await run('show', '1', '--query', ' ')).code).toBe(2);
  });
});
