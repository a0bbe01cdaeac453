import request from 'supertest';
import { describe, expect, it } from 'vitest';
import { problems } from '#src/problem.ts';
import { media } from '#testing/made-record.ts';
import { createService, publicUrl, useService } from './test-service.ts';

describe('an error', () => {
  const { backend, service } = useService(media);

  it.each([
    ['/api/v1/search?page=0', 'invalid_request'],
    ['/api/v1/search?page=101&per_page=100', 'page_too_deep'],
    ['/api/v1/me', 'key_missing'],
    ['/api/v1/records/none', 'not_found'],
    ['/api/v2', 'not_found'],
    ['/api/v1/Search', 'not_found'],
    ['/nothing', 'not_found'],
    ['/api/v1/records/%zz', 'invalid_request'],
    ['/api/v1/records/%ff', 'invalid_request'],
  ] as const)('%s is %s, as application/problem+json with every key in order', async (path, code) => {
    const answer = await service.get(path);
    const { status, title } = problems[code];
    expect(answer.status).toBe(status);
    expect(answer.headers['content-type']).toMatch(/^application\/problem\+json/);
    expect(Object.keys(JSON.parse(answer.text)).slice(0, 7)).toEqual([
      ...['type', 'title', 'status', 'code', 'detail', 'instance', 'request_id'],
    ]);
    expect(answer.body).toMatchObject({
      type: `${publicUrl}/docs/errors#${code}`,
      title,
      status,
      code,
      instance: path.split('?')[0],
      request_id: answer.headers['x-request-id'],
    });
    expect('errors' in answer.body).toBe(status === 400);
  });

  it('says that a body in Latin-1 is not UTF-8, instead of losing its letters', async () => {
    const body = Buffer.from('{"names":["El País"]}', 'latin1');
    const { status, body: problem } = await request(service.app)
      .post('/api/v1/records/lookup')
      .set('Content-Type', 'application/json')
      .serialize((bytes) => bytes)
      .send(body);
    const message = 'The body must be a JSON object, in valid UTF-8.';
    expect({ status, errors: problem.errors }).toMatchObject({ status: 400, errors: [{ code: 'not_json', message }] });
  });

  it.each(['/nope', '/docs/deep/er', '/media/'])('is a page for a browser outside the API: %s', async (path) => {
    const accept = 'text/html,application/xhtml+xml,*/*;q=0.8';
    const page = await service.get(path).set('Accept', accept);
    expect(page.status).toBe(404);
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(page.text).toContain('<h1>Not found</h1>');
    const [, sheet = ''] = /rel="stylesheet" href="([^"]+)"/.exec(page.text) ?? [];
    const { pathname } = new URL(sheet, `http://127.0.0.1${path}`);
    expect((await service.get(pathname)).status).toBe(200);
    for (const asked of ['*/*', 'application/json']) {
      expect((await service.get(path).set('Accept', asked)).type).toBe('application/problem+json');
    }
    expect((await service.get(`/api/v1${path}`).set('Accept', accept)).type).toBe('application/problem+json');
    const { headers, type, status } = await request(service.app).post('/plans').set('Accept', accept);
    expect({ status, type, allow: headers.allow }).toEqual({ status: 405, type: 'text/html', allow: 'GET, HEAD' });
  });

  it('for a plan that does not allow something names the page that sells plans, and the list of plans', async () => {
    for (const [key, path] of [
      [await service.issueKey('pro'), '/api/v1/export?kind=podcast'],
      [await service.issueKey('premium', -1), '/api/v1/export'],
    ] as const) {
      const { status, body } = await service.get(path, key);
      expect(status).toBe(403);
      expect(body).toMatchObject({ buy_url: `${publicUrl}/plans`, plans_url: `${publicUrl}/api/v1/plans` });
      expect((await service.get(new URL(body.buy_url).pathname)).headers['content-type']).toMatch(/^text\/html/);
    }
  });

  it('names every invalid parameter, with what to use', async () => {
    const { body } = await service.get(
      '/api/v1/search?knd=x&kind=outlt&type=!newspapr&page=1&page=2&per_page=0&named=2',
    );
    expect(body.code).toBe('invalid_request');
    expect(body.errors).toMatchObject([
      { in: 'query', name: 'knd', code: 'unknown_parameter', did_you_mean: 'kind' },
      { in: 'query', name: 'page', code: 'repeated' },
      { name: 'kind', code: 'unknown_value', allowed: ['outlet', 'podcast', 'newsletter'], did_you_mean: 'outlet' },
      { name: 'type', code: 'unknown_value', did_you_mean: 'newspaper' },
      { name: 'named', code: 'unknown_value', allowed: ['0', '1', 'true', 'false'] },
      { name: 'per_page', code: 'out_of_range' },
    ]);
    for (const error of body.errors) {
      expect(Object.keys(error).slice(0, 4)).toEqual(['in', 'name', 'code', 'message']);
    }
  });

  const post = (path: string, key: string, body: string) =>
    request(service.app)
      .post(path)
      .set({ Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' })
      .send(body);
  const pushBody = { tool: 'smartlead', api_key: 'key', campaign_id: '1' };
  const fieldsOf = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}`, 'x']));

  it('lists at most 20 errors, and how many more there are', async () => {
    const premium = await service.issueKey('premium');
    const answers = [
      [await service.get(`/api/v1/search?${new URLSearchParams(fieldsOf(61))}`), 61, 'unknown_parameter'],
      [await service.get(`/api/v1/search?kind=${Array(100).fill('outlt').join('|')}`), 100, 'unknown_value'],
      [await service.get(`/api/v1/export?${new URLSearchParams(fieldsOf(21))}`, premium), 21, 'unknown_parameter'],
      [await post('/api/v1/checkout', premium, JSON.stringify({ tier: 'pro', ...fieldsOf(40) })), 40, 'unknown_field'],
      [
        await post('/api/v1/export/push', premium, JSON.stringify({ ...pushBody, filters: fieldsOf(5_000) })),
        5_000,
        'unknown_parameter',
      ],
    ] as const;
    for (const [{ status, body }, count, code] of answers) {
      expect(status).toBe(400);
      expect(body.errors).toHaveLength(20);
      expect(body.errors.every((error: { code: string }) => error.code === code)).toBe(true);
      expect(body.more_errors).toBe(count - 20);
      expect(body.detail).toMatch(count === 21 ? /One more error is/ : new RegExp(`${count - 20} more errors are`));
    }
    const { body } = await service.get(`/api/v1/search?${new URLSearchParams(fieldsOf(20))}`);
    expect(body.errors).toHaveLength(20);
    expect('more_errors' in body).toBe(false);
    expect(body.detail).not.toContain('more');
  });

  it.each([
    ['/api/v1/checkout', '{"__proto__":{"tier":"pro"}}', '__proto__', 'unknown_field'],
    ['/api/v1/checkout', '{"tier":{"toString":1,"valueOf":1}}', 'tier', 'unknown_value'],
    ['/api/v1/export/push', '{"filters":{"constructor":"US"}}', 'filters.constructor', 'unknown_parameter'],
  ])("refuses what an object's prototype would answer to: %s %s", async (path, body, name, code) => {
    const premium = await service.issueKey('premium');
    const complete = path.endsWith('push')
      ? body.replace(/^\{/, '{"tool":"smartlead","api_key":"key","campaign_id":"1",')
      : body;
    const answer = await post(path, premium, complete);
    expect(answer.status).toBe(400);
    expect(answer.body.errors).toContainEqual(expect.objectContaining({ in: 'body', name, code }));
  });

  it.each(['post', 'put', 'patch', 'delete'] as const)('answers %s with 405 and allowed methods', async (method) => {
    for (const path of ['/api/v1/search', '/api/v1/facets', '/api/v1/records/times', '/api/v1/me']) {
      const answer = await request(service.app)[method](path).send({ any: 'body' });
      expect(answer.status).toBe(405);
      expect(answer.body.code).toBe('method_not_allowed');
      expect(answer.headers.allow).toBe('GET, HEAD, OPTIONS');
    }
    const health = await request(service.app)[method]('/healthz');
    expect(health.headers.allow).toBe('GET, HEAD');
  });

  it('of our own does not show its cause, which is logged under the request id', async () => {
    const broken = createService(backend, {
      now: () => {
        throw new Error(`reading failed for adaquill7@harbour-times.example with ${key}`);
      },
    });
    const key = await service.issueKey('pro');
    const answer = await broken.get('/api/v1/search?q=a+typed+question');
    expect(answer.status).toBe(500);
    expect(answer.body.code).toBe('internal');
    expect(answer.text).not.toMatch(/reading failed|adaquill|\.ts|at /);
    const line = broken.logged.find((logged) => logged.includes('reading failed')) ?? '{}';
    expect(JSON.parse(line)).toMatchObject({ level: 'error', request_id: answer.headers['x-request-id'] });
    expect(broken.logged.join('')).not.toMatch(/adaquill|a typed question/);
    expect(broken.logged.join('')).not.toContain(key);
  });
});
