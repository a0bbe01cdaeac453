import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/**
 * A proxy between a program and an engine that several tests share. It can break the connection, so that for this program the
 * engine is down. `npm run trials` kills real engines.
 */
export interface BreakableProxy {
  /** The URL of the engine through the proxy. */
  url: string;
  /** Breaks all connections and accepts no new ones, like a killed engine. */
  cut(): Promise<void>;
  /** Keeps all connections but lets nothing through, like an engine that hangs. */
  hang(): void;
  /** Lets everything through again, on the same port. */
  mend(): Promise<void>;
  close(): Promise<void>;
}

/**
 * @param engineUrl with one host. For MongoDB, the proxy's URL is for this server only: a driver would find others around it
 * @param alter changes what clients send, in place
 */
export async function startBreakableProxy(
  engineUrl: string,
  alter: (sent: Buffer) => void = () => {},
): Promise<BreakableProxy> {
  const target = new URL(engineUrl);
  const ends = new Set<Socket>();
  let isHanging = false;
  const server = createServer((socket) => {
    const upstream = connect(Number(target.port), target.hostname);
    for (const [end, other] of [
      [socket, upstream],
      [upstream, socket],
    ] as const) {
      ends.add(end);
      end.on('data', (data: Buffer) => {
        if (end === socket) alter(data);
        other.write(data);
      });
      end.on('end', () => other.end());
      end.on('error', () => other.destroy());
      end.on('close', () => {
        ends.delete(end);
        other.destroy();
      });
      if (isHanging) end.pause();
    }
  });
  await listen(server, 0);
  const { port } = server.address() as AddressInfo;

  const cut = async () => {
    const closed = once(server, 'close');
    server.close();
    for (const end of ends) end.destroy();
    await closed;
  };
  return {
    url: byWayOf(target, port),
    cut,
    hang() {
      isHanging = true;
      for (const end of ends) end.pause();
    },
    async mend() {
      isHanging = false;
      for (const end of ends) end.resume();
      if (!server.listening) await listen(server, port);
    },
    async close() {
      if (server.listening) await cut();
    },
  };
}

async function listen(server: Server, port: number): Promise<void> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
}

function byWayOf(target: URL, port: number): string {
  const url = new URL(target);
  url.host = `127.0.0.1:${port}`;
  if (url.protocol === 'mongodb:') {
    url.searchParams.delete('replicaSet');
    url.searchParams.set('directConnection', 'true');
  }
  return url.href;
}
