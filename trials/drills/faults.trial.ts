import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { MediaRecord } from '#records/media-record.ts';
import { suppressRecords } from '../../indexer/syncing/suppress-records.ts';
import { readSuppression } from '../../src/records/read-suppression.ts';
import { Dice } from '../../src/sample/dice.ts';
import { everything } from '../../src/search/search-query.ts';
import { understand } from '../../src/search/understanding/understand.ts';
import { startNodeProxy, type Treatment } from '../../test/support/engines/node-proxy.ts';
import { engines } from '../../test/support/engines.ts';
import { madeRecord } from '../../test/support/made-record.ts';
import { openProduction, type Production } from '../../test/support/open-production.ts';
import { fillForTrial, Writer } from './traffic.ts';

const { mongodb, elasticsearch } = engines;
const page = { sort: { key: 'name', reversed: false }, offset: 0, limit: 10 } as const;

describe.skipIf(!mongodb || !elasticsearch)('a sync', () => {
  const urls = { mongodb: mongodb ?? '', elasticsearch: elasticsearch ?? '' };
  const closing: (() => Promise<unknown>)[] = [];
  let production: Production;
  beforeEach(() => {
    closing.length = 0;
  });
  afterEach(async () => {
    for (const close of closing.toReversed()) await close();
  });

  it('brings every record, each in its current state, to an engine that is overloaded, away or loses answers', async () => {
    const faulty = await startFaultyEngine(urls.elasticsearch, new Dice(5), 0.4);
    production = await openProduction({ ...urls, elasticsearch: faulty.url });
    closing.push(faulty.close, production.close);
    const ids = await fillForTrial(production, 800);
    expect(await production.reindex()).toMatchObject({ indexed: 700, repaired: 0 });
    const following = production.follow();
    const writer = new Writer({ ...production, dice: new Dice(6), rate: 150, ids, poison: 0 });
    await expect.poll(() => writer.writes).toBeGreaterThan(300);
    // Requests fail at random, so go on until each kind of failure has occurred.
    await expect.poll(() => Math.min(...Object.values(faulty.faults)), { timeout: 300_000 }).toBeGreaterThan(0);
    await writer.stop();
    expect(await production.differences()).toEqual([]);
    await following.stop();
    expect(following.retries()).toBeGreaterThan(0);
  });

  it('brings nothing back that was suppressed, while records keep changing', async () => {
    production = await openProduction(urls);
    closing.push(production.close);
    const { records, index, syncDeps } = production;
    await records.merge([
      madeRecord({ id: '1', name: 'Alpha Herald', email: 'Jane.Doe@gone.example', country: 'US' }),
      madeRecord({ id: '2', name: 'Beta Herald', url: 'https://news.gone.example', country: 'US' }),
      madeRecord({ id: '3', name: 'Gamma Herald', country: 'FR' }),
    ]);
    await production.reindex();
    /** The ids that the API shows, with a plus where a contact is. Expects the same from search, facets and single records. */
    const shown = async () => {
      const found = await index.search({ text: understand('herald'), filters: [] }, page, 'masked');
      const tell = ({ id, contacts }: MediaRecord) => `${id}${contacts.length > 0 ? '+' : ''}`;
      const visible = found.records.map(tell).toSorted();
      expect((await index.countFacets(everything)).total).toBe(visible.length);
      const read = await index.findMany(['1', '2', '3'], 'masked');
      expect(read.map(tell).toSorted()).toEqual(visible);
      return visible.join('');
    };

    const sync = production.follow();
    let changes = 0;
    let isWriting = true;
    const writing = (async () => {
      while (isWriting) {
        changes += 1;
        await records.merge(['1', '2', '3'].map((id) => ({ id, name: `Herald ${changes}` })));
      }
    })();
    closing.push(async () => {
      isWriting = false;
      await Promise.all([sync.stop(), writing]);
    });
    const nameOf = async (id: string) => (await index.findMany([id], 'full'))[0]?.name;
    await expect.poll(() => nameOf('2')).toMatch(/^Herald/);
    await expect.poll(shown).toBe('1+23');
    for (const [kind, value, left] of [
      ['address', 'jane.doe@gone.example', '123'],
      ['domain', 'gone.example', '13'],
    ] as const) {
      const read = readSuppression(kind, value);
      if ('fault' in read) throw new Error(read.fault);
      await suppressRecords(syncDeps, [{ key: read.key, reason: null, addedAt: new Date().toISOString() }]);
      const until = changes + 50;
      while (changes < until) expect(await shown()).toBe(left);
    }
    isWriting = false;
    await writing;
    await expect.poll(() => nameOf('3')).toBe(`Herald ${changes}`);
    expect(await production.differences()).toEqual([]);
  });
});

const full = { status: 429, error: { type: 'es_rejected_execution_exception', reason: 'full' } };

/**
 * A proxy in front of Elasticsearch that lets a share of the bulk requests fail in the ways that really occur. Counts the
 * failures by kind.
 */
async function startFaultyEngine(engine: string, dice: Dice, share: number) {
  /** Changes the answer as if the engine had no room for some of the documents. */
  const overloadSome = (answer: string) => {
    const { items } = JSON.parse(answer) as { items: object[] };
    const overload = (item: object) => ({ [Object.keys(item)[0] ?? 'index']: full });
    return JSON.stringify({ items: items.map((item) => (dice.chance(0.3) ? overload(item) : item)) });
  };
  const kinds: Readonly<Record<string, Treatment>> = {
    overloaded: 429,
    unavailable: 503,
    'lost before': 'cut off',
    'lost after': 'lose the answer',
    'some overloaded': overloadSome,
  };
  const faults = Object.fromEntries(Object.keys(kinds).map((kind) => [kind, 0]));
  const proxy = await startNodeProxy(engine, {
    choose(path) {
      if (!path.includes('/_bulk') || !dice.chance(share)) return 'pass on';
      const kind = dice.pick(Object.keys(kinds));
      faults[kind] = (faults[kind] ?? 0) + 1;
      return kinds[kind] ?? 'pass on';
    },
  });
  return { ...proxy, faults };
}
