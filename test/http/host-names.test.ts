import request from 'supertest';
import { describe, expect, it } from 'vitest';
import { startServer } from '#http/start-server.ts';
import { createSandbox } from '#src/payments/sandbox.ts';
import { talk } from '#test/hostile/raw-client.ts';
import { createService, useService } from './test-service.ts';

interface Layer {
  route?: { path: string };
  handle: { stack?: Layer[] };
}

/* Of a service whose sandbox nobody asked for: anybody who could reach it would have every key for nothing. */
describe('the names of this machine', () => {
  const here = 'http://127.0.0.1:3000';
  const given = { payments: createSandbox(here), publicUrl: here };
  const { backend, service } = useService([], { ...given, servesLoopbackHostsOnly: true });

  function listPaths(): string[] {
    const collect = (stack: readonly Layer[]): string[] =>
      stack.flatMap(({ route, handle }) => (route ? [route.path] : collect(handle.stack ?? [])));
    return collect((service.app.router as unknown as { stack: Layer[] }).stack);
  }

  it.each([...['LOCALHOST:3000', 'localhost.:3000', 'masthead.localhost:3000', '127.8.9.10', '[::1]:3000']])(
    'are accepted: %s',
    async (host) => {
      expect((await service.get('/api/v1/plans').set('Host', host)).status).toBe(200);
      expect((await service.get('/plans').set('Host', host)).status).toBe(200);
    },
  );

  const others = [
    ...['rebind.example:3000', 'localhost.rebind.example', '127.0.0.1.rebind.example', '192.168.1.5', '0.0.0.0'],
    ...['[::]', '[fe80::1]', 'localhost@rebind.example', 'localhost:port', 'local host', '.localhost.example'],
  ];

  it.each(others)('are the only ones accepted: %s', async (host) => {
    const { status, body } = await service.get('/api/v1/plans').set('Host', host);
    expect([status, body.code]).toEqual([421, 'misdirected_request']);
    expect((await createService(backend, given).get('/api/v1/plans').set('Host', host)).status).toBe(200);
  });

  it('are the only ones that any path answers to, for any method', async () => {
    const paths = listPaths();
    expect(paths).toEqual(
      expect.arrayContaining(['/', '/plans', '/sandbox/:id/:action', '/api/v1/export', '/healthz']),
    );
    for (const path of [...paths, '/nowhere', '/api/v1/nowhere']) {
      for (const method of ['get', 'post', 'options'] as const) {
        const answer = await request(service.app)[method](path.replaceAll(/:\w+/g, 'x')).set('Host', 'rebind.example');
        expect(answer.status, `${method} ${path}`).toBe(421);
      }
    }
  });

  it.each([
    ['another host in Host under an absolute target', 'GET http://localhost/api/v1/plans', 'rebind.example', 421],
    ['both loopback', 'GET http://127.0.0.1:3000/api/v1/plans', 'localhost', 200],
    ['a path that looks like a host', 'GET //rebind.example/api/v1/plans', 'localhost', 404],
    ['the whole server', 'OPTIONS *', 'localhost', 404],
    ['the whole server elsewhere', 'OPTIONS *', 'rebind.example', 421],
  ])('are checked wherever a request names a host: %s', async (_what, line, host, status) => {
    const server = await startServer({ host: '127.0.0.1', port: 0, publicUrl: null }, () => service.app);
    const answer = await talk(server.url, `${line} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
    expect(answer.statuses).toEqual([status]);
    await server.drain(0);
  });

  it('are required, so a request without a host is refused', async () => {
    const server = await startServer({ host: '127.0.0.1', port: 0, publicUrl: null }, () => service.app);
    expect((await talk(server.url, 'GET /api/v1/plans HTTP/1.0\r\n\r\n')).statuses).toEqual([421]);
    await server.drain(0);
  });
});
