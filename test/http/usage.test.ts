import request from 'supertest';
import { describe, expect, it } from 'vitest';
import { media } from '#testing/made-record.ts';
import { createService, unlimited, useService } from './test-service.ts';

describe('GET /me/usage', () => {
  const { backend, service } = useService(media);

  const today = async (key: string, from = service) => (await from.get('/api/v1/me/usage', key)).body.days.at(-1);

  it('shows thirty days, the oldest first, with every request up to this one', async () => {
    const key = await service.issueKey('pro');
    await service.get('/api/v1/search', key);
    await service.get('/api/v1/search?page=0', key);
    const answer = await service.get('/api/v1/me/usage', key);
    expect(answer.status).toBe(200);
    expect(service.shapeOf('GET /api/v1/me/usage').safeParse(answer.body).error).toBeUndefined();
    expect(answer.body.days).toHaveLength(30);
    expect(answer.body.days[0]).toEqual({ date: '2026-10-23', requests: 0, exported_rows: 0, pushed_leads: 0 });
    expect(answer.headers).toMatchObject({ 'content-encoding': 'gzip', 'cache-control': 'private, no-store' });
    expect(answer.body.days[29]).toEqual({ date: '2026-11-21', requests: 3, exported_rows: 0, pushed_leads: 0 });
  });

  it('counts the rows of exports, and none for a HEAD', async () => {
    const key = await service.issueKey('premium');
    const file = await service.get('/api/v1/export', key);
    const rows = Number(file.headers['x-total-count']);
    expect(rows).toBeGreaterThan(1);
    await request(service.app).head('/api/v1/export').set('Authorization', `Bearer ${key}`);
    expect(await today(key)).toMatchObject({ requests: 3, exported_rows: rows });
  });

  it('leaves out requests over the limit, and is open to expired plans', async () => {
    const limited = createService(backend, { rateLimits: { ...unlimited, anonymous: 2 } });
    const key = await limited.issueKey('pro', -1);
    await limited.get('/api/v1/search', key);
    expect(await today(key, limited)).toMatchObject({ requests: 2 });
    expect((await limited.get('/api/v1/search', key)).status).toBe(429);
    expect(await today(key)).toMatchObject({ requests: 3 });
  });
});
