import { createServer } from 'node:net';
import { BSON } from 'mongodb';

/** The handshake answer of an old MongoDB version; the server answers nothing else. */
export interface OldServer {
  url: string;
  close(): Promise<void>;
}

/**
 * A stand-in for MongoDB 4.2 (wire version 8), which nobody packages for today's systems: it answers the handshake
 * (OP_QUERY, answered with OP_REPLY) like that version.
 */
export async function startOldServer(): Promise<OldServer> {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', (request: Buffer) => socket.write(reply(request.readInt32LE(4))));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  return {
    url: `mongodb://127.0.0.1:${port}/`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

function reply(requestId: number): Buffer {
  const hello = { ismaster: true, setName: 'rs0', minWireVersion: 0, maxWireVersion: 8, maxBsonObjectSize: 16_777_216 };
  const document = BSON.serialize({ ...hello, maxMessageSizeBytes: 48_000_000, maxWriteBatchSize: 100_000, ok: 1 });
  // Length, request id, response to, opcode 1; flags, cursor id (8), starting from, number returned.
  const head = Buffer.alloc(36);
  head.writeInt32LE(head.length + document.length, 0);
  head.writeInt32LE(requestId, 8);
  head.writeInt32LE(1, 12);
  head.writeInt32LE(1, 32);
  return Buffer.concat([head, document]);
}
