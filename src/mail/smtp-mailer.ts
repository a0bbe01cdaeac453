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
export function createSmtpMailer({ host, port, isSecure, auth, from }: SmtpServer): Mailer {
  const transport = createTransport({
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
  return {
    async send(mail) {
      try {
        await transport.sendMail({ from, ...mail });
      } catch (error) {
        const { code, responseCode } = Object(error);
        if (code === 'EENVELOPE' && responseCode >= 500) throw new MailRefused('the mail server refused the address');
        throw error;
      }
    },
  };
}
