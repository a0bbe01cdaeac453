import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { generateApiKey } from '#accounts/api-key.ts';
import { addresses, media } from '#test/http/media.ts';
import { createService, type TestService, unlimited } from '#test/http/test-service.ts';
import { openEmbeddedForTest, type TestBackend } from '#testing/backends.ts';
import { newMcpClient, type ProtocolVersion, protocolVersions, textOf } from '#testing/mcp-client.ts';
import { processEnvironment } from '#testing/process-environment.ts';
import { runWithInput } from '#testing/run-service.ts';

describe('npm run mcp', () => {
  let backend: TestBackend;
  let service: TestService;
  let server: Server;
  let url: string;
  const clients: Client[] = [];

  beforeAll(async () => {
    backend = await openEmbeddedForTest();
    await backend.load(media);
    service = createService(backend);
    ({ server, url } = await listen(service));
  });
  afterEach(async () => {
    await Promise.all(clients.splice(0).map((client) => client.close()));
  });
  afterAll(async () => {
    server.closeAllConnections();
    await once(server.close(), 'close');
    await backend.close();
  });

  async function listen(from: TestService): Promise<{ server: Server; url: string }> {
    const server = createServer(from.app).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
  }

  /** A client with a process of its own; `said` is what that wrote on standard error. */
  async function connect(settings: Record<string, string>, version: ProtocolVersion = '2026-07-28') {
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: ['src/mcp.ts'],
      env: processEnvironment(settings) as Record<string, string>,
      stderr: 'pipe',
    });
    let said = '';
    transport.stderr?.on('data', (chunk) => {
      said += chunk;
    });
    const client = newMcpClient(version);
    clients.push(client);
    await client.connect(transport);
    return { client, said: () => said };
  }

  describe.each(protocolVersions)('with a client of %s', (version) => {
    it('offers what /mcp offers, with the key of its environment', async () => {
      const key = await service.issueKey('pro');
      const { client, said } = await connect({ MASTHEAD_URL: url, MASTHEAD_API_KEY: key }, version);
      const { tools } = await client.listTools();
      expect(tools).toHaveLength(6);
      expect(client.getInstructions()).toContain('search_media');
      const answer = await client.callTool({ name: 'search_media', arguments: { has_email: true } });
      for (const address of addresses) expect(JSON.stringify(answer)).toContain(address);
      const wrong = await client.callTool({ name: 'search_media', arguments: { page: 0 } });
      expect(wrong.isError).toBe(true);
      expect(said()).toContain(`serves ${url}/mcp`);
      expect(said()).not.toContain(key);
    });

    it('shows masks without a key', async () => {
      const { client } = await connect({ MASTHEAD_URL: url }, version);
      const answer = await client.callTool({ name: 'search_media', arguments: { has_email: true } });
      expect(textOf(answer)).toContain('Emails are masked.');
      for (const address of addresses) expect(JSON.stringify(answer)).not.toContain(address);
    });

    it('answers calls that run at the same time', async () => {
      const { client } = await connect({ MASTHEAD_URL: url }, version);
      const ids = media.map(({ id }) => id);
      const answers = await Promise.all(ids.map((id) => client.callTool({ name: 'get_record', arguments: { id } })));
      expect(answers.map(({ structuredContent }) => (structuredContent as { id: string }).id)).toEqual(ids);
    });
  });

  it('passes on what the service says against a key, without the key', async () => {
    const key = generateApiKey();
    const initialize = {
      jsonrpc: '2.0',
      id: 7,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
    };
    const { written, refused } = await speak({ MASTHEAD_URL: url, MASTHEAD_API_KEY: key }, initialize);
    expect(refused).toMatchObject({
      id: 7,
      error: { message: 'This key does not exist.', data: { code: 'key_invalid' } },
    });
    expect(written).not.toContain(key);
  });

  it('passes on that there were too many requests', async () => {
    const limited = await listen(createService(backend, { rateLimits: { ...unlimited, anonymous: 1 } }));
    try {
      const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
      await speak({ MASTHEAD_URL: limited.url }, list);
      const { refused } = await speak({ MASTHEAD_URL: limited.url }, list);
      expect(refused).toMatchObject({ id: 1, error: { data: { code: 'rate_limited' } } });
    } finally {
      limited.server.closeAllConnections();
      await once(limited.server.close(), 'close');
    }
  });

  it('says what to do if the service does not answer, or is something else', async () => {
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    const gone = await listen(service);
    await once(gone.server.close(), 'close');
    const away = await speak({ MASTHEAD_URL: gone.url }, list);
    expect(away.refused.error.message).toBe(
      `The service at ${gone.url} does not answer (ECONNREFUSED). Start it, or correct MASTHEAD_URL.`,
    );
    const other = createServer((_req, res) => res.writeHead(404).end('<p>no')).listen(0, '127.0.0.1');
    await once(other, 'listening');
    try {
      const elsewhere = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
      const { refused } = await speak({ MASTHEAD_URL: elsewhere }, list);
      expect(refused.error.message).toBe(`${elsewhere}/mcp answered with status 404. Correct MASTHEAD_URL.`);
    } finally {
      other.closeAllConnections();
      await once(other.close(), 'close');
    }
  });

  it('starts with wrong settings no more than the service does, and never shows a key', async () => {
    const { code, stdout, stderr } = await runWithInput(
      ['src/mcp.ts'],
      { MASTHEAD_URL: 'localhost', MASTHEAD_API_KEY: 'two words' },
      '',
    );
    expect(code).toBe(1);
    expect(stdout).toBe('');
    expect(stderr).toContain('MASTHEAD_URL must be an http(s) URL');
    expect(stderr).toContain('MASTHEAD_API_KEY must be an API key');
    expect(stderr).not.toContain('two words');
  });

  it('ends when its input does', async () => {
    const { code, stdout } = await runWithInput(['src/mcp.ts'], { MASTHEAD_URL: url }, '');
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
  });

  /** Sends one message to a process, and ends it after the answer. */
  async function speak(settings: Record<string, string>, message: object) {
    const child = spawn(process.execPath, ['src/mcp.ts'], { env: processEnvironment(settings) });
    const said = text(child.stderr);
    child.stdin.write(`${JSON.stringify(message)}\n`);
    const [line] = await once(child.stdout, 'data');
    child.stdin.end();
    await once(child, 'close');
    return { refused: JSON.parse(String(line)), written: `${line}${await said}` };
  }
});
