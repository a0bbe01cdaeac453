import { once } from 'node:events';
import { Agent, get, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { serve } from '#http/serve.ts';

const local = { host: '127.0.0.1', port: 0 };

async function ask(url: string, agent?: Agent): Promise<{ status: number | undefined; body: string }> {
  const [answer] = (await once(get(url, { agent }), 'response')) as [IncomingMessage];
  return { status: answer.statusCode, body: await text(answer) };
}

describe('serving', () => {
  it('tells its listener the address it got', async () => {
    const server = await serve(local, (url) => (_req, res) => res.end(url));
    expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect((await ask(server.url)).body).toBe(server.url);
    await server.drain(1000);
  });

  it.each([
    ['0.0.0.0', /^http:\/\/localhost:\d+$/],
    ['::1', /^http:\/\/\[::1\]:\d+$/],
  ])('on %s has a URL that can be opened', async (host, form) => {
    const server = await serve({ host, port: 0 }, (url) => (_req, res) => res.end(url));
    expect(server.url).toMatch(form);
    expect((await ask(server.url)).body).toBe(server.url);
    await server.drain(1000);
  });

  it('rejects with the error of the system where the port is taken', async () => {
    const server = await serve(local, () => (_req, res) => res.end());
    const port = Number(new URL(server.url).port);
    await expect(serve({ host: local.host, port }, () => () => {})).rejects.toMatchObject({ code: 'EADDRINUSE' });
    await server.drain(1000);
  });

  it('drains: every request under way is answered whole, nothing new is taken', async () => {
    const waiting: ServerResponse[] = [];
    let arrived = () => {};
    const all = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    const server = await serve(local, () => (_req, res) => {
      waiting.push(res);
      if (waiting.length === 20) arrived();
    });
    const agent = new Agent({ keepAlive: true });
    const answers = Array.from({ length: 20 }, () => ask(server.url, agent));
    await all;

    const drained = server.drain(10_000);
    await expect(ask(server.url)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    for (const res of waiting) res.end('x'.repeat(200_000));
    for (const { status, body } of await Promise.all(answers)) {
      expect(status).toBe(200);
      expect(body.length).toBe(200_000);
    }
    expect(await drained).toBe(0);
    agent.destroy();
  });

  it('closes connections that only wait for a next request', async () => {
    const server = await serve(local, () => (_req, res) => res.end('ok'));
    const agent = new Agent({ keepAlive: true });
    await ask(server.url, agent);
    expect(await server.drain(10_000)).toBe(0);
    agent.destroy();
  });

  it('breaks off at the deadline what never ends, and says how much that was', async () => {
    let arrived = () => {};
    const underWay = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    const server = await serve(local, () => () => arrived());
    const answer = ask(server.url);
    await underWay;
    const [broken] = await Promise.all([
      server.drain(50),
      expect(answer).rejects.toMatchObject({ code: 'ECONNRESET' }),
    ]);
    expect(broken).toBe(1);
  });

  it('answers what was sent before it stopped, even if not yet read', async () => {
    const server = await serve(local, () => (_req, res) => res.end('ok'));
    const socket = connect(Number(new URL(server.url).port), local.host);
    await once(socket, 'connect');
    await ask(server.url);
    socket.write('GET / HTTP/1.1\r\nHost: masthead.example\r\n\r\n');
    const drained = server.drain(10_000);
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 OK[\s\S]*ok$/);
    expect(await drained).toBe(0);
  });
});
