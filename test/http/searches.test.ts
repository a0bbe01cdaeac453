import request from 'supertest';
import { describe, expect, it } from 'vitest';
import { searchesAnswer } from '#http/api/searches.ts';
import { readCases } from '#testing/cases.ts';
import { madeContact } from '#testing/made-contact.ts';
import { madeRecord } from '#testing/made-record.ts';
import { publicUrl, testNow, useService } from './test-service.ts';

const leeds = (id: string, values: object = {}) => madeRecord({ id, name: id, city: 'Leeds', ...values });

/** Contract A20, "Saved searches", over HTTP; what a feed has is in test/contract/saved-searches.test.ts. */
describe('/searches', () => {
  const { backend, service, keys } = useService([leeds('old')]);
  const post = (body: object, key: string) => service.post('/api/v1/searches', key).send(body);
  const remove = (id: string, key: string) =>
    request(service.app).delete(`/api/v1/searches/${id}`).set('Authorization', `Bearer ${key}`);
  const pathOf = (feedUrl: string) => feedUrl.replace(publicUrl, '');
  const save = async (filters: object, key = keys.pro, name = 'Leeds') => (await post({ name, filters }, key)).body;

  it('are saved, listed by name and deleted, by their own account alone', async () => {
    const one = await save({ city: ['Leeds', 'York'], has_email: true, q: ' Daily ' }, keys.premium, ' Dailies ');
    expect(one).toMatchObject({ name: 'Dailies', filters: { q: 'Daily', has_email: 'true', city: 'Leeds|York' } });
    expect(Object.keys(one)).toEqual(['id', 'name', 'filters', 'created_at', 'feed_url']);
    expect(one.created_at).toBe(testNow.toISOString());
    expect((await save({ list: '!lst_1' })).code).toBe('not_found');
    const other = await save({}, keys.premium, 'All');
    const all = await service.get('/api/v1/searches', keys.premium);
    expect(searchesAnswer.parse(all.body)).toEqual({ searches: [other, one] });
    expect((await service.get('/api/v1/searches', keys.pro)).body).toEqual({ searches: [] });
    expect((await remove(one.id, keys.pro)).body.code).toBe('not_found');
    expect((await remove(one.id, keys.premium)).body).toEqual({ deleted: true });
    expect((await service.get(pathOf(one.feed_url))).status).toBe(404);
    expect((await service.get('/api/v1/searches')).status).toBe(401);
  });

  it.each(readCases<[body: object, name: string, code: string]>(new URL('refused-searches.tsv', import.meta.url)))(
    '%o is 400',
    async (body, name, code) => {
      const { status, body: problem } = await post(body, keys.pro);
      expect([status, problem.errors[0].name, problem.errors[0].code]).toEqual([400, name, code]);
    },
  );

  it('are at most 100 of an account', async () => {
    const key = await service.issueKey('pro');
    for (let count = 0; count < 100; count += 1) await save({ city: 'Leeds' }, key);
    const oneMore = await post({ name: 'One more', filters: {} }, key);
    expect([oneMore.status, oneMore.body.code]).toEqual([422, 'too_many_searches']);
    expect((await service.get('/api/v1/searches', key)).body.searches).toHaveLength(100);
  });

  it('have a feed that reads as Atom, masked, with an ETag, for whoever has its URL', async () => {
    const { id, feed_url: url } = await save({ city: 'Leeds' });
    const contacts = [madeContact({ id: 'ann', name: 'Ann Roe', email: 'ann@new.example' })];
    await backend.load([leeds('new', { name: 'News & <Views>\u0000', contacts })]);
    const feed = await service.get(pathOf(url));
    expect([feed.status, feed.headers['content-type']]).toEqual([200, 'application/atom+xml']);
    const text = feed.text;
    expect(text).toContain(`<id>tag:masthead.example,2026:searches/${id}</id>\n<title>Leeds</title>`);
    expect(text).toContain(
      '<entry>\n<id>tag:masthead.example,2026:media/new</id>\n<title>News &amp; &lt;Views&gt;</title>\n' +
        '<link rel="alternate" type="text/html" href="https://masthead.example/media/new"/>',
    );
    expect(text).toContain('Ann Roe, a***@new.example');
    expect(text).not.toContain('ann@new.example');
    expect(text.match(/<entry>/g)).toHaveLength(1);
    const etag = feed.headers.etag ?? '';
    expect((await service.get(pathOf(url)).set('If-None-Match', etag)).status).toBe(304);
    await backend.records.remove(['new']);
    const later = await service.get(pathOf(url)).set('If-None-Match', etag);
    expect([later.status, later.text.includes('<entry>')]).toEqual([200, false]);
  });

  it('have a token that opens their feed alone, until another one is made, and is in no log', async () => {
    const one = await save({ city: 'Leeds' });
    const two = await save({ city: 'York' });
    const [token = '', other = ''] = [one, two].map(({ feed_url }) => feed_url.split('token=')[1]);
    const feed = (text: string) => service.get(`/api/v1/searches/${one.id}/feed${text}`);
    for (const text of ['', '?token=', `?token=${other}`, `?token=${token}x`]) {
      const { status, body } = await feed(text);
      expect([status, body.code]).toEqual([404, 'not_found']);
      expect(JSON.stringify(body)).not.toContain(token);
    }
    expect((await feed(`?tokn=${token}`)).body.code).toBe('invalid_request');
    expect((await service.get('/api/v1/searches', token)).status).toBe(401);
    const replaced = await service.post(`/api/v1/searches/${one.id}/feed-token`, keys.pro);
    expect(replaced.body).toMatchObject({ id: one.id, name: 'Leeds' });
    expect((await feed(`?token=${token}`)).status).toBe(404);
    // A key is not looked at, so a wrong one does no harm.
    expect((await service.get(pathOf(replaced.body.feed_url), 'mh_wrong')).status).toBe(200);
    expect((await service.post(`/api/v1/searches/${one.id}/feed-token`, keys.premium)).status).toBe(404);
    expect(service.logged.join('')).not.toContain(token);
    expect(await backend.holdsText(token)).toBe(false);
  });

  it('can be read and deleted with an expired plan, whose feed says so; a revoked key ends it', async () => {
    const { keys: stored } = backend;
    const key = await service.issueKey('pro');
    const { id, feed_url: url } = await save({ city: 'Leeds' }, key);
    const [held] = (await stored.list('')).filter(({ prefix }) => key.startsWith(prefix));
    await stored.change(held?.hash ?? '', (one) => ({
      ...one,
      plan: { ...one.plan, expiresAt: testNow.toISOString() },
    }));
    expect((await service.get(pathOf(url))).text).toContain('<subtitle>Your plan ended at 2026-11-21T12:00:00.000Z');
    expect((await post({ name: 'Leeds', filters: {} }, key)).body.code).toBe('plan_expired');
    expect((await service.post(`/api/v1/searches/${id}/feed-token`, key)).body.code).toBe('plan_expired');
    expect((await service.get('/api/v1/searches', key)).body.searches).toHaveLength(1);
    expect((await remove(id, key)).status).toBe(200);
    const revoked = await service.issueKey('pro');
    const ended = await save({}, revoked);
    await service.revoke(revoked);
    expect((await service.get(pathOf(ended.feed_url))).status).toBe(404);
  });
});
