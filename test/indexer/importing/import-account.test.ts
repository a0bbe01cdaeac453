import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { useEach } from '#testing/use.ts';
import { ImportBench } from './import-bench.ts';

describe('the account of an import', () => {
  const bench = useEach(ImportBench.open);

  it('a dry run reports what an import would do, and changes nothing', async () => {
    await bench.importText('a.csv', 'id,kind,name\n1,outlet,One\n2,outlet,Two\n');
    const path = await bench.write(
      'b.csv',
      'id,kind,name\n1,outlet,One\n2,outlet,Zwei\n3,outlet,Three\n4,kiosk,Four\n3,outlet,Drei\n',
    );
    const dry = await bench.import([path], { dryRun: true });
    const names = [...(await bench.records()).values()].map(({ name }) => name);
    expect(names.toSorted()).toEqual(['One', 'Two']);
    const { created, updated, unchanged, repeated, rejected } = await bench.import([path]);
    const counts = { created, updated, unchanged, repeated, rejected };
    expect(dry).toMatchObject({ ...counts, dry_run: true });
    expect(counts).toEqual({ created: 1, updated: 1, unchanged: 1, repeated: 1, rejected: 1 });
  });

  it('accounts for rows by line: rejects as they stood, repeats with their twin, notes without values', async () => {
    const bad = await bench.write(
      'bad.csv',
      'ID;Kind;Name;Email;Phone;Rating\n1;kiosk;One;a@x.example;;5\n2;outlet;Two;b@x.example;4.42E+11;=4\n2;outlet;Two;;;\n"3;outlet\n',
    );
    const { files } = await bench.import([bad]);
    expect(files).toMatchObject([{ read: 4, created: 1, repeated: 1, rejected: 2 }]);
    const { rejects, entries } = await bench.aboutRows();
    expect(rejects.split('\r\n')).toEqual([
      'reject_line,reject_reason,ID,Kind,Name,Email,Phone,Rating',
      '2,"kind is not valid; use outlet, podcast, newsletter",1,kiosk,One,a@x.example,,5',
      expect.stringMatching(/^5,.*,,,,,,,"""3;outlet"$/),
      '',
    ]);
    expect(entries).toMatchObject([
      { level: 'note', line: 3, id: '2', field: 'phone', code: 'unreadable', reason: expect.any(String) },
      { level: 'repeat', line: 4, id: '2', first_line: 3 },
    ]);
    expect(JSON.stringify(entries)).not.toMatch(/x\.example/);
  });

  it('names each cause once, with its rows and the commonest values, but none of people', async () => {
    const rows = Array.from({ length: 30 }, (_, place) =>
      [
        `${place < 20 ? '' : 'outlet'}`,
        `Name ${place}`,
        place % 3 === 0 ? 'Elvish' : `Tongue ${place}`,
        place === 0 ? 'desk@x.example' : 'nobody',
        'x y',
      ].join(','),
    );
    const text = ['kind,name,language,email,phone', ...rows].join('\n');
    const { causes, notes } = await bench.importText('a.csv', text);
    expect(causes).toMatchObject([{ field: 'kind', code: 'required', count: 20, first_line: 2 }]);
    expect(causes[0]?.message).toMatch(/--kind outlet/);
    const [language] = notes.filter(({ field }) => field === 'language');
    expect(language).toMatchObject({ count: 10, first_line: 22 });
    expect(language?.values[0]).toEqual({ value: '"Elvish"', count: 3 });
    expect(notes.filter(({ field, values }) => field !== 'language' && values.length > 0)).toEqual([]);
  });

  it('stops at a rejects file that cannot be written, and counts only what is saved', async () => {
    const path = await bench.write('a.csv', 'id,kind,name\n1,kiosk,One\n2,outlet,Two\n');
    const { files } = await bench.import([path, path], { rejectsFolder: join(path, 'rejects') });
    expect(files).toHaveLength(1);
    expect(files[0]?.stopped).toMatch(/--rejects/);
  });
});
