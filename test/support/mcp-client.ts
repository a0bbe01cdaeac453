import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

/** The versions of the protocol that clients speak: with a handshake, and without one. */
export const protocolVersions = ['2025-06-18', '2026-07-28'] as const;
export type ProtocolVersion = (typeof protocolVersions)[number];

/** A client of the official library, connected to the /mcp of a service. */
export async function connectMcp(url: string, key?: string, version: ProtocolVersion = '2026-07-28'): Promise<Client> {
  const client = newMcpClient(version);
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${url}/mcp`), {
      requestInit: { headers: key === undefined ? {} : { Authorization: `Bearer ${key}` } },
    }),
  );
  return client;
}

export function newMcpClient(version: ProtocolVersion): Client {
  return new Client(
    { name: 'test', version: '1' },
    version === '2026-07-28'
      ? { versionNegotiation: { mode: { pin: version } } }
      : { supportedProtocolVersions: [version] },
  );
}

/** The text that a model reads of a tool's answer. */
export function textOf({ content }: Awaited<ReturnType<Client['callTool']>>): string {
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
}
