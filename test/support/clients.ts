import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));
const source = join(root, 'clients/typescript');
const typeModule = '{ "type": "module" }\n';

/** A project with the TypeScript client in its node_modules, as users have it. */
export interface ClientProject {
  folder: string;
  /** Makes a new folder for programs that import the client. */
  makeFolder(): Promise<string>;
  remove(): Promise<void>;
}

/** Packs the client and installs the package, beside Node's types. */
export async function installClient(): Promise<ClientProject> {
  const folder = await mkdtemp(join(tmpdir(), 'masthead-client-'));
  const modules = join(folder, 'node_modules');
  await mkdir(join(modules, 'masthead-client'), { recursive: true });
  const options = { cwd: source, env: { ...process.env, npm_config_loglevel: 'error' } };
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder], options);
  const [{ filename }] = JSON.parse(stdout.slice(stdout.indexOf('[')));
  await run('tar', ['xzf', join(folder, filename), '-C', join(modules, 'masthead-client'), '--strip-components=1']);
  for (const name of ['@types/node', 'undici-types']) {
    await mkdir(dirname(join(modules, name)), { recursive: true });
    await symlink(join(root, 'node_modules', name), join(modules, name));
  }
  await writeFile(join(folder, 'package.json'), typeModule);
  const makeFolder = async () => {
    const made = await mkdtemp(join(tmpdir(), 'masthead-programs-'));
    await symlink(modules, join(made, 'node_modules'));
    await writeFile(join(made, 'package.json'), typeModule);
    return made;
  };
  return { folder, makeFolder, remove: () => rm(folder, { recursive: true }) };
}

/** The versions of MCP that clients speak: one with a handshake, and one without. */
export const protocolVersions = ['2025-06-18', '2026-07-28'] as const;
export type ProtocolVersion = (typeof protocolVersions)[number];

/** A client from the official MCP library, connected to the /mcp of a service. */
export async function connectMcp(url: string, key?: string, version: ProtocolVersion = '2026-07-28'): Promise<Client> {
  const client = newMcpClient(version);
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${url}/mcp`), {
      requestInit: { headers: key === undefined ? {} : { Authorization: `Bearer ${key}` } },
    }),
  );
  return client;
}

function newMcpClient(version: ProtocolVersion): Client {
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
