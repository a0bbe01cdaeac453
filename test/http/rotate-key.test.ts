import { describe, expect, it } from 'vitest';
import { testNow, useService } from './test-service.ts';

describe('POST /me/key/rotate', () => {
  const { service } = useService([], { now: () => now });
  let now = testNow;

  const rotate = (key: string, body: object = {}) => service.post('/api/v1/me/key/rotate', key).send(body);
  const statusOf = async (key: string) => (await service.get('/api/v1/me', key)).status;
  const hoursLater = (hours: number) => new Date(testNow.getTime() + hours * 60 * 60 * 1000);
  const at = async <Result>(moment: Date, work: () => Promise<Result>) => {
    now = moment;
    try {
      return await work();
    } finally {
      now = testNow;
    }
  };

  it('returns a new key once for the same plan, and lets the old one go on for 24 hours', async () => {
    const old = await service.issueKey('premium');
    const answer = await rotate(old);
    expect(answer.status).toBe(200);
    expect(service.shapeOf('POST /api/v1/me/key/rotate').safeParse(answer.body).error).toBeUndefined();
    expect(Object.keys(answer.body)).toEqual(['api_key', 'key_prefix', 'old_key_expires_at']);
    expect(answer.headers['cache-control']).toBe('private, no-store');
    const { api_key: next, key_prefix, old_key_expires_at } = answer.body;
    expect(key_prefix).toBe(next.slice(0, 11));
    expect(old_key_expires_at).toBe(hoursLater(24).toISOString());

    const account = await service.get('/api/v1/me', next);
    expect(account.body).toMatchObject({ plan: 'premium', status: 'active', key_prefix });
    expect(account.body).not.toHaveProperty('old_key_expires_at');
    const { body: underOld } = await service.get('/api/v1/me', old);
    expect(underOld).toEqual({ ...account.body, key_prefix: old.slice(0, 11), old_key_expires_at });
    expect(service.shapeOf('GET /api/v1/me').safeParse(underOld).error).toBeUndefined();
    expect(await at(new Date(hoursLater(24).getTime() - 1), () => statusOf(old))).toBe(200);
    const ended = await at(hoursLater(24), () => service.get('/api/v1/me', old));
    expect([ended.status, ended.body.code]).toEqual([401, 'key_invalid']);
    expect(ended.body.detail).toMatch(/replaced/);
    expect(await at(hoursLater(24), () => statusOf(next))).toBe(200);
  });

  it('ends the old key at once if asked to', async () => {
    const old = await service.issueKey('pro');
    const { body } = await rotate(old, { overlap_hours: 0 });
    expect(body.old_key_expires_at).toBe(testNow.toISOString());
    expect([await statusOf(old), await statusOf(body.api_key)]).toEqual([401, 200]);
  });

  it('ends the earlier new key if the old one is rotated again, and never puts off its end', async () => {
    const old = await service.issueKey('pro');
    const lost = (await rotate(old, { overlap_hours: 10 })).body;
    const kept = (await rotate(old, { overlap_hours: 72 })).body;
    expect(kept.old_key_expires_at).toBe(lost.old_key_expires_at);
    expect([await statusOf(old), await statusOf(lost.api_key), await statusOf(kept.api_key)]).toEqual([200, 401, 200]);
    const sooner = (await rotate(old, { overlap_hours: 1 })).body;
    expect(sooner.old_key_expires_at).toBe(hoursLater(1).toISOString());
  });

  it('keeps two keys at most: rotating the new one ends it at once, and the oldest goes on as long as promised', async () => {
    const first = await service.issueKey('pro');
    const promised = (await rotate(first, { overlap_hours: 10 })).body;
    const again = (await rotate(promised.api_key, { overlap_hours: 72 })).body;
    const keys = [first, promised.api_key, again.api_key];
    const statuses = async () => [await statusOf(keys[0]), await statusOf(keys[1]), await statusOf(keys[2])];
    expect(again.old_key_expires_at).toBe(testNow.toISOString());
    expect(await statuses()).toEqual([200, 401, 200]);
    expect(await at(hoursLater(10), statuses)).toEqual([401, 401, 200]);
  });

  it('ends both keys at once where the new one is sent without an overlap, because one of them leaked', async () => {
    const leaked = await service.issueKey('pro');
    const second = (await rotate(leaked, { overlap_hours: 10 })).body.api_key;
    const third = (await rotate(second, { overlap_hours: 0 })).body.api_key;
    expect([await statusOf(leaked), await statusOf(second), await statusOf(third)]).toEqual([401, 401, 200]);
  });

  it('takes no body for {}, but a body only as JSON', async () => {
    const url = '/api/v1/me/key/rotate';
    const key = await service.issueKey('pro');
    for (const headers of [{}, { 'Content-Length': '0' }, { 'Content-Type': 'application/json' }]) {
      const empty = await service.post(url, key).set(headers);
      expect([empty.status, empty.body.old_key_expires_at]).toEqual([200, hoursLater(24).toISOString()]);
    }
    const form = await service.post(url, key).send('overlap_hours=0');
    expect([form.status, form.body.code]).toEqual([415, 'unsupported_media_type']);
    expect((await service.post('/api/v1/checkout')).status).toBe(415);
  });

  it('works with an expired plan, which stays expired', async () => {
    const { body, status } = await rotate(await service.issueKey('pro', -1));
    expect(status).toBe(200);
    expect((await service.get('/api/v1/me', body.api_key)).body).toMatchObject({ status: 'expired' });
  });

  it.each([
    [{ overlap_hours: -1 }],
    [{ overlap_hours: 73 }],
    [{ overlap_hours: 1.5 }],
    [{ overlap_hours: '24' }],
    [{ hours: 1 }],
    [[]],
  ])('refuses %j and changes nothing', async (body) => {
    const key = await service.issueKey('pro');
    const answer = await rotate(key, body);
    expect([answer.status, answer.body.code]).toEqual([400, 'invalid_request']);
    expect((await service.get('/api/v1/me', key)).body.key_prefix).toBe(key.slice(0, 11));
  });
});
