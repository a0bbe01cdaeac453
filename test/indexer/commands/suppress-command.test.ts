import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { everything, firstPage } from '#search/search-query.ts';
import { ImportBench } from '#test/indexer/importing/import-bench.ts';
import { useEach } from '#testing/use.ts';

const rows = `id,kind,name,email,url,feed_url,country
1,outlet,Alpha Herald,Jane.Doe@gone.example,https://alpha.example,,US
2,outlet,Beta Herald,,https://news.gone.example,,US
3,outlet,Gamma Herald,,,https://feeds.gone.example/rss,FR
4,outlet,Delta Herald,joe@stays.example,https://stays.example,,FR
`;

describe('the commands suppress and unsuppress', () => {
  const bench = useEach(ImportBench.open, (bench) => bench.importText('rows.csv', rows));

  async function run(args: string[]) {
    const { stdout, stderr, code: exit } = await bench.run(...args);
    expect(stdout + stderr).not.toMatch(/jane|joe/i);
    return { stdout, stderr, exit };
  }

  /** The ids of what searches find, in brackets without a contact. */
  async function shown(): Promise<string> {
    const { records } = await bench.backends.index.search(everything, firstPage(100), 'full');
    const byId = records.toSorted((one, other) => (one.id < other.id ? -1 : 1));
    return byId.map(({ id, contact_count }) => (contact_count > 0 ? id : `(${id})`)).join('');
  }

  it.each([
    [['--address', 'JANE.DOE@gone.example'], '(1)(2)(3)4'],
    [['--domain', 'https://www.gone.example/'], '(1)4'],
    [['--record', '4', '2'], '1(3)'],
    [['--domain', 'gone.example', '--record', '4'], '(1)'],
    [['jane.doe@gone.example', 'stays.example', '3'], '(1)(2)'],
  ])('hide at once what %j names, through another import, until it is removed', async (names, left) => {
    expect(await shown()).toBe('1(2)(3)4');
    expect(await run(['suppress', ...names])).toMatchObject({ exit: 0, stderr: '' });
    expect(await shown()).toBe(left);
    await bench.importText('rows.csv', rows.replaceAll('Herald', 'Herald Tribune'));
    expect(await shown()).toBe(left);
    expect(await bench.backends.records.count()).toBe(4);
    expect(await run(['unsuppress', ...names])).toMatchObject({ exit: 0 });
    expect(await shown()).toBe('1(2)(3)4');
  });

  it('say how much they hide, also beforehand', async () => {
    const before = await run(['suppress', '--domain', 'gone.example', '--dry-run']);
    expect(before).toMatchObject({ exit: 0, stdout: '2 records and 1 contact would be hidden.\n' });
    expect(await shown()).toBe('1(2)(3)4');
    const done = await run(['suppress', '--domain', 'gone.example', '--record', '4', '--json']);
    expect(JSON.parse(done.stdout)).toEqual({ added: 2, known: 0, hidden: 3, hidden_contacts: 1, unknown: [] });
    const again = await run(['suppress', '--domain', 'gone.example']);
    expect(again.stdout).toBe('0 suppressions added (1 already on the list), 0 records and 0 contacts hidden.\n');
    const back = await run(['unsuppress', '--domain', 'gone.example', '--json']);
    expect(JSON.parse(back.stdout)).toEqual({ removed: 1, shown: 2, shown_contacts: 1 });
  });

  it('say that hidden records stay in the store, and which ids have no record', async () => {
    const { stdout } = await run(['suppress', '--record', '4', 'nobody']);
    expect(stdout.split('\n')).toEqual([
      '2 suppressions added, 1 record and 0 contacts hidden.',
      'No record has the id nobody so far. It is hidden if it is imported.',
      expect.stringMatching(/^What is hidden stays in the store .* delete ID --for-good$/),
      '',
    ]);
    expect(JSON.parse((await run(['suppress', '--record', 'nobody', '--json'])).stdout).unknown).toEqual(['nobody']);
  });

  it('keep hidden people out of what a merge prints', async () => {
    await run(['suppress', '--address', 'jane.doe@gone.example']);
    const planned = await run(['merge', '2', '1', '--dry-run']);
    expect(planned).toMatchObject({ exit: 0, stdout: expect.stringContaining('2 takes in 1') });
    expect(await run(['merge', '2', '1'])).toMatchObject({ exit: 0 });
    expect(await shown()).toBe('(2)(3)4');
  });

  it('list what is suppressed, without an address', async () => {
    expect((await run(['suppress', '--list'])).stdout).toBe('Nothing is suppressed.\n');
    await run(['suppress', '--address', 'jane.doe@gone.example', '--reason', 'asked by letter']);
    await run(['suppress', '--record', '4']);
    const list = JSON.parse((await run(['suppress', '--list', '--json'])).stdout);
    expect(list).toEqual([
      {
        kind: 'address',
        value: expect.stringMatching(/^[\w-]{8}$/),
        reason: 'asked by letter',
        added_at: expect.stringMatching(/^\d{4}-.*Z$/),
      },
      { kind: 'record', value: '4', reason: null, added_at: expect.anything() },
    ]);
    expect((await run(['suppress', '--list'])).stdout).toMatch(
      /kind +value +reason +added_at\naddress +\S{8} +asked by letter/,
    );
  });

  it.each([
    [['suppress', '--record', '4', '--address', 'jane@gone'], /--address no\. 1: .*name@example\.org/],
    [['suppress', '--record', '4', '--reason', 'for jane@gone.example'], /reason/],
  ])('say what to use after %j, and change nothing', async (args, message) => {
    const { exit, stderr } = await run(args);
    expect(exit).toBe(2);
    expect(stderr).toMatch(message);
    expect(await bench.backends.suppressions.list()).toEqual([]);
    expect(await shown()).toBe('1(2)(3)4');
  });

  it('leave the address in no table except that of the records', async () => {
    const names = ['--address', 'jane.doe@gone.example', '--domain', 'gone.example'];
    await run(['suppress', ...names]);
    await run(['unsuppress', ...names]);
    await run(['suppress', ...names]);
    using database = new DatabaseSync(join(bench.folder, 'data', 'masthead.db'), { readOnly: true });
    for (const table of ['suppressions', 'keyed']) {
      const kept = database.prepare(`SELECT * FROM ${table}`).all();
      expect(kept.length).toBeGreaterThan(1);
      expect(JSON.stringify(kept)).not.toMatch(/jane|@/i);
    }
    expect(await bench.backends.audit.list(100)).toContainEqual({
      at: expect.anything(),
      operator: expect.stringMatching(/./),
      action: 'unsuppress',
      subject: 'domain gone.example',
      outcome: null,
    });
  });
});
