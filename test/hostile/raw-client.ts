import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** What came back over one connection until the server closed it. */
interface Exchange {
  /** Of each answer, in their order. */
  statuses: number[];
  text: string;
}

/** If a server holds a connection this long it has no limit; far longer than the limits that tests set. */
const timeoutMs = 100_000;

export async function open(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  await once(socket, 'connect');
  return socket;
}

/** Everything that the server sends until it closes the connection, by an end or a reset. */
export async function readToEnd(socket: Socket): Promise<Exchange> {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  socket.on('error', () => {});
  const timer = setTimeout(() => socket.destroy(new Error('the server did not close the connection')), timeoutMs);
  const held = await new Promise<Error | null>((resolve) => {
    socket.once('end', () => resolve(null));
    socket.once('error', (error: NodeJS.ErrnoException) => resolve('code' in error ? null : error));
    socket.once('close', () => resolve(null));
  });
  clearTimeout(timer);
  socket.destroy();
  if (held !== null) throw held;
  const text = Buffer.concat(chunks).toString('latin1');
  const heads = text.matchAll(/(?:^|[}\n])HTTP\/1\.1 (\d{3}) /g);
  return { statuses: [...heads].map(([, status]) => Number(status)), text };
}

/** Sends raw bytes and reads until the server closes. */
export async function talk(url: string, bytes: string | Uint8Array): Promise<Exchange> {
  const socket = await open(url);
  socket.write(bytes);
  return readToEnd(socket);
}

/** A GET that asks for the connection to be closed, with further header lines. */
export function get(target: string, ...headers: string[]): string {
  return `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${headers.map(line).join('')}\r\n`;
}

/** A checkout with this body, with its length unless the headers give another. */
export function post(body: string | Uint8Array, ...headers: string[]): Buffer {
  const bytes = Buffer.from(body as string);
  const said = headers.join('\n').toLowerCase();
  const usual = [
    ...(said.includes('content-type') ? [] : ['Content-Type: application/json']),
    ...(/content-length|transfer-encoding/.test(said) ? [] : [`Content-Length: ${bytes.length}`]),
  ];
  const head = `POST /api/v1/checkout HTTP/1.1\r\nHost: x\r\nConnection: close\r\n`;
  return Buffer.concat([Buffer.from(`${head}${[...usual, ...headers].map(line).join('')}\r\n`, 'latin1'), bytes]);
}

function line(header: string): string {
  return `${header}\r\n`;
}
