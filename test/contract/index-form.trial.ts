import { describe, expect, it } from 'vitest';
import { everything } from '#search/search-query.ts';
import { testBackends } from '#testing/backends.ts';
import { madeRecord } from '#testing/made-record.ts';
import { useEach } from '#testing/use.ts';
import { page } from '../support/embedded-store.ts';

describe.each(testBackends)('the form of an index, $name', ({ open }) => {
  const backend = useEach(open);

  const isCurrent = async () => (await backend.maintenance.findLive())?.isCurrent;
  const rebuild = () => backend.maintenance.rebuild({ allowsShrink: false });
  const status = () => backend.maintenance.readStatus(new Date());
  const masks = async () => {
    const found = await backend.index.search(everything, page, 'masked');
    const [one] = await backend.index.findMany(['a'], 'masked');
    expect(one).toEqual(found.records.find(({ id }) => id === 'a'));
    return found.records.map(({ email }) => email);
  };

  it("is this version's from the first start on, and stays so while records are written", async () => {
    expect(await isCurrent()).toBe(true);
    await backend.load([madeRecord({ id: 'a' })]);
    expect(await isCurrent()).toBe(true);
    expect((await status()).is_current).toBe(true);
  });

  it('differs if another version built the index: status says so, verify and repair refuse, a rebuild fixes it', async () => {
    await backend.load([madeRecord({ id: 'a' }), madeRecord({ id: 'b' })]);
    await backend.ageIndex();
    expect(await isCurrent()).toBe(false);
    expect((await status()).is_current).toBe(false);
    for (const repairs of [true, false]) {
      await expect(backend.maintenance.verify({ repairs })).rejects.toThrow(/built by other rules.*reindex/);
    }
    const { index, indexed } = await rebuild();
    expect(indexed).toBe(2);
    expect(await status()).toMatchObject({ index, is_current: true });
    expect(await backend.maintenance.verify({ repairs: false })).toMatchObject({ compared: 2, stale: 0 });
  });

  it('removes masks made by another rule from answers until a rebuild has made new ones', async () => {
    await backend.load([
      madeRecord({ id: 'a', name: 'A', email: 'jane.doe@a.example', email_source: 'https://a.example/contact' }),
      madeRecord({ id: 'b', name: 'B' }),
    ]);
    expect(await masks()).toEqual(['j***@a.example', null]);
    for (const other of ['jane***@a.example', 'jane.doe@a.example', 'j**e@a.example', '@a.example']) {
      await backend.replaceMasks(other);
      expect(await masks(), other).toEqual([null, null]);
    }
    expect((await backend.index.findMany(['a'], 'full'))[0]?.email).toBe('jane.doe@a.example');
    expect(await backend.maintenance.verify({ repairs: false })).toMatchObject({ stale: 1, missing: 0, extra: 0 });
    await rebuild();
    expect(await masks()).toEqual(['j***@a.example', null]);
  });

  it('cleans texts, URLs and ids that an earlier version let addresses into like an import', async () => {
    await backend.records.merge([
      madeRecord({
        id: 'a',
        name: 'A <b>Herald</b>',
        aliases: ['quill at harbour dot example', 'The Herald'],
        description: 'Write to quill [at] harbour.example',
        url: 'https://a.example/staff/quill%2540harbour.example',
        email: 'box@a.example',
        email_source: 'https://a.example/contact?to=quill%40harbour.example',
      }),
      madeRecord({ id: 'b', name: 'B' }),
      madeRecord({ id: 'quill%40harbour.example', name: 'C' }),
      madeRecord({ id: 'd', name: 'quill@harbour.example' }),
    ]);
    await backend.ageIndex();
    await backend.maintenance.rebuild({ allowsShrink: true });
    const { records, total } = await backend.index.search(everything, page, 'full');
    expect(total).toBe(2);
    expect(JSON.stringify(records)).not.toContain('quill');
    expect(records[0]).toMatchObject({ id: 'a', name: 'A Herald', aliases: ['The Herald'], email: 'box@a.example' });
    expect(await backend.index.findMany(['quill%40harbour.example'], 'masked')).toEqual([]);
    const letters: string[] = [];
    for await (const { id } of backend.maintenance.readDeadLetters()) letters.push(id);
    expect(letters).toHaveLength(2);
    expect(letters.join()).not.toContain('quill');
  });
});
