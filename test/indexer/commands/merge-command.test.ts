import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ImportBench } from '#test/indexer/importing/import-bench.ts';
import { contentOf } from '#testing/made-record.ts';
import { useEach } from '#testing/use.ts';

const rows = `id,kind,name,url,email,country,city,phone,last_verified_at
kept,outlet,The Herald,https://herald.example/,old@herald.example,US,Springfield,,2024-01-01
old,outlet,Herald,http://www.herald.example,new@herald.example,US,Springfield,+1 555 010 0100,2026-01-01
post,outlet,Post,https://post.example/,,US,Springfield,,
post2,outlet,The Post,http://post.example/,,US,Springfield,,
cast,podcast,Post,https://post.example/,,US,Springfield,,
hidden,outlet,Hidden,https://hidden.example/,,US,Springfield,,
`;

describe('the command merge', () => {
  const bench = useEach(ImportBench.open, (bench) => bench.importText('rows.csv', rows));

  const run = (...args: string[]) => bench.run(...args);

  /** Undoes the merge by which this id leads to another record. */
  const undoMergeOf = async (id: string) =>
    run('imports', 'undo', (await bench.backends.mergedIds.find(id))?.changeSet ?? 'none');
  const merge = async (...ids: string[]) => JSON.parse((await run('merge', ...ids, '--json')).stdout).change_sets[0];
  const historyOf = async (id: string) => (await run('show', id, '--history', '--json')).stdout;

  async function show(id: string) {
    const { code, stdout } = await run('show', id, '--json');
    return code === 0 ? JSON.parse(stdout) : null;
  }

  it('show what would become of each field, and change nothing in a dry run', async () => {
    const before = await show('kept');
    const { code, stdout, stderr } = await run('merge', 'kept', 'old', '--dry-run');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toBe(
      [
        'kept takes in old',
        '   aliases: (empty) → Herald',
        '   contacts: old@herald.example → old@herald.example | new@herald.example, +1 555 010 0100',
        '1 record would be merged into 1 record.',
        'Nothing was changed: this was a dry run.',
        '',
      ].join('\n'),
    );
    expect(await show('kept')).toEqual(before);
  });

  it('merge a record, say where its id leads, and make it one of its own again', async () => {
    const before = [await show('kept'), await show('old')].map(({ record }) => record);
    expect((await run('merge', 'kept', 'old')).stdout).toContain('1 record merged into 1 record.\n');
    expect(await show('old')).toMatchObject({ merged_id: 'old', record: { id: 'kept', aliases: ['Herald'] } });
    expect((await run('show', 'old')).stdout).toContain('old was merged into this record.\n');
    for (const command of [
      ['delete', 'old'],
      ['set', 'old', 'city=Salem'],
      ['suppress', '--record', 'old'],
    ]) {
      const { code, stderr } = await run(...command);
      expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('old was merged into kept.') });
    }
    expect(JSON.parse((await run('merge', 'kept', 'old', '--json')).stdout)).toMatchObject({
      dropped: 0,
      done_before: 1,
    });

    expect(await undoMergeOf('old')).toMatchObject({ code: 0, stderr: '' });
    expect([await show('kept'), await show('old')].map(({ record }) => contentOf(record))).toEqual(
      before.map(contentOf),
    );
  });

  it('merge a list of duplicates as it was written and edited', async () => {
    const file = join(bench.folder, 'duplicates.csv');
    await run('duplicates', '--output', file);
    const list = await readFile(file, 'utf8');
    expect(list).toContain(',keep,');
    expect(list).toContain(',,kept,');
    await writeFile(
      file,
      list
        .replace(',,kept', ',drop,kept')
        .replace(',keep,post', ',x,post')
        .replace(',drop,post2', ',keep,post2')
        .replace(',x,', ',drop,'),
    );
    const { code, stdout } = await run('merge', '--from', file, '--json');
    expect({ code, summary: JSON.parse(stdout) }).toMatchObject({
      code: 0,
      summary: { kept: 2, dropped: 2, refused: 0 },
    });
    expect(await show('post')).toMatchObject({ record: { id: 'post2' } });
    const again = JSON.parse((await run('merge', '--from', file, '--json')).stdout);
    expect(again).toMatchObject({ dropped: 0, done_before: 2, refused: 0 });
  });

  it.each([
    [
      'group,action,id\n1,keep,kept\n1,join,old\n',
      /nothing was merged:\n {2}line 3: the action must be keep, drop or empty/,
    ],
    ['group,action,id\n1,drop,kept\n1,drop,old\n', /group 1: no row has the action keep/],
    ['group,action,id\n1,keep,kept\n1,keep,old\n', /group 1: 2 rows have the action keep/],
    ['group;action;id\n1;keep;kept\n1;drop;\n', /line 3: there is no id/],
    ['a,b\n1,2\n', /the file has no column group, action, id/],
  ])('refuse the list %j as a whole', async (list, message) => {
    const file = join(bench.folder, 'list.csv');
    await writeFile(file, list);
    const { code, stderr } = await run('merge', '--from', file);
    expect(code).toBe(1);
    expect(stderr).toMatch(message);
    expect(await show('old')).toMatchObject({ merged_id: null });
  });

  it.each([
    [['kept', 'kept'], 'kept cannot be merged into itself.'],
    [['kept', 'none'], 'No record has the id none.'],
    [['none', 'kept'], 'No record has the id none.'],
    [['post', 'cast'], 'post is of kind outlet and cast of kind podcast.'],
  ])('refuse %j', async (ids, fault) => {
    const { code, stderr } = await run('merge', ...ids);
    expect({ code, stderr }).toEqual({ code: 1, stderr: `masthead: ${fault}\n` });
  });

  it('never show again what is suppressed', async () => {
    await run('suppress', '--record', 'hidden');
    for (const ids of [
      ['kept', 'hidden'],
      ['hidden', 'kept'],
    ]) {
      const { code, stderr } = await run('merge', ...ids);
      expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('hidden is suppressed') });
    }
    await merge('kept', 'old');
    await run('suppress', '--record', 'kept');
    await undoMergeOf('old');
    expect(await show('old')).toMatchObject({ is_searchable: false });
    expect(await show('kept')).toMatchObject({ is_searchable: false });
  });

  it('can be redone by merge alone, which checks suppressions and keeps old ids', async () => {
    await merge('kept', 'old');
    const undone = await undoMergeOf('old');
    expect(undone.code).toBe(0);
    const [undo] = JSON.parse((await run('imports', 'list', '--json')).stdout);
    const redone = await run('imports', 'undo', undo.id);
    expect(redone).toMatchObject({ code: 1, stderr: expect.stringContaining('would merge records again.') });
    expect((await show('old')).merged_id).toBeNull();
  });

  it('bring nothing back of a record that was deleted for good, nor of those merged into it', async () => {
    const merges = [
      ['kept', 'old'],
      ['post', 'kept'],
    ];
    const sets: string[] = [];
    for (const ids of merges) sets.push(await merge(...ids));
    expect((await run('delete', '--for-good', 'post')).code).toBe(0);
    for (const set of sets.toReversed()) await run('imports', 'undo', set);
    const found = ['post', 'kept', 'old'].map((id) => bench.backends.records.find(id));
    expect(await Promise.all(found)).toEqual([null, null, null]);
    expect(await historyOf('old')).not.toContain('herald.example');
  });

  it('leave no history of the record that one was in, if that is deleted for good after', async () => {
    await run('merge', 'post', 'post2');
    await run('merge', 'kept', 'old');
    await run('set', 'kept', 'email_status=valid');
    await run('set', 'kept', 'audience=7');
    expect((await undoMergeOf('old')).code).toBe(0);
    expect(await historyOf('kept')).toContain('new@herald.example');
    expect((await run('delete', '--for-good', 'old', ' old')).code).toBe(0);
    expect(await historyOf('kept')).not.toMatch(/new@herald|555 010 0100|audience/);
    expect((await undoMergeOf('post2')).code).toBe(0);
  });
});
