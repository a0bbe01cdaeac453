import request from 'supertest';
import { describe, expect, it } from 'vitest';
import { media } from '#testing/made-record.ts';
import { createService, useService } from './test-service.ts';

describe('headers', () => {
  const { backend, service } = useService(media);

  const everyPath = [
    '/api/v1/search',
    '/api/v1/search?page=0',
    '/api/v1/me',
    '/api/v1/nothing',
    '/nothing',
    '/healthz',
  ];

  it.each(everyPath)('%s has its own request id, and does not reveal what runs here', async (path) => {
    const [first, second] = [await service.get(path), await service.get(path)];
    expect(first.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    expect(first.headers['x-request-id']).not.toBe(second.headers['x-request-id']);
    expect(first.headers['x-powered-by']).toBeUndefined();
  });

  it.each([...everyPath, '/', '/plans', '/docs', '/docs/errors', '/openapi.json', '/favicon.ico'])(
    '%s has every security header',
    async (path) => {
      const { headers } = await service.get(path);
      expect(headers).toMatchObject({
        'content-security-policy': expect.stringMatching(/^default-src 'none';.*frame-ancestors 'none'/),
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': path.startsWith('/api/v1/') ? 'cross-origin' : 'same-origin',
        'origin-agent-cluster': '?1',
        'referrer-policy': 'same-origin',
        'strict-transport-security': 'max-age=31536000',
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
      });
    },
  );

  it('tell browsers to use only https if callers use https', async () => {
    const plain = createService(backend, { publicUrl: 'http://masthead.example' });
    const { headers } = await plain.get('/api/v1/search');
    expect(headers['strict-transport-security']).toBeUndefined();
    expect(headers['x-frame-options']).toBe('DENY');
  });

  it.each([
    ['trace-42_A', true],
    ['a'.repeat(64), true],
    ['a'.repeat(65), false],
    ['two words', false],
    ['jane@example.org', false],
    ['"quoted"', false],
  ])('keep the request id %s: %s', async (id, isTaken) => {
    const answer = await service.get('/api/v1/search').set('X-Request-Id', id);
    expect(answer.headers['x-request-id'] === id).toBe(isTaken);
  });

  it('let searches, facets and records be revalidated, and keep everything else out of caches', async () => {
    const key = await service.issueKey('pro');
    const cacheControl = async (path: string, withKey?: string) => {
      const { headers } = await service.get(path, withKey);
      const isKept = headers.etag !== undefined;
      expect(headers.vary).toBe(isKept ? 'Authorization, Accept-Encoding' : 'Authorization');
      return [headers['cache-control'], isKept];
    };
    for (const path of ['/api/v1/search', '/api/v1/facets', '/api/v1/records/times']) {
      expect(await cacheControl(path)).toEqual(['private, no-cache', true]);
      expect(await cacheControl(path, key)).toEqual(['private, no-cache', true]);
      expect(await cacheControl(`${path}?page=0`, key)).toEqual(['private, no-store', false]);
    }
    for (const path of ['/api/v1/me', '/api/v1/records/none', '/api/v1/nothing']) {
      expect(await cacheControl(path, key)).toEqual(['private, no-store', false]);
    }
  });

  it('never lead to 304 if the answer has no ETag', async () => {
    const key = await service.issueKey('pro');
    for (const path of ['/api/v1/me', '/api/v1/plans', '/readyz']) {
      const answer = await service
        .get(path, key)
        .set('If-None-Match', '*')
        .set('If-Modified-Since', new Date().toUTCString());
      expect(answer.status, path).toBe(200);
      expect(answer.text.length).toBeGreaterThan(2);
    }
  });

  it('let pages of any origin read, and expose the headers', async () => {
    const answer = await service.get('/api/v1/search').set('Origin', 'https://anywhere.example');
    expect(answer.headers['access-control-allow-origin']).toBe('*');
    const exposed = (answer.headers['access-control-expose-headers'] ?? '').split(',');
    expect(exposed).toEqual(
      expect.arrayContaining(['ETag', 'Link', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset']),
    );
    expect(exposed).toEqual(expect.arrayContaining(['RateLimit', 'RateLimit-Policy', 'WWW-Authenticate']));
    expect(exposed).toEqual(
      expect.arrayContaining(['Retry-After', 'X-Request-Id', 'X-Total-Count', 'Content-Disposition']),
    );
    expect(answer.headers['access-control-allow-credentials']).toBeUndefined();
  });

  it('answer a preflight with 204 and allow the key', async () => {
    for (const path of ['/api/v1/search', '/api/v1/me', '/api/v1/nothing']) {
      const answer = await request(service.app)
        .options(path)
        .set({ Origin: 'https://anywhere.example', 'Access-Control-Request-Method': 'GET' });
      expect(answer.status).toBe(204);
      expect(answer.text).toBe('');
      expect(answer.headers['access-control-allow-headers']).toContain('Authorization');
      expect(answer.headers['access-control-allow-methods']).toContain('GET');
      expect(answer.headers['x-request-id']).toBeDefined();
    }
  });

  it('the log has one line per request, with its pattern and result', async () => {
    const log = createService(backend);
    const key = await log.issueKey('pro');
    await log.get('/api/v1/search?q=jane%40example.org&city=leeds', key).set('X-Request-Id', 'one');
    await log.get('/api/v1/records/jane%40example.org').set('X-Request-Id', 'two');
    await log.get('/api/v1/me').set('X-Request-Id', 'three');
    await log.get('/secret/path').set('X-Request-Id', 'four');
    expect(log.logged.map((line) => JSON.parse(line))).toMatchObject([
      { request_id: 'one', method: 'GET', route: '/api/v1/search', status: 200, ms: expect.any(Number) },
      { request_id: 'two', method: 'GET', route: '/api/v1/records/:id', status: 404 },
      { request_id: 'three', route: '/api/v1/me', status: 401 },
      { request_id: 'four', route: null, status: 404 },
    ]);
    await log.get('/readyz');
    expect(JSON.parse(log.logged.at(-1) ?? '')).toMatchObject({ level: 'debug', route: '/readyz' });
    expect(log.logged.join('')).not.toMatch(/jane|leeds|secret|127\.0\.0\.1/);
    expect(log.logged.join('')).not.toContain(key.slice(0, 11));
  });
});
