import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { everything, firstPage } from '#search/search-query.ts';
import { openEmbeddedForTest, testBackends } from '#testing/backends.ts';
import { madeContact } from '#testing/made-contact.ts';
import { madeRecord } from '#testing/made-record.ts';
import { runHere } from '#testing/run-here.ts';
import { useEach, useFolder } from '#testing/use.ts';

const records = [
  madeRecord({ id: 'a', name: 'Alpha Herald', email: 'Jane.Doe@gone.example' }),
  madeRecord({ id: 'b', name: 'Beta Herald', url: 'https://news.shut.example' }),
  madeRecord({ id: 'c', name: 'Gamma Herald' }),
  madeRecord({ id: 'd', name: 'Delta Herald', email: 'joe@stays.example' }),
];

/* Whoever opted out of one store must be out of the one that replaces it, whatever pepper that has. */
describe.each(testBackends)('suppressions of an embedded store carried to $name', ({ open }) => {
  const folder = useFolder();
  const from = useEach(openEmbeddedForTest, (store) => store.load(records));
  const to = useEach(open, (store) => store.load(records));

  it('hide the same records there, now and when they are imported again, and keep their reasons', async () => {
    const { settings } = from;
    const indexer = async (...args: string[]) => {
      const ended = await runHere(['indexer/main.ts', ...args], settings);
      expect(ended).toMatchObject({ code: 0, stderr: '' });
      return ended.stdout;
    };
    await indexer('suppress', 'jane.doe@gone.example', '--reason', 'asked by letter');
    await indexer('suppress', 'shut.example', '--record', 'c');
    const file = join(folder, `${crypto.randomUUID()}.txt`);
    expect(await indexer('suppress', '--export', file)).toMatch(/^3 suppressions written to /);
    expect(await readFile(file, 'utf8')).not.toMatch(/jane|doe|gone/i);

    const here = await runHere(['indexer/main.ts', 'suppress', '--from', file, '--json'], to.settings);
    expect(JSON.parse(here.stdout)).toMatchObject({ added: 3, known: 0, hidden: 2, hidden_contacts: 1 });
    await to.load(records.map((record) => ({ ...record, name: `${record.name} Tribune` })));
    const { records: found } = await to.index.search(everything, firstPage(10), 'masked');
    expect(found.map(({ id, contact_count }) => `${id} ${contact_count}`).toSorted()).toEqual(['a 0', 'd 1']);
    const known = async (store: typeof from | typeof to) =>
      (await store.suppressions.list()).map(({ key, reason }) => `${key} ${reason}`).toSorted();
    expect(await known(to)).toEqual(await known(from));
  });

  it('hide people by their names, too, also whom the other store does not know yet', async () => {
    const people = madeRecord({
      id: 'e',
      name: 'Epsilon Herald',
      contacts: [
        madeContact({ id: 'x', kind: 'person', name: 'Ann One', phone: '+44 20 7946 0001' }),
        madeContact({ id: 'y', kind: 'person', name: 'Bob Two' }),
      ],
    });
    await from.load([people]);
    const hide = await runHere(['indexer/main.ts', 'suppress', 'e', '--contact', 'x'], from.settings);
    expect(hide).toMatchObject({ code: 0 });
    const file = join(folder, `${crypto.randomUUID()}.txt`);
    await runHere(['indexer/main.ts', 'suppress', '--export', file], from.settings);
    expect(await readFile(file, 'utf8')).not.toMatch(/ann|7946/i);
    expect(await runHere(['indexer/main.ts', 'suppress', '--from', file], to.settings)).toMatchObject({ code: 0 });
    await to.load([people]);
    const [shown] = await to.index.findMany(['e'], 'full');
    expect(shown?.contacts.map(({ name }) => name)).toEqual(['Bob Two']);
  });

  it('may be none, which is no fault', async () => {
    const file = join(folder, `${crypto.randomUUID()}.txt`);
    expect((await runHere(['indexer/main.ts', 'suppress', '--export', file], from.settings)).code).toBe(0);
    const { code, stdout } = await runHere(['indexer/main.ts', 'suppress', '--from', file], to.settings);
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: 'The other store had no suppressions. Nothing was changed.\n',
    });
  });
});
