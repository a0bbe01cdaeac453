import request from 'supertest';
import { describe, expect, it } from 'vitest';
import { hashApiKey } from '#accounts/api-key.ts';
import { type Needed, scopes } from '#accounts/further-key.ts';
import { createSandbox } from '#src/payments/sandbox.ts';
import { media } from '#testing/made-record.ts';
import { daysAfter } from '#text/days.ts';
import openapi from '../../docs/openapi.json' with { type: 'json' };
import { createService, pepper, publicUrl, testNow, unlimited, useService } from './test-service.ts';

/** What each operation below /api/v1 that reads a key asks of it (contract A20). */
const needed: Record<Needed, string> = {
  any: 'get, get /me, get /me/usage, get /plans',
  search: `get /search, get /contacts, get /facets, post /records/lookup, get /records/{id}, get /records/{id}/similar,
    get /searches, post /searches, delete /searches/{id}, post /searches/{id}/feed-token`,
  export: 'get /export, get /changes',
  push: 'post /export/push',
  lists: `get /lists, post /lists, get /lists/{id}, patch /lists/{id}, delete /lists/{id}, post /lists/{id}/records`,
  'own key': `get /me/keys, post /me/keys, delete /me/keys/{id}, post /me/key/rotate, get /me/sessions,
    delete /me/sessions/{id}, get /me/orders, post /checkout`,
};
const operations = Object.entries(needed).flatMap(([need, asking]) =>
  asking.split(/,\s+/).map((operation) => ({ need, operation: operation.replace(/ |$/, ' /api/v1') })),
);

/** Contract A20, "Keys". */
describe('further keys', () => {
  const { backend, service } = useService(media, { payments: createSandbox(publicUrl), now: () => now });
  let now = testNow;

  const make = (key: string, body: object = { name: 'Notebook', scopes: ['search'] }) =>
    service.post('/api/v1/me/keys', key).send(body);
  const made = async (key: string, of: readonly string[] = ['search']): Promise<string> =>
    (await make(key, { name: 'Notebook', scopes: of })).body.api_key;
  const list = async (key: string) => (await service.get('/api/v1/me/keys', key)).body.keys;
  const statusOf = async (key: string) => (await service.get('/api/v1/me', key)).status;
  const ask = (operation: string, key: string) => {
    const [method, path = ''] = operation.split(' ') as ['get' | 'post' | 'patch' | 'delete', string];
    return request(service.app)[method](path.replace('{id}', 'times')).set('Authorization', `Bearer ${key}`);
  };

  it('are given once, listed without their secret, and deleted', async () => {
    const own = await service.issueKey('premium');
    const answer = await make(own, { name: ' Notebook ', scopes: ['push', 'search', 'push'] });
    expect(service.shapeOf('POST /api/v1/me/keys').safeParse(answer.body).error).toBeUndefined();
    const { api_key: key, ...shown } = answer.body;
    expect(shown).toMatchObject({ name: 'Notebook', scopes: ['search', 'push'], key_prefix: key.slice(0, 11) });
    expect(answer.headers['cache-control']).toBe('private, no-store');
    expect(await list(own)).toEqual([shown]);
    expect([await backend.holdsText(key), service.logged.some((line) => line.includes(key))]).toEqual([false, false]);
    const account = (await service.get('/api/v1/me', own)).body;
    const expected = { ...account, key_prefix: shown.key_prefix, scopes: shown.scopes };
    expect((await service.get('/api/v1/me', key)).body).toEqual(expected);
    expect((await service.get('/api/v1/search?city=leeds', key)).body.masked).toBe(false);

    const remove = (from: string) => ask(`delete /api/v1/me/keys/${shown.id}`, from);
    expect((await remove(await service.issueKey('pro'))).body.code).toBe('not_found');
    expect((await remove(own)).body).toEqual({ deleted: true });
    expect([await statusOf(key), await list(own), (await remove(own)).status]).toEqual([401, [], 404]);
  });

  it.each(scopes)('for %s may do that, and nothing else', async (scope) => {
    const key = await made(await service.issueKey('premium'), [scope]);
    for (const { need, operation } of operations) {
      const { status, body } = await ask(operation, key);
      const isRefused = need !== 'any' && need !== scope;
      expect([operation, status === 403, body.code === 'scope_required']).toEqual([operation, isRefused, isRefused]);
    }
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'get_lists', arguments: {} } };
    const tool = await service.post('/mcp', key).set('Accept', 'application/json, text/event-stream').send(call);
    expect(tool.body.result.isError ?? false).toBe(scope !== 'lists');
  });

  it('cover every operation that reads a key', () => {
    const keyed = Object.entries(openapi.paths).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, { security }]) => (security.length === 0 ? [] : `${method} ${path}`)),
    );
    expect(operations.map(({ operation }) => operation).toSorted()).toEqual(keyed.toSorted());
  });

  it('name the scope that they lack, and sign in no browser', async () => {
    const key = await made(await service.issueKey('premium'));
    const push = await ask('post /api/v1/export/push', key);
    expect(push.headers['www-authenticate']).toBe('Bearer error="insufficient_scope", scope="push"');
    expect(push.body.detail).toContain('scope push, only search');
    const pages = { 'Sec-Fetch-Site': 'same-origin', Origin: publicUrl };
    expect((await service.post('/api/v1/session').set(pages).send({ api_key: key })).body.code).toBe('scope_required');
  });

  it('share the limit of the account', async () => {
    const limited = createService(backend, { rateLimits: { ...unlimited, pro: 2 } });
    const own = await service.issueKey('pro');
    const keys = [await made(own), await made(own), own];
    const remaining = [];
    for (const key of keys) remaining.push((await limited.get('/api/v1/me', key)).headers['ratelimit-remaining']);
    expect(remaining).toEqual(['1', '0', '0']);
    expect((await limited.get('/api/v1/me', keys[0])).status).toBe(429);
  });

  it('survive a rotation, and end with the account and its plan', async () => {
    const own = await service.issueKey('pro', 2);
    const early = await made(own);
    const { body: rotated } = await service.post('/api/v1/me/key/rotate', own).send({ overlap_hours: 0 });
    expect((await service.get('/api/v1/me', early)).body).not.toHaveProperty('old_key_expires_at');
    const late = await made(rotated.api_key);
    const prefixes = (await list(rotated.api_key)).map(({ key_prefix }: { key_prefix: string }) => key_prefix);
    expect(prefixes.toSorted()).toEqual([late, early].map((key) => key.slice(0, 11)).toSorted());
    now = new Date(daysAfter(testNow, 2));
    expect((await service.get('/api/v1/search?city=leeds', early)).body.masked).toBe(true);
    now = testNow;
    await backend.keys.change(hashApiKey(own, pepper), (key) => ({ ...key, revokedAt: now.toISOString() }));
    const ended = await service.get('/api/v1/me', early);
    expect([ended.body.code, ended.body.detail]).toEqual(['key_invalid', expect.stringMatching(/made it/)]);
    expect(await statusOf(late)).toBe(401);
  });

  it.each([
    [{ scopes: ['search'] }, 'name'],
    [{ name: 'x', scopes: [] }, 'scopes'],
    [{ name: 'x', scopes: ['serach'] }, 'scopes.0'],
  ])('are not made of %j', async (body, name) => {
    const answer = await make(await service.issueKey('pro'), body);
    expect([answer.status, answer.body.errors[0].name]).toEqual([400, name]);
  });
});
