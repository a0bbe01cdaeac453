import { once } from 'node:events';
import { createServer, Server as PlainServer, type RequestListener } from 'node:http';
import { Server as TlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';

/** A server on a port of its own. */
export interface Listening {
  url: string;
  close(): Promise<void>;
}

/** Serves on a free loopback port. */
export async function listen(given: RequestListener | PlainServer | TlsServer): Promise<Listening> {
  const server = given instanceof PlainServer || given instanceof TlsServer ? given : createServer(given);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `${server instanceof TlsServer ? 'https' : 'http'}://127.0.0.1:${port}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
