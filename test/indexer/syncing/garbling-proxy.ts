import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';

/** What a client writes to get invalid UTF-8 bytes in its place. */
export const garbage = '#garbage#';

const bytes = Buffer.from(garbage).fill(0xff);

/** A proxy between a client and MongoDB that lets the client write what no driver would. */
export async function startGarblingProxy(mongoUri: string): Promise<{ uri: string; stop(): void }> {
  const target = new URL(mongoUri);
  const server = createServer((socket) => {
    const upstream = connect(Number(target.port), target.hostname);
    upstream.pipe(socket);
    socket.on('data', (data: Buffer) => {
      for (let at = data.indexOf(garbage); at >= 0; at = data.indexOf(garbage, at)) bytes.copy(data, at);
      upstream.write(data);
    });
    for (const [end, other] of [
      [socket, upstream],
      [upstream, socket],
    ] as const) {
      end.on('error', () => other.destroy());
      end.on('close', () => other.destroy());
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const uri = new URL(mongoUri);
  uri.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  uri.searchParams.delete('replicaSet');
  uri.searchParams.set('directConnection', 'true');
  return { uri: uri.href, stop: () => server.close() };
}
