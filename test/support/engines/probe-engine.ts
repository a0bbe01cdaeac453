import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { MongoClient } from 'mongodb';
import type { Engine, EngineKind } from './engine.ts';

/** Whether the engine at this URL is ready; never fails, and answers within a few seconds. */
export function isServing(kind: EngineKind, url: string): Promise<boolean> {
  return kind === 'mongodb' ? takesWrites(url) : isHealthy(url);
}

/** The current primary of a replica set; waits until there is one. */
export async function findPrimary(members: readonly Engine[]): Promise<Engine> {
  for (;;) {
    for (const member of members) if (await takesWrites(member.url)) return member;
    await pause(100);
  }
}

async function takesWrites(url: string): Promise<boolean> {
  let client: MongoClient | null = null;
  try {
    client = new MongoClient(url, { serverSelectionTimeoutMS: 2_000, connectTimeoutMS: 2_000 });
    const hello = await client.db('admin').command({ hello: 1 });
    return hello.isWritablePrimary === true;
  } catch {
    return false;
  } finally {
    await client?.close();
  }
}

async function isHealthy(url: string): Promise<boolean> {
  try {
    const path = new URL('_cluster/health?wait_for_status=yellow&timeout=1s', url.replace(/\/*$/, '/'));
    // `fetch` rejects URLs that contain a password.
    const credentials = [path.username, path.password].map(decodeURIComponent).join(':');
    const headers = path.username ? { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` } : {};
    path.username = path.password = '';
    const answer = await fetch(path, { headers, signal: AbortSignal.timeout(3_000) });
    return answer.ok;
  } catch {
    return false;
  }
}

/** A loopback port that nobody listens on now. */
export async function findFreePort(): Promise<number> {
  const [port = 0] = await findFreePorts(1);
  return port;
}

/** Below the ports that systems give to outgoing connections: one of those may be taken before a slow engine listens. */
const [firstPort, lastPort] = [15_000, 32_000];

/** Several free ports. Each stays in use until the last is found, so that all are different. */
export async function findFreePorts(count: number): Promise<number[]> {
  const servers: Server[] = [];
  while (servers.length < count) {
    const server = createServer().listen(randomInt(firstPort, lastPort), '127.0.0.1');
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    if (isFree) servers.push(server);
  }
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => once(server.close(), 'close')));
  return ports;
}
