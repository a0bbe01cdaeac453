import { isIP } from 'node:net';
import { connect } from 'node:tls';

/** How often to look, and how long the server may take, in milliseconds. */
const everyMs = 6 * 60 * 60 * 1_000;
const timeoutMs = 10_000;

/** Looks at the certificate that callers of a public https URL get, at the start and every six hours. */
export function watchCertificate(publicUrl: string, onEnd: (end: Date | null) => void): void {
  const { protocol, hostname, port } = new URL(publicUrl);
  if (protocol !== 'https:') return;
  const look = async () => onEnd(await findCertificateEnd(hostname, Number(port) || 443));
  setInterval(look, everyMs).unref();
  void look();
}

/** Until when the certificate of a server is valid; null if the server does not answer. Trusts any: only the date counts. */
export function findCertificateEnd(host: string, port: number): Promise<Date | null> {
  return new Promise((resolve) => {
    const socket = connect({
      host,
      port,
      servername: isIP(host) ? '' : host,
      rejectUnauthorized: false,
      timeout: timeoutMs,
    });
    const end = (date: Date | null) => {
      socket.destroy();
      resolve(date);
    };
    socket.once('secureConnect', () => {
      const { valid_to } = socket.getPeerCertificate();
      end(valid_to === undefined ? null : new Date(valid_to));
    });
    socket.once('timeout', () => end(null));
    socket.once('error', () => end(null));
  });
}
