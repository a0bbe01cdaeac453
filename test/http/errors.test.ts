import request from 'supertest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { problems } from '#domain/problem.ts';
import { type TestBackend, testBackends } from '#test/backends.ts';
import { media } from './media.ts';
import { createService, publicUrl, type TestService } from './test-service.ts';

describe.each(testBackends)('an error, $name', ({ open }) => {
  let backend: TestBackend;
  let service: TestService;

  beforeAll(async () => {
    backend = await open();
    await backend.load(media);
    service = createService(backend);
  });
  afterAll(() => backend.close());

  it.each([
    ['/api/v1/search?page=0', 'invalid_request'],
    ['/api/v1/search?page=101&per_page=100', 'page_too_deep'],
    ['/api/v1/me', 'key_missing'],
    ['/api/v1/records/none', 'not_found'],
    ['/api/v1', 'not_found'],
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
      'type',
      'title',
      'status',
      'code',
      'detail',
      'instance',
      'request_id',
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

  it('has a type that leads to what it means, for every code', async () => {
    const { body } = await service.get('/api/v1/nothing');
    const { pathname, hash } = new URL(body.type);
    const page = await service.get(pathname);
    expect(page.status).toBe(200);
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(page.text).toContain(`id="${hash.slice(1)}"`);
    for (const code of Object.keys(problems)) expect(page.text).toContain(`<h2 id="${code}">`);
  });

  it('names every wrong parameter at once, with what is right', async () => {
    const { body } = await service.get(
      '/api/v1/search?knd=x&kind=outlt&type=!newspapr&page=1&page=2&per_page=0&named=2',
    );
    expect(body.code).toBe('invalid_request');
    expect(body.errors).toMatchObject([
      { in: 'query', name: 'knd', code: 'unknown_parameter', did_you_mean: 'kind' },
      { in: 'query', name: 'page', code: 'repeated' },
      { name: 'kind', code: 'unknown_value', allowed: ['outlet', 'podcast', 'newsletter'], did_you_mean: 'outlet' },
      { name: 'type', code: 'unknown_value', did_you_mean: 'newspaper' },
      { name: 'named', code: 'unknown_value', allowed: ['1', 'true', '0', 'false'] },
      { name: 'per_page', code: 'out_of_range' },
    ]);
    for (const error of body.errors) {
      expect(Object.keys(error).slice(0, 4)).toEqual(['in', 'name', 'code', 'message']);
    }
  });

  it('names the export where a page is too deep', async () => {
    const { body } = await service.get('/api/v1/search?page=501');
    expect(body.detail).toContain('/api/v1/export');
    expect((await service.get('/api/v1/search?page=500')).status).toBe(200);
    expect((await service.get('/api/v1/search?page=100&per_page=100')).status).toBe(200);
  });

  it.each(['post', 'put', 'patch', 'delete'] as const)('answers %s with 405 and what is allowed', async (method) => {
    for (const path of ['/api/v1/search', '/api/v1/facets', '/api/v1/records/times', '/api/v1/me']) {
      const answer = await request(service.app)[method](path).send({ any: 'body' });
      expect(answer.status).toBe(405);
      expect(answer.body.code).toBe('method_not_allowed');
      expect(answer.headers.allow).toBe('GET, HEAD, OPTIONS');
    }
    const health = await request(service.app)[method]('/healthz');
    expect(health.headers.allow).toBe('GET, HEAD');
  });

  it('takes no parameters where there are none', async () => {
    const key = await service.issueKey('pro');
    expect((await service.get('/api/v1/me?verbose=1', key)).body.code).toBe('invalid_request');
    expect((await service.get('/api/v1/records/times?fields=email')).body.code).toBe('invalid_request');
  });

  it('of our own is told without its cause, which is logged under the request id', async () => {
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
