import type { Logger } from 'pino';
import { type MailDeps, Mails } from '#accounts/mails.ts';
import type { Config } from '#src/settings/config.ts';
import type { Backends } from './open-backends.ts';

/** How often mails that wait are looked for, in milliseconds. */
const everyMs = 10_000;

/** Opens the mails to buyers, and sends those that wait until the signal. Null if no mail server is set. */
export async function openMails(
  { smtp }: Pick<Config, 'smtp'>,
  backends: Backends,
  { pepper, log, signal }: { pepper: string; log: Logger; signal: AbortSignal },
): Promise<(publicUrl: string) => Mails | null> {
  if (smtp === null) return () => null;
  // Loaded only where it is needed, as payments are.
  const { createSmtpMailer } = await import('#src/mail/smtp-mailer.ts');
  return (publicUrl) => {
    const deps: MailDeps = {
      ...backends,
      pepper,
      publicUrl,
      mailer: createSmtpMailer(smtp),
      log,
      now: () => new Date(),
    };
    const mails = new Mails(deps);
    const send = () => mails.sendDue().catch((err) => log.warn({ err }, 'mails that wait could not be read'));
    const timer = setInterval(send, everyMs).unref();
    signal.addEventListener('abort', () => clearInterval(timer));
    return mails;
  };
}
