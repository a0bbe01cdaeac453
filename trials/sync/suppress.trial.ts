import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { suppressRecords } from '../../indexer/syncing/suppress-records.ts';
import { readSuppression } from '../../src/records/suppression.ts';
import { parseTextQuery } from '../../src/search/parse-text-query.ts';
import { madeRecord } from '../../test/support/made-record.ts';
import { openProduction, type Production } from '../../test/support/open-production.ts';
import { elasticsearch, mongodb } from '../breakable-engines.ts';

const page = { sort: { key: 'name', reversed: false }, offset: 0, limit: 10 } as const;

describe.skipIf(mongodb === null || elasticsearch === null)('suppressions', () => {
  let backend: Production;
  beforeAll(async () => {
    backend = await openProduction({ mongodb: mongodb?.url ?? '', elasticsearch: elasticsearch?.url ?? '' });
    await backend.records.merge([
      madeRecord({ id: '1', name: 'Alpha Herald', email: 'Jane.Doe@gone.example', country: 'US' }),
      madeRecord({ id: '2', name: 'Beta Herald', url: 'https://news.gone.example', country: 'US' }),
      madeRecord({ id: '3', name: 'Gamma Herald', country: 'FR' }),
    ]);
    await backend.reindex();
  });
  afterAll(() => backend.close());

  /** The ids that are shown, the same in search, facets and record reads. */
  async function shown(): Promise<string> {
    const text = parseTextQuery('herald');
    const { records } = await backend.index.search({ text, filters: [] }, page, 'masked');
    const ids = records.map(({ id }) => id).toSorted();
    expect((await backend.index.countFacets({ text: null, filters: [] })).total).toBe(ids.length);
    const read = await backend.index.findMany(['1', '2', '3'], 'masked');
    expect(read.map(({ id }) => id).toSorted()).toEqual(ids);
    return ids.join('');
  }

  it('take effect while a sync follows records that keep changing', async () => {
    const sync = backend.follow();
    let changes = 0;
    let isWriting = true;
    const write = async () => {
      while (isWriting) {
        changes += 1;
        const name = `Herald ${changes}`;
        await backend.records.merge(['1', '2', '3'].map((id) => ({ id, name })));
      }
    };
    const writing = write();
    const nameOf = async (id: string) => (await backend.index.find(id, 'full'))?.name;
    try {
      await expect.poll(() => nameOf('2')).toMatch(/^Herald/);
      for (const [kind, value, left] of [
        ['address', 'jane.doe@gone.example', '23'],
        ['domain', 'gone.example', '3'],
      ] as const) {
        const read = readSuppression(kind, value);
        if ('fault' in read) throw new Error(read.fault);
        await suppressRecords(backend.syncDeps, [{ key: read.key, reason: null, addedAt: new Date().toISOString() }]);
        const until = changes + 100;
        while (changes < until) expect(await shown()).toBe(left);
      }
      isWriting = false;
      await writing;
      await expect.poll(() => nameOf('3')).toBe(`Herald ${changes}`);
      expect(await backend.differences()).toEqual([]);
    } finally {
      isWriting = false;
      await Promise.all([sync.stop(), writing]);
    }
  });
});
