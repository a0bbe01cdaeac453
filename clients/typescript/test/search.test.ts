import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningService, runService } from '../../../test/http/run-service.ts';
import { openEmbeddedForTest, type TestBackend } from '../../../test/support/backends.ts';
import { findFreePort } from '../../../test/support/engines/probe-engine.ts';
import { madeRecord } from '../../../test/support/made-record.ts';
import { createMasthead, type Masthead, MastheadError } from '../src/index.ts';
import { collect, failureOf } from './outcomes.ts';

const outlets = Array.from({ length: 400 }, (_, index) =>
  madeRecord({
    id: `outlet-${index}`,
    name: `Herald ${index}`,
    url: `https://herald-${index}.example/`,
    country: index < 250 ? 'US' : 'FR',
    type: index % 2 === 0 ? 'newspaper' : 'magazine',
    ...(index === 0 && { email: 'desk@herald-0.example', email_status: 'valid' as const }),
  }),
);

describe('the TypeScript client', () => {
  let backend: TestBackend;
  let service: RunningService;
  let masthead: Masthead;
  let key: string;

  beforeAll(async () => {
    backend = await openEmbeddedForTest();
    await backend.load(outlets);
    service = await runService(backend);
    key = await service.issueKey('premium');
    masthead = createMasthead({ baseUrl: service.url, apiKey: key });
  });
  afterAll(async () => {
    await service.close();
    await backend.close();
  });

  it('searches contacts, and counts them', async () => {
    const page = await masthead.searchContacts({ q: 'herald 0', has_email: true, country: ['US', 'CA'] });
    expect(page).toMatchObject({ total: 1, results: [{ contact: { kind: 'desk' }, record: { id: 'outlet-0' } }] });
    expect(await masthead.countFacets({ rows: 'contacts' })).toMatchObject({ total: 1 });
  });

  it('searches with several values, excluded ones and chosen fields', async () => {
    const page = await masthead.search({
      country: ['US', 'GB'],
      type: '!magazine',
      has_email: true,
      fields: ['name', 'email'],
      sort: 'name',
    });
    expect(page).toMatchObject({ total: 1, masked: false });
    expect(page.results).toEqual([{ id: 'outlet-0', name: 'Herald 0', email: 'desk@herald-0.example' }]);
    // @ts-expect-error: a field that was not asked for is not there.
    expect(page.results[0]?.country).toBeUndefined();
    const { kinds } = await masthead.countFacets({ country: 'US' });
    expect(kinds).toEqual([{ value: 'outlet', label: expect.any(String), count: 250 }]);
  });

  it('masks addresses without a key', async () => {
    const anyone = createMasthead({ baseUrl: service.url });
    expect((await anyone.findRecord('outlet-0')).email).toBe('d***@herald-0.example');
    expect((await masthead.findRecord('outlet-0', { fields: ['email'] })).email).toBe('desk@herald-0.example');
    expect((await anyone.findSimilar('outlet-0', { per_page: 3 })).results.length).toBeLessThanOrEqual(3);
  });

  it('iterates over every record of a search once, over all its pages', async () => {
    const ids = (await collect(masthead.searchAll({ country: 'US', fields: ['name'] }))).map(({ id }) => id);
    expect(ids).toHaveLength(250);
    expect(new Set(ids).size).toBe(250);
    expect(await collect(masthead.searchAll({ country: 'JP' }))).toEqual([]);
  });

  it('reads no page before it is needed', async () => {
    let requests = 0;
    const counted = createMasthead({
      baseUrl: service.url,
      fetch: (...given) => {
        requests += 1;
        return fetch(...given);
      },
    });
    for await (const record of counted.searchAll({ country: 'US', fields: ['id'] })) {
      if (record.id !== '') break;
    }
    expect(requests).toBe(1);
  });

  it('looks up any number of domains in the order asked, 100 a request', async () => {
    const domains = outlets.slice(0, 205).map(({ id }) => `${id.replace('outlet', 'herald')}.example`);
    const found = await collect(masthead.lookUp({ ids: ['outlet-7', 'nobody'], domains, fields: ['name'] }));
    expect(found).toHaveLength(207);
    expect(found[0]).toEqual({ asked: 'outlet-7', record: { id: 'outlet-7', name: 'Herald 7' }, matches: 1 });
    expect(found[1]).toEqual({ asked: 'nobody', record: null, matches: 0 });
    expect(found.slice(2).map(({ asked }) => asked)).toEqual(domains);
    expect(found[206]?.record?.name).toBe('Herald 204');
    const urls = ['https://herald-3.example/'];
    const emails = ['desk@herald-4.example'];
    const names = async (kind: 'outlet' | 'podcast') =>
      (await collect(masthead.lookUp({ urls, emails, kind, fields: ['name'] }))).map(
        ({ record }) => record?.name ?? null,
      );
    expect(await names('outlet')).toEqual(['Herald 3', 'Herald 4']);
    expect(await names('podcast')).toEqual([null, null]);
  });

  it('throws an error with the code, each parameter at fault and the id of the request', async () => {
    // @ts-expect-error: a compiler finds a misspelt word of a closed list.
    const error = await failureOf(masthead.search({ kind: 'outlett', country: 'Germny' }));
    expect(error).toBeInstanceOf(MastheadError);
    const { code, status, errors, requestId, message } = error as MastheadError;
    expect({ code, status }).toEqual({ code: 'invalid_request', status: 400 });
    expect(errors.map(({ name, did_you_mean }) => [name, did_you_mean])).toEqual([
      ['kind', 'outlet'],
      ['country', 'Germany'],
    ]);
    expect(message).toContain('"Germny" is not a valid country');
    expect(service.logged.some((line) => JSON.parse(line).request_id === requestId)).toBe(true);
    expect(await failureOf(masthead.findRecord('no/body?'))).toMatchObject({ code: 'not_found', status: 404 });
  });

  it('knows its account, and replaces its key while it runs', async () => {
    let current = await service.issueKey('pro');
    const rotating = createMasthead({ baseUrl: service.url, apiKey: () => current });
    const { key_prefix: before } = await rotating.readAccount();
    const { api_key: next, key_prefix: after } = await rotating.rotateKey({ overlap_hours: 1 });
    current = next;
    expect(after).not.toBe(before);
    expect(await rotating.readAccount()).toMatchObject({ plan: 'pro', key_prefix: after });
    expect(await rotating.readUsage()).toHaveLength(30);
    expect((await rotating.listPlans()).map(({ tier }) => tier)).toEqual(['pro', 'premium']);
  });

  it('never shows the key: not in an error, a URL, or when it is printed', async () => {
    const shown: string[] = [inspect(masthead, { depth: 9, showHidden: true })];
    const watched = (apiKey: string) =>
      createMasthead({
        baseUrl: service.url,
        apiKey,
        retries: 0,
        fetch: (...given) => {
          shown.push(new Request(...given).url);
          return fetch(...given);
        },
      });
    const secret = `${key.slice(0, -4)}AAAA`;
    const nowhere = createMasthead({ baseUrl: `http://127.0.0.1:${await findFreePort()}`, apiKey: key, retries: 0 });
    for (const failing of [
      () => watched(secret).readAccount(),
      () => watched(`${secret}\nx`).readAccount(),
      () => watched(`${secret}é`).readAccount(),
      () => watched(key).search({ page: 0 }),
      () => nowhere.readAccount(),
    ]) {
      const error = await failureOf(failing());
      shown.push(inspect(error, { depth: 9, showHidden: true }), JSON.stringify(error), String((error as Error).stack));
    }
    expect(shown).toHaveLength(18);
    for (const text of shown) expect(text).not.toContain(key.slice(0, -4));
  });
});

describe('createMasthead', () => {
  it.each([
    'masthead.example',
    'ftp://masthead.example',
    'https://u:secret@masthead.example',
    'https://x.example?k=secret',
  ])('refuses %s as baseUrl, without repeating it', (baseUrl) => {
    const create = () => createMasthead({ baseUrl });
    expect(create).toThrow('baseUrl must');
    expect(create).not.toThrow('secret');
  });
});
