import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { ImportBench } from '#test/indexer/importing/import-bench.ts';
import { readCases } from '#testing/cases.ts';
import { contentOf, madeRecord } from '#testing/made-record.ts';
import { useEach } from '#testing/use.ts';

describe('the commands that undo', () => {
  const bench = useEach(ImportBench.open);

  const run = (...args: string[]) => bench.run(...args);

  async function printed(...args: string[]) {
    const { code, stdout, stderr } = await run(...args, '--json');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return JSON.parse(stdout);
  }

  async function importRows(name: string, ...rows: string[]): Promise<string> {
    const path = await bench.write(name, `${rows.join('\n')}\n`);
    return (await printed('import', path)).import_id;
  }

  it('list imports with who, when, which file and what undid them', async () => {
    const first = await importRows('first.csv', 'id,kind,name', '1,outlet,One');
    const second = await importRows('second.csv', 'id,city', '1,Leeds');
    const undo = (await printed('imports', 'undo', second)).id;
    const list = await printed('imports', 'list');
    expect(list.map((row: { id: string; undone_by: string }) => [row.id, row.undone_by])).toEqual([
      [undo, null],
      [second, undo],
      [first, null],
    ]);
    const { stdout } = await run('imports', 'list', '--limit', '2');
    expect(stdout).toMatch(/^id +action +started_at +operator +did +state +files\n/);
    expect(stdout).toMatch(new RegExp(`undone by ${undo} +/.*second\\.csv\n$`));
    expect(stdout).not.toContain('first.csv');
  });

  it('say of an import that changed nothing that it did, and offer no undo of it', async () => {
    const first = await importRows('first.csv', 'id,kind,name', '1,outlet,One');
    const again = await importRows('again.csv', 'id,kind,name', '1,outlet,One');
    const { stdout } = await run('imports', 'list');
    expect(stdout).toMatch(new RegExp(`^${again} (?:(?!created).)*changed nothing +/.*again\\.csv$`, 'm'));
    expect(stdout).toMatch(new RegExp(`^${first} .* 1 created +done +/.*first\\.csv$`, 'm'));
    expect((await run('imports', 'show', again)).stdout).not.toContain('To undo it');
    expect((await run('imports', 'show', first)).stdout).toContain(
      `To undo it: npm run indexer -- imports undo ${first}`,
    );
  });

  it('show what an import counted, and of each record what it changed', async () => {
    await importRows('first.csv', 'id,kind,name,contact,email', '1,outlet,One,Ann Roe,a@one.example');
    const path = await bench.write(
      'second.csv',
      'id,kind,name,contact,email\n1,outlet,One,Ann Roe,b@one.example\n2,podcast,Two,,\n',
    );
    const id = (await printed('import', path)).import_id;
    const sha256 = hash('sha256', await readFile(path));
    expect(await printed('imports', 'show', id)).toMatchObject({
      id,
      action: 'import',
      undone_by: null,
      changes: 2,
      counts: { read: 2, created: 1, updated: 1, unchanged: 0, rejected: 0, sample_removed: 0, people_updated: 1 },
      files: [{ name: path, sha256, size: 78 }],
    });
    expect((await run('show', '1', '--history')).stdout).toContain('email: a@one.example → b@one.example');
  });

  it('undo an import so that the store is as it was before, the sample included', async () => {
    await bench.backends.records.merge([madeRecord({ id: 'sample-1', name: 'Invented' })]);
    const contents = async () => [...(await bench.records()).values()].map(contentOf);
    const empty = await contents();
    const id = await importRows('mine.csv', 'id,kind,name', '1,outlet,One', '2,outlet,Two');
    expect((await bench.records()).size).toBe(2);
    expect(await printed('imports', 'undo', id, '--dry-run')).toMatchObject({ removed: 2, recreated: 1, kept: 0 });
    expect((await bench.records()).size).toBe(2);
    const undone = await printed('imports', 'undo', id);
    expect(undone).toMatchObject({ undoes: id, restored: 0, removed: 2, recreated: 1, kept: 0, first_kept: [] });
    expect(await contents()).toEqual(empty);
    expect(await printed('imports', 'undo', id)).toMatchObject({ id: undone.id, is_already_undone: true, removed: 0 });
    expect(await contents()).toEqual(empty);
    await printed('imports', 'undo', undone.id);
    expect([...(await bench.records()).keys()].toSorted()).toEqual(['1', '2']);
    await printed('imports', 'undo', id);
    expect(await contents()).toEqual(empty);
  });

  it('list what something changed later, leave it and exit with 1, until that is undone too', async () => {
    await importRows('first.csv', 'id,kind,name,city,phone', '1,outlet,One,Leeds,11111');
    const second = await importRows('second.csv', 'id,city,phone', '1,York,22222');
    const third = await importRows('third.csv', 'id,city', '1,Hull');
    const partly = await run('imports', 'undo', second);
    expect(partly).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^1: city changed later, and stays\n1 record restored, 0 removed/),
      stderr: `masthead: 1 record changed after ${second}. What changed stays.\n`,
    });
    expect(await bench.record('1')).toMatchObject({ city: 'Hull', phone: '11111' });
    expect((await run('imports', 'list')).stdout).toMatch(
      / undone in part by \S+: undo it again for the rest +\/.*second\.csv\n/,
    );
    await printed('imports', 'undo', third);
    const completed = await printed('imports', 'undo', second);
    expect((await run('imports', 'list')).stdout).toMatch(/ undone by \S+ +\/.*second\.csv\n/);
    expect(partly.stdout).toContain(completed.id);
    expect(await bench.record('1')).toMatchObject({ city: 'Leeds', phone: '11111' });
    expect(await printed('imports', 'show', completed.id)).toMatchObject({ counts: { restored: 2, kept: 0 } });
  });

  it('bring deleted records back, unless they were deleted for good', async () => {
    await importRows('first.csv', 'id,kind,name,email', '1,outlet,One,jane@one.example', '2,outlet,Two,');
    const deletion = await printed('delete', '1');
    await printed('imports', 'undo', deletion.change_set);
    expect((await bench.record('1')).email).toBe('jane@one.example');
    expect(await printed('delete', '1', '--for-good')).toMatchObject({ deleted: ['1'], change_set: null });
    const gone = await run('show', '1', '--history');
    expect(gone).toMatchObject({ code: 1, stderr: 'masthead: No record has this id, and no change of it is kept.\n' });
    for (const { id } of await printed('imports', 'list')) {
      for await (const page of bench.backends.changes.readChanges(id))
        expect(JSON.stringify(page)).not.toContain('jane@');
    }
  });

  it('say what they do in the audit log', async () => {
    const id = await importRows('first.csv', 'id,kind,name', '1,outlet,One');
    await printed('set', '1', 'city=Leeds');
    await run('imports', 'undo', id);
    const entries = await bench.backends.audit.list(10);
    expect(
      entries.map(({ action, subject, outcome }) => [action, subject, outcome?.replace(/20\d+-\w+/, 'ID')]),
    ).toEqual([
      ['undo', `import ${id}`, '0 records restored, 0 removed, 0 brought back, 1 left in part or whole; change set ID'],
      ['undo', `import ${id}`, undefined],
      ['set', 'record 1: city', 'city changed; change set ID'],
      ['set', 'record 1: city', undefined],
      ['import', expect.any(String), expect.stringMatching(/1 created.*; change set ID$/)],
      ['import', expect.any(String), undefined],
    ]);
  });
});

describe('the commands for one record', () => {
  const bench = useEach(ImportBench.open, async (bench) => {
    await bench.backends.records.merge([
      madeRecord({ id: '1', name: 'One', city: 'Leeds', email: 'a@one.example', email_status: 'valid' }),
      madeRecord({ id: '2', kind: 'podcast', name: 'Two' }),
    ]);
  });

  const run = (...args: string[]) => bench.run(...args);

  it('set fields as an import reads them, and say what changed', async () => {
    const { code, stdout, stderr } = await run('set', '1', 'website=one.example', 'aliases=Uno|Eins', 'country=uk');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(
      /^aliases: \(empty\) → Uno \| Eins\nurl: .*→ https:\/\/one\.example\/\n.*continent:.*europe\ncountry: .*GB\n/s,
    );
    expect(await bench.record('1')).toMatchObject({
      aliases: ['Uno', 'Eins'],
      url: 'https://one.example/',
      country_name: 'United Kingdom',
      city: 'Leeds',
    });
    expect((await run('set', '1', 'country=GB')).stdout).toBe('1 has these values already; nothing was changed.\n');
  });

  it('clear fields, and what was said about them', async () => {
    expect((await run('set', '1', 'email=', 'city=', '--dry-run')).stdout).toMatch(/^city: Leeds → \(empty\)\n/);
    expect(await bench.record('1')).toMatchObject({ email: 'a@one.example' });
    const { change_set } = JSON.parse((await run('set', '1', 'email=', 'city=', '--json')).stdout);
    expect(await bench.record('1')).toMatchObject({ city: null, email: null, email_status: null });
    await run('imports', 'undo', change_set);
    expect(await bench.record('1')).toMatchObject({ city: 'Leeds', email: 'a@one.example', email_status: 'valid' });
  });

  it.each(readCases<[args: string[], code: number, message: string]>(new URL('refused-sets.tsv', import.meta.url)))(
    'refuse %j',
    async (args, code, message) => {
      const ended = await run('set', ...args);
      expect(ended).toMatchObject({ code, stdout: '', stderr: expect.stringMatching(new RegExp(message)) });
      expect(ended.stderr).not.toContain('jane');
      expect(await bench.record('1')).toMatchObject({ name: 'One', city: 'Leeds', email: 'a@one.example' });
      expect(await bench.backends.changes.list(1)).toEqual([]);
    },
  );

  it('print the changes of a record with their source, the newest first', async () => {
    await run('set', '1', 'city=York');
    await run('import', await bench.write('more.csv', 'id,city\n1,Hull\n'));
    const { stdout } = await run('show', '1', '--history');
    expect(stdout).toMatch(
      /^[\d-]+T\S+ changed by \S+ \(import \S+ of \S+more\.csv\)\n {2}city: York → Hull\n\S+ changed by \S+ \(set \S+\)\n {2}city: Leeds → York\n$/,
    );
    expect((await run('show', '2', '--history')).stdout).toBe('No change of it is kept.\n');
    const shown = await run('show', '1');
    expect(shown.stdout).toMatch(/\nLast changes:\n- \S+ changed by \S+ \(import \S+ of \S+\): city\n- .*: city\n$/);
  });
});
