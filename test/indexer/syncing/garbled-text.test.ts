import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasEngines, openOnEngines } from '#testing/backends.ts';
import { type BreakableProxy, startBreakableProxy } from '#testing/engines/breakable-proxy.ts';
import { engines } from '#testing/engines.ts';
import { useEach } from '#testing/use.ts';

const { mongodb } = engines;

/** What a client writes here to get invalid UTF-8 in its place, as no driver would write it. */
const garbage = '#garbage#';
const garble = (sent: Buffer) => {
  for (let at = sent.indexOf(garbage); at >= 0; at = sent.indexOf(garbage, at))
    sent.fill(0xff, at, at + garbage.length);
};

const outlet = (id: string, name: string) => ({ _id: id, kind: 'outlet', name });

describe.skipIf(!hasEngines)('text that another tool stored as invalid UTF-8', () => {
  let proxy: BreakableProxy;
  const production = useEach(openOnEngines);
  let otherTool: MongoClient;

  beforeAll(async () => {
    proxy = await startBreakableProxy(mongodb ?? '', garble);
    otherTool = await MongoClient.connect(proxy.url);
  });
  afterAll(async () => {
    await otherTool.close();
    await proxy.close();
  });

  async function insert(...documents: ReturnType<typeof outlet>[]): Promise<void> {
    const { namespace } = production.collection;
    const database = namespace.slice(0, namespace.indexOf('.'));
    const records = otherTool.db(database).collection<{ _id: string }>('records');
    await records.insertMany(documents);
  }

  it('is shown as far as it is readable, and does not hide any other record', async () => {
    await insert(outlet('a', 'Sound'), outlet('b', `Bad ${garbage} name`));
    await production.reindex();
    expect(await production.found()).toEqual(['a', 'b']);
    expect((await production.index.findMany(['b'], 'masked'))[0]?.name).toMatch(/^Bad \ufffd+ name$/);
    const following = production.follow();
    await insert(outlet('c', `Worse ${garbage}`), outlet('d', 'Sound'));
    await expect.poll(() => production.found()).toEqual(['a', 'b', 'c', 'd']);
    await following.stop();
    expect(await production.differences()).toEqual([]);
  });

  it('in an id makes a dead letter, wherever it is among the others', async () => {
    await insert(outlet(garbage, 'First of all'), outlet(`m${garbage}`, 'In the middle'), outlet('n', 'Sound'));
    await insert(outlet('a', 'Sound'), outlet(`z${garbage}`, 'Last but one'), outlet('', 'Without one'));
    await production.reindex();
    expect(await production.found()).toEqual(['a', 'n']);
    expect(await production.differences()).toEqual([]);
    const reasons: string[] = [];
    for await (const { reason } of production.syncDeps.deadLetters.scan()) reasons.push(reason);
    const garbled = '_id is not valid UTF-8';
    expect(reasons).toEqual(['_id is empty', garbled, garbled, garbled]);
    const following = production.follow();
    await insert(outlet(`b${garbage}`, 'Unheard of'), outlet('q', 'Sound'));
    await expect.poll(() => production.found()).toEqual(['a', 'n', 'q']);
    await following.stop();
    expect(await production.differences()).toEqual([]);
  });
});
