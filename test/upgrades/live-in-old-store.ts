import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { firstList, novemberPeople, octoberPeople, secondList } from './lists.ts';
import { type OldVersion, runOld, type Settings, serveOld } from './old-version.ts';

/** A purchase as its buyer knows it. */
interface Purchase {
  order_id: string;
  claim_token: string;
}

/** What operators, data staff and buyers know of a store that an old version wrote: tests expect it after an upgrade. */
export interface KnownFacts {
  /** When it was made; keys and rotations of it end relative to this. */
  madeAt: string;
  /** Keys in plain text. The store was made with `pepper`. */
  pepper: string;
  keys: Record<'issued' | 'revoked' | 'bought' | 'rotatedOld' | 'rotatedNew' | 'renewed', string>;
  orders: Record<
    'pending' | 'unclaimed' | 'claimed' | 'refunded' | 'disputed' | 'expired' | 'failed' | 'renewal',
    Purchase
  >;
  /** Ids of change sets, by what was done. */
  changeSets: Record<'firstImport' | 'set' | 'merge' | 'delete' | 'secondImport', string>;
  /** The list of the bought key's account; null where the version had none. */
  list: { id: string; name: string } | null /** What came with 1.3; null before. */;
  people: PeopleFacts | null;
}

/** The contact is in the list. The searches, the session and the key for a program are of the bought key's account. */
interface PeopleFacts {
  contactId: string;
  /** Two imports of one source, by the second of which somebody left; and a change with its undo. */
  changeSets: Record<'october' | 'november' | 'changed' | 'undo', string>;
  search: { id: string; feed_url: string };
  session: string;
  programKey: string;
}

/** The secret of the fixtures alone: it opens nothing else. */
export const fixturePepper = 'only for stores that tests of upgrades open';

/** Does in a store what happens in life: imports, changes, suppressions, purchases in every state, keys and their rotation. */
export async function liveInOldStore(
  version: OldVersion,
  { checkout, settings, folder }: { checkout: string; settings: Settings; folder: string },
): Promise<KnownFacts> {
  const indexer = (...args: string[]) => runOld(checkout, [version.indexer, ...args], settings);
  const admin = (...args: string[]) => runOld(checkout, [version.admin, ...args], settings);
  const lists = { first: join(folder, 'first.csv'), second: join(folder, 'second.csv') };
  await writeFile(lists.first, firstList);
  await writeFile(lists.second, secondList);

  await indexer('import', lists.first);
  await indexer('set', 'up-07', 'audience=6000', 'contact_name=Finn Fjord');
  await indexer('merge', 'up-05', 'up-06');
  await indexer('delete', 'up-08');
  await indexer('import', lists.second);
  await indexer('suppress', '--reason', 'asked by telephone', '--address', 'person@hidden-address.example');
  await indexer('suppress', '--domain', 'hidden-domain.example', '--record', 'up-11');
  const sets: { id: string; action: string }[] = JSON.parse(await indexer('imports', 'list', '--json'));
  const [secondImport, deletion, merge, setting, firstImport] = sets.map(({ id }) => id);

  const issue = async (tier: string) =>
    JSON.parse(await admin('keys', 'issue', '--tier', tier, '--days', '3650', '--json')).key as string;
  const issued = await issue('premium');
  const revoked = await issue('pro');
  await admin('keys', 'revoke', revoked.slice(0, 11));

  const service = await serveOld(checkout, settings);
  try {
    const shop = new Shop(service.url);
    const bought = await shop.buy('pro', ['pay']);
    const boughtKey = await shop.claim(bought);
    const renewal = await shop.buy('pro', ['pay'], boughtKey);
    await shop.read(renewal);
    const rotating = await shop.buy('premium', ['pay']);
    const rotatedOld = await shop.claim(rotating);
    const rotatedNew: string = (await shop.post('/api/v1/me/key/rotate', { overlap_hours: 72 }, rotatedOld)).api_key;
    const refunded = await shop.buy('pro', ['pay']);
    await shop.claim(refunded);
    await shop.act(refunded, 'refund');
    const disputed = await shop.buy('pro', ['pay']);
    await shop.claim(disputed);
    await shop.act(disputed, 'dispute');
    const list = version.hasLists ? await shop.post('/api/v1/lists', { name: 'Spring launch' }, boughtKey) : null;
    if (list !== null) {
      await shop.post(
        `/api/v1/lists/${list.id}/records`,
        { add: [{ id: 'up-01', note: 'call first' }, { id: 'up-02' }] },
        boughtKey,
      );
    }
    await shop.get('/api/v1/search?q=radio', issued);
    const people = version.hasPeople
      ? await meetPeople({ shop, indexer, folder, list: list.id, key: boughtKey })
      : null;
    const orders = {
      pending: await shop.buy('pro', []),
      unclaimed: await shop.buy('premium', ['pay']),
      claimed: bought,
      refunded,
      disputed,
      expired: await shop.buy('pro', ['expire']),
      failed: await shop.buy('pro', ['decline']),
      renewal,
    };
    return {
      madeAt: new Date().toISOString(),
      pepper: fixturePepper,
      keys: { issued, revoked, bought: boughtKey, rotatedOld, rotatedNew, renewed: boughtKey },
      orders,
      changeSets: { firstImport, set: setting, merge, delete: deletion, secondImport } as KnownFacts['changeSets'],
      list: list && { id: list.id, name: list.name },
      people,
    };
  } finally {
    await service.stop();
  }
}

/** What callers and data staff do with people since 1.3. */
async function meetPeople(given: {
  shop: Shop;
  indexer: (...args: string[]) => Promise<string>;
  folder: string;
  list: string;
  key: string;
}): Promise<PeopleFacts> {
  const { shop, indexer, folder, list, key } = given;
  const importPeople = async (name: string, text: string) => {
    await writeFile(join(folder, name), text);
    const source = ['--kind', 'outlet', '--source', 'press', '--json'];
    return JSON.parse(await indexer('import', join(folder, name), ...source)).import_id as string;
  };
  const october = await importPeople('october.csv', octoberPeople);
  const november = await importPeople('november.csv', novemberPeople);
  const { change_set: changed } = JSON.parse(await indexer('set', 'up-04', 'city=Nice', '--json'));
  const { id: undo } = JSON.parse(await indexer('imports', 'undo', changed, '--json'));
  const { contacts } = await shop.get('/api/v1/records/up-01', key);
  const { id: contactId } = contacts.find(({ name }: { name: string }) => name === 'Ada Stone');
  const add = [{ id: 'up-01', contact_id: contactId, note: 'met in May', status: 'contacted' }];
  await shop.post(`/api/v1/lists/${list}/records`, { add }, key);
  const { id, feed_url } = await shop.post('/api/v1/searches', { name: 'Leeds', filters: { city: 'Leeds' } }, key);
  const { api_key: programKey } = await shop.post('/api/v1/me/keys', { name: 'CRM', scopes: ['search'] }, key);
  return {
    contactId,
    changeSets: { october, november, changed, undo },
    search: { id, feed_url },
    session: await shop.signIn(key),
    programKey,
  };
}

/** Buys in the sandbox of a running service. */
class Shop {
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
  }

  async buy(tier: string, actions: readonly string[], key?: string): Promise<Purchase> {
    const { order_id, claim_token } = await this.post('/api/v1/checkout', { tier }, key);
    for (const action of actions) await this.act({ order_id, claim_token }, action);
    return { order_id, claim_token };
  }

  async act({ order_id }: Purchase, action: string): Promise<void> {
    await this.#ask(`/sandbox/${order_id}/${action}`, { method: 'POST', redirect: 'manual' });
  }

  read({ order_id, claim_token }: Purchase) {
    return this.#ask(`/api/v1/orders/${order_id}?claim_token=${claim_token}`, {});
  }

  async claim(purchase: Purchase): Promise<string> {
    const { api_key } = await this.read(purchase);
    if (typeof api_key !== 'string') throw new Error(`${purchase.order_id} gave no key`);
    return api_key;
  }

  /** Signs a browser in, and returns what its cookie holds. */
  async signIn(key: string): Promise<string> {
    const answer = await fetch(new URL('/api/v1/session', this.#url), {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Sec-Fetch-Site': 'same-origin', Origin: this.#url },
      body: JSON.stringify({ api_key: key }),
    });
    const [, session] = /session=([^;]+)/.exec(answer.headers.get('set-cookie') ?? '') ?? [];
    if (session === undefined) throw new Error(`no session: ${answer.status} ${await answer.text()}`);
    return session;
  }

  get(path: string, key: string) {
    return this.#ask(path, { headers: { Authorization: `Bearer ${key}` } });
  }

  post(path: string, body: object, key?: string) {
    const headers = { 'Content-Type': 'application/json', ...(key && { Authorization: `Bearer ${key}` }) };
    return this.#ask(path, { method: 'POST', headers, body: JSON.stringify(body) });
  }

  // biome-ignore lint/suspicious/noExplicitAny: the shapes of answers of old versions
  async #ask(path: string, request: RequestInit): Promise<any> {
    const answer = await fetch(new URL(path, this.#url), request);
    const text = await answer.text();
    if (answer.status >= 400) throw new Error(`${request.method ?? 'GET'} ${path}: ${answer.status} ${text}`);
    return answer.headers.get('content-type')?.includes('json') ? JSON.parse(text) : null;
  }
}
