import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type RunningServer, startServer } from '#http/start-server.ts';
import { createSandbox } from '#src/payments/sandbox.ts';
import { createService, type TestService } from '#test/http/test-service.ts';
import { openEmbeddedForTest, type TestBackend } from '#testing/backends.ts';
import { madeRecord, media } from '#testing/made-record.ts';
import { countConnections } from '#testing/process-figures.ts';
import { get, open, post, readToEnd, talk } from './raw-client.ts';

/* Each client here does what no honest one does. The service must keep serving others, and release what it holds. */

/** Short, so that a test meets each limit. Only clients that take their time ask here: a busy machine delays others too. */
const shortTimeouts = { headersMs: 600, requestMs: 900, idleMs: 600, pollMs: 20 };

let backend: TestBackend;
const services: TestService[] = [];
let server: RunningServer;
let impatientServer: RunningServer;
/** What hundreds ask at once may wait for too long on a busy machine, and is then refused. */
let isCrowded = false;

beforeAll(async () => {
  backend = await openEmbeddedForTest();
  const long = 'x'.repeat(3_000);
  const many = Array.from({ length: 200 }, (_, index) => madeRecord({ id: `long-${index}`, description: long }));
  await backend.load([...media, ...many]);
  const create = (publicUrl: string) => {
    const service = createService(backend, { publicUrl, payments: createSandbox(publicUrl) });
    services.push(service);
    return service.app;
  };
  const listening = { host: '127.0.0.1', port: 0, publicUrl: null };
  server = await startServer(listening, create);
  impatientServer = await startServer(listening, create, shortTimeouts);
});
afterAll(async () => {
  await server.drain(0);
  await impatientServer.drain(0);
  await backend.close();
});

afterEach(async () => {
  expect((await fetch(`${server.url}/api/v1/search?q=times`)).status).toBe(200);
  expect(services.flatMap(({ logged }) => logged).length).toBeGreaterThan(0);
  const faults = services.flatMap((service) => service.faults());
  expect(faults.filter((line) => !(isCrowded && line.includes('"code":"search_unavailable"')))).toEqual([]);
});

const countsConnections = countConnections(0) !== null;
const connections = () => countConnections(Number(new URL(impatientServer.url).port));
const letGo = () => expect.poll(connections).toBe(0);

describe('invalid requests', () => {
  const smuggled = 'GET /api/v1/plans HTTP/1.1\r\nHost: x\r\n\r\n';
  it.each([
    ['both a length and chunks', post(`0\r\n\r\n${smuggled}`, 'Content-Length: 6', 'Transfer-Encoding: chunked')],
    ['a chunk of no size', post(`z\r\n\r\n${smuggled}`, 'Transfer-Encoding: chunked')],
    ['a NUL in a header', get('/api/v1/search', 'X-Thing: a\0b')],
    ['a line feed alone', 'GET /api/v1/search HTTP/1.1\nHost: x\n\n'],
    ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['noise', Buffer.from(Array.from({ length: 4_096 }, (_, index) => (index * 7919) % 256))],
  ])('%s: 400, once, and the connection is closed', async (_, bytes) => {
    const { statuses } = await talk(server.url, bytes);
    expect(statuses).toEqual([400]);
  });

  it('a request for a tunnel is closed without an answer', async () => {
    expect(await talk(server.url, 'CONNECT elsewhere.example:443 HTTP/1.1\r\nHost: x\r\n\r\n')).toMatchObject({
      text: '',
    });
  });
});

describe('unusual requests', () => {
  it.each([
    ['twenty thousand headers', get('/api/v1/search', ...headers(20_000)), 400],
    ['a method that is not served', 'TRACE /api/v1/search HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 405],
    ['a target that climbs', get('/api/v1/../../etc/passwd'), 404],
    ['a target that climbs in disguise', get('/assets/%2e%2e%2f%2e%2e%2fpackage.json'), 404],
    ['a NUL in an id', get('/api/v1/records/%00'), 404],
    ['a NUL in a text', get('/api/v1/search?q=%00times%00'), 200],
    ['a text that is not UTF-8', get('/api/v1/search?q=%ff%fe%c0%af%ed%a0%80'), 200],
    ['three thousand values', get(`/api/v1/search?city=${'a|'.repeat(3_000)}`), 400],
    ['an upgrade to a socket', get('/api/v1/search', 'Upgrade: websocket'), 200],
    ['an expectation nobody has', get('/api/v1/search', 'Expect: miracles'), 417],
    ['a key of 10 kB', get('/api/v1/search', `Authorization: Bearer ${'k'.repeat(10_000)}`), 401],
    ['the key behind three thousand headers', get('/api/v1/search', ...headers(3_000), 'Authorization: x'), 401],
  ])('%s: $2', async (_, bytes, status) => {
    const { statuses } = await talk(server.url, Buffer.from(bytes, 'latin1'));
    expect(statuses).toEqual([status]);
  });

  it.each([
    ['letters in a URL', get('/api/v1/search?q=Правда'), { in: 'path', code: 'bad_encoding' }],
    ['a space in a URL', get('/api/v1/search?q=a b'), { in: 'path', code: 'bad_encoding' }],
    ['a method that nobody has', get('/').replace('GET', 'FOO'), { in: 'path', code: 'invalid' }],
    ['headers of 17 kB', get('/', `X-Thing: ${'a'.repeat(17_000)}`), { in: 'header', code: 'too_large' }],
    ['a header without a name', get('/', 'no name: x'), { in: 'header', code: 'invalid' }],
  ])('learn what is wrong with %s', async (_, request, error) => {
    const { text } = await talk(server.url, request);
    const [head = '', body = ''] = text.split('\r\n\r\n');
    expect(head).toContain('application/problem+json');
    expect(JSON.parse(body)).toMatchObject({ code: 'invalid_request', errors: [error] });
  });

  it('do not echo a host that they made up', async () => {
    const { text } = await talk(
      server.url,
      'GET http://elsewhere.example/api/v1/search?q=long HTTP/1.1\r\nHost: elsewhere.example\r\nX-Forwarded-Host: elsewhere.example\r\nForwarded: host=elsewhere.example\r\nConnection: close\r\n\r\n',
    );
    expect(text).toContain(`<${server.url}/api/v1/search`);
    expect(text).not.toContain('elsewhere');
  });

  it('are answered in order if many arrive at once', async () => {
    const asked = Array.from(
      { length: 50 },
      (_, index) => `GET /api/v1/records/none-${index} HTTP/1.1\r\nHost: x\r\n\r\n`,
    );
    const { statuses, text } = await talk(server.url, asked.join('') + get('/healthz'));
    expect(statuses).toEqual([...asked.map(() => 404), 200]);
    const order = [...text.matchAll(/"instance":"\/api\/v1\/records\/none-(\d+)"/g)].map(([, index]) => Number(index));
    expect(order).toEqual(asked.map((_, index) => index));
  });
});

describe('bodies', () => {
  const tier = '{"tier":"pro"}';
  it.each([
    ['one that is larger than it may be', post('x'.repeat(100_000)), 413],
    ['one that says it is', post('{', 'Content-Length: 1000000000000'), 413],
    ['one that grows chunk by chunk', post(chunks('x'.repeat(1_000), 30), 'Transfer-Encoding: chunked'), 413],
    ['one that unpacks to more', post(gzipSync('x'.repeat(10_000_000)), 'Content-Encoding: gzip'), 415],
    ['one of a type that is none', post(tier, 'Content-Type: ;;;'), 415],
    ['bytes that are not UTF-8', post(Buffer.from('{"tier":"pro","email":"\xff\xfe@x.example"}', 'latin1')), 400],
    ['one cut short by its length', post(tier, 'Content-Length: 5'), 400],
    ['two thousand brackets', post('['.repeat(8_000) + ']'.repeat(8_000)), 400],
  ])('%s: $2', async (_, bytes, status) => {
    const { statuses } = await talk(server.url, bytes);
    expect(statuses).toEqual([status]);
  });

  it('of a request that takes none is discarded', async () => {
    const body = 'GET /api/v1/plans HTTP/1.1\r\nHost: x\r\n\r\n';
    const { statuses } = await talk(server.url, `${get('/healthz', `Content-Length: ${body.length}`)}${body}`);
    expect(statuses).toEqual([200]);
  });
});

describe('slow clients', () => {
  it.concurrent.each([
    ['send nothing', '', 408],
    ['send half their headers', 'GET / HTTP/1.1\r\nX: ', 408],
    ['send half their body', post('{"tier":', 'Content-Length: 100'), 408],
    ['send half a chunk', post('64\r\n{"tier":', 'Transfer-Encoding: chunked'), 408],
    ['ask once and no more', 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n', 200],
  ])('%s: $2, and the connection is closed within the limit', async (_, bytes, status) => {
    const { statuses } = await talk(impatientServer.url, bytes);
    expect(statuses).toEqual([status]);
  });

  it.concurrent.each([
    ['headers', 'GET / HTTP/1.1\r\nX: '],
    ['a body', post('{', 'Content-Length: 10000').toString('latin1')],
  ])('that drip %s hit the limit of the whole, not of each byte', async (_, head) => {
    const socket = await open(impatientServer.url);
    socket.write(head);
    const drip = setInterval(() => socket.write('a'), 20);
    const { statuses } = await readToEnd(socket);
    clearInterval(drip);
    // It may be lost if a byte of the client reaches the closed connection first.
    expect(statuses.filter((status) => status !== 408)).toEqual([]);
  });

  it.runIf(countsConnections)(
    'that leave in the middle, five hundred of them, leave nothing behind and log no error',
    async () => {
      isCrowded = true;
      const beginnings = [
        '',
        'GET /api',
        'GET / HTTP/1.1\r\nHo',
        post('{"tier":', 'Content-Length: 100'),
        get('/api/v1/facets'),
      ];
      await Promise.all(
        Array.from({ length: 500 }, async (_, index) => {
          const socket = await open(impatientServer.url);
          socket.on('error', () => {});
          socket.write(beginnings[index % beginnings.length] ?? '');
          if (index % 2 === 0) socket.resetAndDestroy();
          else socket.destroy();
        }),
      );
      await letGo();
    },
  );
});

function headers(count: number): string[] {
  return Array.from({ length: count }, () => 'a:');
}

function chunks(text: string, count: number): string {
  return `${`${text.length.toString(16)}\r\n${text}\r\n`.repeat(count)}0\r\n\r\n`;
}
