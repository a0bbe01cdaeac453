import { describe, expect, it } from 'vitest';
import type { StoredKey } from '#accounts/stored-key.ts';
import { readFeed, saveSearch } from '#outbound/follow-search.ts';
import { suppressionKey } from '#records/suppression.ts';
import { createList, removeList, writeList } from '#search/lists/lists.ts';
import { everything, type SearchQuery } from '#search/search-query.ts';
import { understand } from '#search/understanding/understand.ts';
import { testBackends } from '#testing/backends.ts';
import { untilHeard, useFollowed } from '#testing/copy.ts';
import { madePatch } from '#testing/made-record.ts';
import { daysAfter } from '#text/days.ts';

const ada: StoredKey = {
  ...{ hash: 'ada', prefix: 'mh_ada', plan: { tier: 'pro', expiresAt: daysAfter(new Date(), 30) } },
  ...{ email: null, orderId: null, createdAt: new Date().toISOString(), revokedAt: null },
};
const inLeeds: SearchQuery = { text: null, filters: [{ field: 'city', any: ['leeds'], none: [] }] };

/** Contract A20, "Saved searches", wherever records are stored and searched. */
describe.each(testBackends)('the feed of a saved search, $name', ({ open }) => {
  const backend = useFollowed(open);

  const paper = (id: string, values: object = {}) => madePatch({ id, kind: 'outlet', name: `Paper ${id}`, ...values });
  const save = (...patches: ReturnType<typeof paper>[]) => backend.records.merge(patches);
  const deps = () => ({ ...backend, now: () => new Date() });

  /** Saves a search, and returns what reads its feed: the ids, the newest first. */
  async function saved(query: SearchQuery, limits?: Parameters<typeof saveSearch>[3]) {
    await untilHeard(backend);
    const { id } = await saveSearch(deps(), { name: 'Leeds', filters: {}, query }, ada, limits);
    return async (key = ada, limitsOfReading = limits) => {
      await untilHeard(backend);
      const search = await backend.searches.find(id);
      if (search === null) throw new Error('no such search');
      return (await readFeed(deps(), search, query, key, limitsOfReading)).map(({ record }) => record.id);
    };
  }

  it('has what came in and what began to meet it, the newest first, and never what met it before', async () => {
    await save(paper('old', { city: 'Leeds' }), paper('other', { city: 'York' }));
    const read = await saved(inLeeds);
    expect(await read()).toEqual([]);
    await save(paper('new', { city: 'Leeds' }), paper('podcast', { city: 'Leeds', kind: 'podcast' }));
    await save(paper('old', { city: 'York' }));
    expect(await read()).toEqual(['new']);
    await save(paper('other', { city: 'Leeds' }), paper('old', { city: 'Leeds' }));
    expect(await read()).toEqual(['other', 'new']);
    await save(paper('new', { city: 'York' }));
    expect(await read()).toEqual(['other', 'new']);
    await save(paper('new', { city: 'Leeds', description: 'Daily' }));
    expect(await read()).toEqual(['other', 'new']);
  });

  it('leaves out what a list has, until the list is deleted', async () => {
    const list = await createList(backend, 'Known', ada, new Date());
    await save(paper('old', { city: 'Leeds' }), paper('known', { city: 'Leeds' }));
    const read = await saved({ ...inLeeds, lists: { any: [], none: [list.id] } });
    await writeList(backend, { id: list.id, version: null, change: { add: [{ id: 'known' }] } }, ada, new Date());
    await save(paper('new', { city: 'Leeds' }));
    expect(await read()).toEqual(['new']);
    await removeList(backend, { id: list.id, version: null }, ada);
    await save(paper('newer', { city: 'Leeds' }));
    expect(await read()).toEqual(['newer', 'new']);
  });

  it('lacks what is gone, which comes back in its place; a rebuild adds nothing', async () => {
    await save(paper('old', { city: 'Leeds' }));
    const read = await saved(inLeeds);
    await save(paper('a', { city: 'Leeds' }));
    await save(paper('b', { city: 'Leeds' }));
    expect(await read()).toEqual(['b', 'a']);
    const hidden = suppressionKey('record', 'a') ?? '';
    await backend.maintenance.suppress([{ key: hidden, reason: null, addedAt: new Date().toISOString() }]);
    expect(await read()).toEqual(['b']);
    await backend.maintenance.unsuppress([hidden]);
    expect(await read()).toEqual(['b', 'a']);
    const startedAt = new Date().toISOString();
    await backend.changes.begin({ id: 'set', action: 'merge', operator: 'test', startedAt, undoes: null });
    await backend.records.mergeDuplicates('old', ['b'], 'set');
    expect(await read()).toEqual(['a']);
    await untilHeard(backend);
    await backend.maintenance.rebuild({ allowsShrink: false });
    expect(await read()).toEqual(['a']);
    await backend.records.remove(['a']);
    expect(await read()).toEqual([]);
  });

  it('has of a text only what has all of it, as an export, also where a search leaves some out', async () => {
    await save(paper('gold', { city: 'Leeds' }));
    const read = await saved({ text: understand('climate in leeds'), filters: [] });
    await save(paper('leeds', { city: 'Leeds' }), paper('both', { city: 'Leeds', description: 'Climate news' }));
    expect(await read()).toEqual(['both']);
  });

  it('stands still with an expired plan, and goes on when the plan is renewed', async () => {
    const read = await saved(inLeeds);
    await save(paper('a', { city: 'Leeds' }));
    expect(await read({ ...ada, plan: { tier: 'pro', expiresAt: daysAfter(new Date(), -1) } })).toEqual([]);
    expect(await read()).toEqual(['a']);
  });

  it('reads many changes in parts, and of a search that too many records meet only what came in later', async () => {
    const few = { marks: 3, changesAtOnce: 2, questions: 1 };
    await save(...['a', 'b', 'c', 'd'].map((id) => paper(id)));
    const read = await saved(everything, few);
    await save(paper('a', { city: 'Leeds' }), paper('b', { city: 'Leeds' }));
    for (const id of ['e', 'f', 'g']) await save(paper(id));
    expect(await read()).toEqual([]);
    expect(await read()).toEqual(['f', 'e']);
    expect(await read()).toEqual(['g', 'f', 'e']);
    await save(paper('f', { city: 'Leeds' }), paper('h'));
    expect(await read()).toEqual(['h', 'g', 'f', 'e']);
    await save(paper('a', { city: 'York' }), paper('h', { city: 'York' }));
    expect(await read()).toEqual(['h', 'g', 'f', 'e']);
  });
});
