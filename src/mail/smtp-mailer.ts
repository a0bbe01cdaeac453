import { createTransport } from 'nodemailer';
import { type Mailer, MailRefused } from '#accounts/mails.ts';
import { isLoopbackHost } from '#text/hosts.ts';

/** A mail server, and who writes: `from` is an address. */
export interface SmtpServer {
  host: string;
  port: number;
  /** TLS from the first byte (smtps). Otherwise the connection is encrypted if the server offers it. */
  isSecure: boolean;
  auth: { user: string; pass: string } | null;
  from: { name: string; address: string };
}

/** In milliseconds; all together less than the time until the next attempt. */
const timeouts = { dnsTimeout: 5_000, connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 };

/** Sends each mail by a connection of its own. */
export function createSmtpMailer(server: SmtpServer): Mailer {
  const transport = connect(server);
  return {
    async send(mail) {
      try {
        await transport.sendMail({ from: server.from, ...mail });
      } catch (error) {
        const { code, responseCode } = Object(error);
        if (code === 'EENVELOPE' && responseCode >= 500) throw new MailRefused('the mail server refused the address');
        throw error;
      }
    },
  };
}

/** Signs in and sends nothing. Throws an Error that says what is wrong, without what the server answered: it may quote the user. */
export async function tryMailServer(server: SmtpServer): Promise<void> {
  try {
    await connect(server).verify();
  } catch (error) {
    const { code } = Object(error);
    const { host, port } = server;
    if (code === 'EAUTH') throw new Error('The mail server refuses the user or the password of SMTP_URL.');
    throw new Error(`The mail server does not answer at ${host}:${port} as SMTP_URL says (${code}).`);
  }
}

function connect({ host, port, isSecure, auth }: SmtpServer) {
  return createTransport({
    host,
    port,
    secure: isSecure,
    ...(auth !== null && { auth }),
    // A password is never sent in the clear over a network.
    requireTLS: auth !== null && !isSecure && !isLoopbackHost(host),
    disableFileAccess: true,
    disableUrlAccess: true,
    ...timeouts,
  });
}
