import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import packet, { type Answer, type DecodedPacket, type Question, type RecordType } from 'dns-packet';

/**
 * What the server answers about a name: its records by type, or an error code. For a CNAME, the records are those of its target,
 * which the answer contains too.
 */
export type Zone = Record<string, Records | 'SERVFAIL' | 'REFUSED'>;

interface Records {
  MX?: readonly string[];
  A?: readonly string[];
  AAAA?: readonly string[];
  NS?: readonly string[];
  CNAME?: string;
}

/** A DNS server on UDP and TCP of one port. Names that are not in its zone do not exist. */
export interface DnsServer {
  /** The value for DNS_SERVERS. */
  address: string;
  /** Can be changed while it runs. */
  zone: Zone;
  /** What was asked, such as `MX one.example`. */
  questions: string[];
  /** Called before a question such as `MX one.example` is answered. */
  onQuestion: (question: string) => Promise<void> | void;
  /** How many questions arrived on TCP. */
  onTcp: number;
  close(): Promise<void>;
}

/** The names that the indexer asks for to check a resolver. */
const rootsOfNames: Zone = { com: { NS: ['a.gtld-servers.example'] } };

const codes = { NXDOMAIN: 3, SERVFAIL: 2, REFUSED: 5 };
/** The longest answer on UDP, in bytes, unless the question allows more. */
const smallestAnswer = 512;

export async function startDnsServer(given: Zone): Promise<DnsServer> {
  const tcp = createServer();
  const { udp, port } = await bindBoth(tcp);
  const server: DnsServer = {
    address: `127.0.0.1:${port}`,
    zone: { ...rootsOfNames, ...given },
    questions: [],
    onQuestion: () => {},
    onTcp: 0,
    async close() {
      for (const socket of sockets) socket.destroy();
      await Promise.all([new Promise<void>((closed) => udp.close(closed)), new Promise((closed) => tcp.close(closed))]);
    },
  };
  const sockets = new Set<Socket>();
  const reply = async (query: DecodedPacket): Promise<Buffer> => {
    const question = query.questions?.[0] as Question;
    const asked = `${question.type} ${question.name}`;
    server.questions.push(asked);
    await server.onQuestion(asked);
    return answer(query, question, server.zone);
  };
  udp.on('message', async (message, from) => {
    const query = packet.decode(message);
    const whole = await reply(query);
    const limit = query.additionals?.find((one) => one.type === 'OPT')?.udpPayloadSize ?? smallestAnswer;
    const isCut = whole.length > limit;
    udp.send(isCut ? encode(query, { flags: packet.TRUNCATED_RESPONSE }) : whole, from.port, from.address);
  });
  tcp.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    let received = Buffer.alloc(0);
    socket.on('data', async (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      while (received.length >= 2 && received.length >= 2 + received.readUInt16BE()) {
        const end = 2 + received.readUInt16BE();
        server.onTcp += 1;
        const query = packet.decode(received.subarray(2, end));
        received = received.subarray(end);
        const whole = await reply(query);
        const length = Buffer.alloc(2);
        length.writeUInt16BE(whole.length);
        socket.write(Buffer.concat([length, whole]));
      }
    });
  });
  return server;
}

/** Tries several ports: if a TCP port is free, the UDP port of the same number may still be taken. */
async function bindBoth(tcp: ReturnType<typeof createServer>) {
  for (;;) {
    await once(tcp.listen(0, '127.0.0.1'), 'listening');
    const { port } = tcp.address() as AddressInfo;
    const udp = createSocket('udp4');
    try {
      await once(udp.bind(port, '127.0.0.1'), 'listening');
      return { udp, port };
    } catch {
      udp.close();
      await new Promise((closed) => tcp.close(closed));
    }
  }
}

function answer(query: DecodedPacket, question: Question, zone: Zone): Buffer {
  const records = zone[question.name.toLowerCase()];
  if (records === undefined) return encode(query, { flags: codes.NXDOMAIN });
  if (typeof records === 'string') return encode(query, { flags: codes[records] });
  const chain: Answer[] = [];
  let name = question.name;
  let found: Zone[string] | undefined = records;
  while (typeof found === 'object' && found.CNAME !== undefined && chain.length < 10) {
    chain.push({ type: 'CNAME', name, data: found.CNAME });
    name = found.CNAME;
    found = zone[name];
  }
  const answers = typeof found === 'object' ? answersOf({ ...question, name }, found) : [];
  return encode(query, { answers: [...chain, ...answers], flags: found === undefined ? codes.NXDOMAIN : 0 });
}

function answersOf({ type, name }: Question, records: Records): Answer[] {
  const values = records[type as RecordType & keyof Records] ?? [];
  return [values].flat().map((value, at): Answer => {
    const data = type === 'MX' ? { preference: at, exchange: value } : value;
    return { type, name, ttl: 60, data } as Answer;
  });
}

function encode({ id, questions = [] }: DecodedPacket, given: Parameters<typeof packet.encode>[0]): Buffer {
  return packet.encode({ type: 'response', id: id ?? 0, questions, ...given });
}
