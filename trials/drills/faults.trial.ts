import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { suppressRecords } from '../../indexer/syncing/suppress-records.ts';
import { readSuppression } from '../../src/records/suppression.ts';
import { Dice } from '../../src/sample/dice.ts';
import { parseTextQuery } from '../../src/search/parse-text-query.ts';
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
    const ids = await fillForTrial(production, 2_000);
    expect(await production.reindex()).toMatchObject({ indexed: 1_300, repaired: 0 });
    const following = production.follow();
    const writer = new Writer({ ...production, dice: new Dice(6), rate: 300, ids, poison: 0 });
    await expect.poll(() => writer.writes).toBeGreaterThan(1_500);
    // Requests go wrong at random: until each kind of trouble has come.
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
    /** The ids that are shown, the same in search, facets and record reads. */
    const shown = async () => {
      const found = await index.search({ text: parseTextQuery('herald'), filters: [] }, page, 'masked');
      const ids = found.records.map(({ id }) => id).toSorted();
      expect((await index.countFacets({ text: null, filters: [] })).total).toBe(ids.length);
      const read = await index.findMany(['1', '2', '3'], 'masked');
      expect(read.map(({ id }) => id).toSorted()).toEqual(ids);
      return ids.join('');
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
    const nameOf = async (id: string) => (await index.find(id, 'full'))?.name;
    await expect.poll(() => nameOf('2')).toMatch(/^Herald/);
    for (const [kind, value, left] of [
      ['address', 'jane.doe@gone.example', '23'],
      ['domain', 'gone.example', '3'],
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

const kinds = ['overloaded', 'unavailable', 'lost before', 'lost after', 'some overloaded'] as const;

/**
 * A proxy in front of an Elasticsearch: a share of the bulk requests fails as they do in life. Counts those that met with
 * trouble, by its kind.
 */
async function startFaultyEngine(engine: string, dice: Dice, share: number) {
  const faults = Object.fromEntries(kinds.map((kind) => [kind, 0])) as Record<(typeof kinds)[number], number>;
  const server = createServer(async (req, res) => {
    const body = await buffer(req);
    const pass = async () => {
      const answer = await ask(engine, req, body);
      reply(res, answer.status, Buffer.from(await answer.arrayBuffer()), answer.headers.get('content-type'));
    };
    if (!req.url?.includes('/_bulk') || !dice.chance(share)) return pass();
    const fault = dice.pick(kinds);
    faults[fault] += 1;
    if (fault === 'overloaded') return reply(res, 429, JSON.stringify({ error: full, status: 429 }));
    if (fault === 'unavailable') return reply(res, 503, JSON.stringify({ error: full, status: 503 }));
    if (fault === 'lost before') return res.destroy();
    const answer = await ask(engine, req, body);
    if (fault === 'lost after') return res.destroy();
    const { items } = (await answer.json()) as { items: object[] };
    const some = items.map((item) => (dice.chance(0.3) ? overload(item) : item));
    reply(res, answer.status, JSON.stringify({ items: some }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    faults,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const full = { type: 'es_rejected_execution_exception', reason: 'full' };

/** One document's answer, as if the engine had no room for it. */
const overload = (item: object) => ({ [Object.keys(item)[0] ?? 'index']: { status: 429, error: full } });

function ask(engine: string, { method = 'GET', url, headers }: IncomingMessage, body: Buffer): Promise<Response> {
  const { host: _, connection: __, 'content-length': ___, 'transfer-encoding': ____, ...passed } = headers;
  const init = { method, headers: passed as Record<string, string> };
  return fetch(new URL(url ?? '/', engine), body.length > 0 ? { ...init, body: new Uint8Array(body) } : init);
}

function reply(res: ServerResponse, status: number, body: string | Buffer, type: string | null = null): void {
  res.writeHead(status, { 'content-type': type ?? 'application/json', 'x-elastic-product': 'Elasticsearch' });
  res.end(body);
}
