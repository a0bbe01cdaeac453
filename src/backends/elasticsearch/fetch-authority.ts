import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { isIP } from 'node:net';
import { connect, type DetailedPeerCertificate, type TLSSocket } from 'node:tls';
import { StartupError } from '#src/startup-error.ts';
import { EngineDown } from '../engine-readiness.ts';

/** How long a node may take to present its certificates, in milliseconds. */
const timeoutMs = 1_800;

/**
 * The certificate with this SHA-256 fingerprint, in PEM form, from those a node presents. Nothing is trusted here: the
 * connections made with it check what the certificate has signed and for which host. The client's own fingerprint
 * option checks neither.
 *
 * @throws EngineDown while no node answers, StartupError if no answering node presents it.
 */
export async function fetchAuthority(nodes: readonly string[], fingerprint: string): Promise<string> {
  const shown = await Promise.allSettled(nodes.map((node) => readCertificates(new URL(node))));
  const answers = shown.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
  const authority = answers
    .flat()
    .find(({ fingerprint256 }) => fingerprint256.replaceAll(':', '').toLowerCase() === fingerprint);
  if (authority !== undefined) return new X509Certificate(authority.raw).toString();
  const hosts = nodes.map((node) => new URL(node).host).join(', ');
  if (answers.length === 0) throw new EngineDown(`Elasticsearch does not answer at ${hosts} (no TLS connection)`);
  throw new StartupError(
    `No certificate of Elasticsearch at ${hosts} matches ELASTICSEARCH_CA_FINGERPRINT. Check it, or set ELASTICSEARCH_CA_FILE instead.`,
  );
}

/** The node's certificate and its chain of authorities. */
async function readCertificates({ hostname, port }: URL): Promise<DetailedPeerCertificate[]> {
  const host = hostname.replace(/^\[|\]$/g, '');
  const servername = isIP(host) === 0 ? { servername: host } : {};
  const socket = connect({ host, port: Number(port || 443), rejectUnauthorized: false, ...servername });
  try {
    await once(socket, 'secureConnect', { signal: AbortSignal.timeout(timeoutMs) });
    return chainOf(socket);
  } finally {
    socket.destroy();
  }
}

function chainOf(socket: TLSSocket): DetailedPeerCertificate[] {
  const chain: DetailedPeerCertificate[] = [];
  // The last certificate is self-signed.
  for (let next = socket.getPeerCertificate(true); next?.raw && !chain.includes(next); next = next.issuerCertificate) {
    chain.push(next);
  }
  return chain;
}
