import request from 'supertest';
import { describe, expect, it } from 'vitest';
import { media } from '#testing/made-record.ts';
import { createService, publicUrl, testNow, unlimited, useService } from './test-service.ts';

const own = { 'Sec-Fetch-Site': 'same-origin', Origin: publicUrl };
const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

/** Contract A16, "Sessions for pages". */
describe('sessions of pages', () => {
  const { backend, service } = useService(media);

  const signIn = (api_key: string, headers: Record<string, string> = own, from = service) =>
    request(from.app).post('/api/v1/session').set('User-Agent', agent).set(headers).send({ api_key });
  const cookieOf = (answer: request.Response) => answer.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
  const masked = async (cookie: string, headers: Record<string, string> = own, from = service) =>
    (await request(from.app).get('/api/v1/search').set('Cookie', cookie).set(headers)).body.masked;

  it('stand for the key in a cookie that no script and no other site can use', async () => {
    const key = await service.issueKey('pro');
    const answer = await signIn(key);
    expect(service.shapeOf('POST /api/v1/session').safeParse(answer.body).error).toBeUndefined();
    expect(answer.body).toMatchObject({ browser: 'Firefox on Linux', current: true });
    expect(answer.headers['set-cookie']).toEqual([
      expect.stringMatching(
        /^__Host-masthead_session=[\w-]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax; Secure$/,
      ),
    ]);
    const cookie = cookieOf(answer);
    expect(await masked(cookie)).toBe(false);
    expect(await backend.holdsText(cookie.split('=')[1] ?? '')).toBe(false);
    const plain = await signIn(key, own, createService(backend, { publicUrl: 'http://127.0.0.1:3000' }));
    expect(plain.status).toBe(403);
  });

  it('count for the pages of the service alone, on every method', async () => {
    const cookie = cookieOf(await signIn(await service.issueKey('pro')));
    const strangers: Record<string, string>[] = [
      {},
      { 'Sec-Fetch-Site': 'none' },
      { 'Sec-Fetch-Site': 'cross-site' },
      { 'Sec-Fetch-Site': 'same-site', Origin: 'https://sub.masthead.example' },
      { 'Sec-Fetch-Site': 'same-origin', Origin: 'https://evil.example' },
      { Origin: 'null' },
      { Origin: 'https://evil.example' },
      { Origin: 'http://masthead.example' },
    ];
    for (const headers of strangers) {
      expect(await masked(cookie, headers), JSON.stringify(headers)).toBe(true);
      const write = request(service.app).post('/api/v1/lists').set('Cookie', cookie).set(headers).send({ name: 'x' });
      expect((await write).status, JSON.stringify(headers)).toBe(401);
      const end = request(service.app).delete('/api/v1/session').set('Cookie', cookie).set(headers);
      expect((await end).body.code).toBe('origin_not_allowed');
      expect((await signIn('mh_x', headers)).body.code).toBe('origin_not_allowed');
    }
    expect(await masked(cookie, { 'Sec-Fetch-Site': 'same-origin' })).toBe(false);
    expect(await masked(cookie, { Origin: publicUrl })).toBe(false);
  });

  it('give way to the header Authorization', async () => {
    const cookie = cookieOf(await signIn(await service.issueKey('pro')));
    const expired = await service.issueKey('premium', -1);
    const answer = await service.get('/api/v1/me', expired).set('Cookie', cookie).set(own);
    expect(answer.body).toMatchObject({ plan: 'premium', status: 'expired' });
    expect((await service.get('/api/v1/search', 'mh_wrong').set('Cookie', cookie).set(own)).status).toBe(401);
  });

  it('end by signing out, from /account, with the secret, with the key and after thirty days', async () => {
    const key = await service.issueKey('pro');
    const [one = '', two = '', three = ''] = (await Promise.all([1, 2, 3].map(() => signIn(key)))).map(cookieOf);
    const out = await request(service.app).delete('/api/v1/session').set('Cookie', one).set(own);
    expect(out.headers['set-cookie']?.[0]).toContain('Max-Age=0');
    expect(await masked(one)).toBe(true);

    const asked = () => request(service.app).get('/api/v1/me/sessions').set('Cookie', two).set(own);
    const { body } = await asked();
    expect(service.shapeOf('GET /api/v1/me/sessions').safeParse(body).error).toBeUndefined();
    expect(body.sessions.map(({ current }: { current: boolean }) => current).toSorted()).toEqual([false, true]);
    const other = body.sessions.find(({ current }: { current: boolean }) => !current);
    const end = () => request(service.app).delete(`/api/v1/me/sessions/${other.id}`).set('Cookie', two).set(own);
    expect((await end()).status).toBe(200);
    expect((await end()).status).toBe(404);
    expect(await masked(three)).toBe(true);

    const later = createService(backend, { now: () => new Date(testNow.getTime() + 30 * 24 * 3600_000 + 1) });
    expect(await masked(two, own, later)).toBe(true);
    expect((await asked()).status).toBe(200);
    const rotate = service.get('/api/v1/me', key);
    expect((await rotate).status).toBe(200);
    await request(service.app).post('/api/v1/me/key/rotate').set('Cookie', two).set(own).send({ overlap_hours: 0 });
    expect((await asked()).body.code).toBe('key_missing');

    const revoked = await service.issueKey('pro');
    const replaced = cookieOf(await signIn(revoked));
    const last = cookieOf(await signIn(revoked, { ...own, Cookie: replaced }));
    expect([await masked(replaced), await masked(last)]).toEqual([true, false]);
    await service.revoke(revoked);
    expect(await masked(last)).toBe(true);
  });

  it('start with a key that exists, whose guesses are counted', async () => {
    const limited = createService(backend, { rateLimits: { ...unlimited, anonymous: 3 } });
    const unknown = await service.issueKey('pro');
    await service.revoke(unknown);
    expect((await signIn('mh_wrong', own, limited)).body.code).toBe('key_invalid');
    expect((await signIn(unknown, own, limited)).body.code).toBe('key_invalid');
    expect((await signIn('', own)).body.code).toBe('key_invalid');
    expect((await signIn(await service.issueKey('pro', -1))).status).toBe(200);
  });

  describe('codes for another device', () => {
    const ask = (path: string, body: object, { key = '', headers = own, from = service } = {}) =>
      request(from.app)
        .post(`/api/v1/session/${path}`)
        .set({ ...headers, ...(key !== '' && { Authorization: `Bearer ${key}` }) })
        .send(body);
    const codeFor = async (key: string): Promise<string> => (await ask('code', {}, { key })).body.code;
    const refused = { code: 'code_invalid', status: 422 };

    it('sign it in once, without a key, also under a plan that has ended', async () => {
      const key = await service.issueKey('pro', -1);
      const made = await ask('code', {}, { key });
      expect(service.shapeOf('POST /api/v1/session/code').safeParse(made.body).error).toBeUndefined();
      const { code, expires_at } = made.body;
      expect([code, expires_at]).toEqual([expect.stringMatching(/^\w{5}-\w{5}$/), '2026-11-21T12:10:00.000Z']);
      for (const stored of [code, code.replace('-', '')]) expect(await backend.holdsText(stored)).toBe(false);
      const answer = await ask('redeem', { code });
      expect(service.shapeOf('POST /api/v1/session/redeem').safeParse(answer.body).error).toBeUndefined();
      const read = request(service.app).get('/api/v1/me').set('Cookie', cookieOf(answer)).set(own);
      expect((await read).body).toMatchObject({ status: 'expired', key_prefix: key.slice(0, 11) });
      expect((await ask('redeem', { code })).body).toMatchObject(refused);
    });

    it('are made and used by pages of the service alone, under a key with every scope', async () => {
      const key = await service.issueKey('pro');
      const strange = { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example' };
      for (const path of ['code', 'redeem']) {
        expect((await ask(path, { code: 'x' }, { key, headers: strange })).body.code).toBe('origin_not_allowed');
      }
      expect((await ask('code', {})).body.code).toBe('key_missing');
      const body = { name: 'Notebook', scopes: ['lists'] };
      const { api_key: further } = (await service.post('/api/v1/me/keys', key).send(body)).body;
      expect((await ask('code', {}, { key: further })).body.code).toBe('scope_required');
    });

    it('end with the key, say nothing about others, and are tried as often as orders are read', async () => {
      const key = await service.issueKey('pro');
      const code = await codeFor(key);
      await service.revoke(key);
      const guesses = [
        code,
        'K7QMA-2XPD9',
        `${(await codeFor(await service.issueKey('pro'))).slice(0, 6)}00000`,
        '',
        '…',
      ];
      const limited = createService(backend, { rateLimits: { ...unlimited, checkout: guesses.length } });
      const answers = await Promise.all(guesses.map((guess) => ask('redeem', { code: guess }, { from: limited })));
      expect(answers.map(({ body }) => body)).toEqual(answers.map(() => expect.objectContaining(refused)));
      const details = new Set(answers.map(({ body }) => body.detail));
      expect([...details]).toEqual([expect.stringContaining('10 minutes (in a mail 15) and 5 tries')]);
      expect((await ask('redeem', { code: 'x' }, { from: limited })).status).toBe(429);
      expect(limited.logged.join('')).not.toContain(code);
    });
  });
});
