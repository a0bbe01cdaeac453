import request from 'supertest';
import { describe, expect, it } from 'vitest';
import { createService, publicUrl, testNow, useService } from './test-service.ts';

const { backend, service } = useService();

describe('GET /api/v1', () => {
  it('lists every operation for callers, each with a URL that exists', async () => {
    const answer = await service.get('/api/v1');
    expect(answer.headers['content-encoding']).toBe('gzip');
    expect(service.shapeOf('GET /api/v1').safeParse(answer.body).error).toBeUndefined();
    expect(answer.headers.link).toBe(
      `<${publicUrl}/docs>; rel="service-doc", <${publicUrl}/openapi.json>; rel="service-desc"`,
    );
    const operations = answer.body.links.map(({ operation }: { operation: string }) => operation);
    expect(operations).toEqual(expect.arrayContaining(['search', 'export', 'readAccount', 'startCheckout']));
    expect(operations.join()).not.toMatch(/health|readiness|Event/);
    for (const { href, method } of answer.body.links) {
      const path = href.slice(publicUrl.length).replace(/\{\w+\}/, 'x');
      const { body } = await request(service.app)[method.toLowerCase() as 'get' | 'post' | 'patch' | 'delete'](path);
      // An unknown record or order is another answer than an unknown path.
      expect(String(body.detail), href).not.toMatch(/path does not exist/);
      expect(body.code, href).not.toBe('method_not_allowed');
    }
  });

  it('refuses parameters and wrong keys like every other path', async () => {
    expect((await service.get('/api/v1?x=1')).body.code).toBe('invalid_request');
    expect((await service.get('/api/v1', 'wrong')).body.code).toBe('key_invalid');
  });
});

describe('/robots.txt', () => {
  it('lets crawlers read the pages, not the API', async () => {
    const { text, headers } = await service.get('/robots.txt');
    expect(headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(text).toBe('User-agent: *\nDisallow: /api/\nDisallow: /sandbox/\nDisallow: /?\nDisallow: /people?\n');
  });

  it('names paths as they are seen from outside', async () => {
    const below = createService(backend, { publicUrl: 'https://example.org/media' });
    expect((await below.get('/robots.txt')).text).toContain('Disallow: /media/api/\n');
  });
});

describe('/.well-known/security.txt', () => {
  it('says how to report a vulnerability, and never expires', async () => {
    const { text, headers } = await service.get('/.well-known/security.txt');
    expect(headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(text).toContain('Contact: mailto:listings@masthead.example\n');
    expect(text).toContain(`Canonical: ${publicUrl}/.well-known/security.txt\n`);
    const [, expires = ''] = /^Expires: (.*)$/m.exec(text) ?? [];
    const days = (Date.parse(expires) - testNow.getTime()) / 86_400_000;
    expect(days).toBeGreaterThan(100);
    expect(days).toBeLessThan(365);
  });

  it('does not exist where no contact is known', async () => {
    const nameless = createService(backend, { contactEmail: null });
    expect((await nameless.get('/.well-known/security.txt')).status).toBe(404);
  });

  it('names no canonical place that is not https, as RFC 9116 demands', async () => {
    const plain = createService(backend, { publicUrl: 'http://127.0.0.1:3000' });
    expect((await plain.get('/.well-known/security.txt')).text).not.toContain('Canonical');
  });
});

describe('/llms.txt', () => {
  it('links only to what exists', async () => {
    const { text, headers } = await service.get('/llms.txt');
    expect(headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(text).toMatch(/^# Masthead\n\n> /);
    expect(text).toContain(`${publicUrl}/mcp`);
    const links = [...text.matchAll(/\]\((https:[^)]+)\)/g)].map(([, url = '']) => url.slice(publicUrl.length));
    expect(links.length).toBeGreaterThan(5);
    for (const path of links) expect((await service.get(path)).status, path).toBe(200);
  });
});

describe('/favicon.ico', () => {
  it('is an icon', async () => {
    const { headers, body } = await service.get('/favicon.ico');
    expect(headers['content-type']).toMatch(/^image\/(x-icon|vnd\.microsoft\.icon)/);
    expect([...body.subarray(0, 4)]).toEqual([0, 0, 1, 0]);
  });
});
