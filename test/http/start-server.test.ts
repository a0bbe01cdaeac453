import { once } from 'node:events';
import { Agent, get, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { startServer } from '#http/start-server.ts';

const local = { host: '127.0.0.1', port: 0, publicUrl: null };

async function ask(url: string, agent?: Agent): Promise<{ status: number | undefined; body: string }> {
  const [answer] = (await once(get(url, { agent }), 'response')) as [IncomingMessage];
  return { status: answer.statusCode, body: await text(answer) };
}

describe('serving', () => {
  it('passes the configured public URL to its listener', async () => {
    const server = await startServer(
      { ...local, publicUrl: 'https://masthead.example' },
      (url) => (_req, res) => res.end(url),
    );
    expect((await ask(server.url)).body).toBe('https://masthead.example');
    await server.drain(1000);
  });

  it.each([
    ['0.0.0.0', /^http:\/\/localhost:\d+$/],
    ['::1', /^http:\/\/\[::1\]:\d+$/],
  ])('on %s has a URL that can be opened', async (host, form) => {
    const server = await startServer({ ...local, host }, (url) => (_req, res) => res.end(url));
    expect(server.url).toMatch(form);
    expect((await ask(server.url)).body).toBe(server.url);
    await server.drain(1000);
  });

  it('drains: answers every running request completely, and accepts nothing new', async () => {
    const waiting: ServerResponse[] = [];
    let arrived = () => {};
    const all = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    const server = await startServer(local, () => (_req, res) => {
      waiting.push(res);
      if (waiting.length === 20) arrived();
    });
    const agent = new Agent({ keepAlive: true });
    const answers = Array.from({ length: 20 }, () => ask(server.url, agent));
    await all;

    const drained = server.drain(10_000);
    // Reset instead of refused, if a test in another thread starts a program now: it holds the port until its exec.
    await expect(ask(server.url)).rejects.toMatchObject({ code: expect.stringMatching(/^ECONN(REFUSED|RESET)$/) });
    for (const res of waiting) res.end('x'.repeat(200_000));
    for (const { status, body } of await Promise.all(answers)) {
      expect(status).toBe(200);
      expect(body.length).toBe(200_000);
    }
    expect(await drained).toBe(0);
    agent.destroy();
  });

  it('cuts what never ends at the deadline, and reports how many that were', async () => {
    let arrived = () => {};
    const underWay = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    const server = await startServer(local, () => () => arrived());
    const answer = ask(server.url);
    await underWay;
    const [broken] = await Promise.all([
      server.drain(50),
      expect(answer).rejects.toMatchObject({ code: 'ECONNRESET' }),
    ]);
    expect(broken).toBe(1);
  });

  it('answers what was sent before it stopped, even if not yet read', async () => {
    const server = await startServer(local, () => (_req, res) => res.end('ok'));
    const socket = connect(Number(new URL(server.url).port), local.host);
    await once(socket, 'connect');
    await ask(server.url);
    socket.write('GET / HTTP/1.1\r\nHost: masthead.example\r\n\r\n');
    const drained = server.drain(10_000);
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 OK[\s\S]*ok$/);
    expect(await drained).toBe(0);
  });
});
