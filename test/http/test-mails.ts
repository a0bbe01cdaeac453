import { Mails } from '#accounts/mails.ts';
import { createSmtpMailer } from '#src/mail/smtp-mailer.ts';
import { loadConfig } from '#src/settings/config.ts';
import type { Backends } from '#src/start/open-backends.ts';
import { pepper } from './test-service.ts';

/** Mails that a service sends by this server. `onWarning`: takes the lines of its log. */
export function openTestMails(
  backends: Pick<Backends, 'mailQueue' | 'orders' | 'keys' | 'signInCodes'>,
  options: { smtpUrl: string; publicUrl: string; now: () => Date; onWarning?: (line: string) => void },
): Mails {
  const { smtpUrl, onWarning = () => {}, ...deps } = options;
  const { smtp } = loadConfig({ SMTP_URL: smtpUrl, CONTACT_EMAIL: 'plans@masthead.example' });
  if (smtp === null) throw new Error('mail is not set up');
  const log = { warn: (fields: object, message: string) => onWarning(JSON.stringify({ ...fields, message })) };
  return new Mails({ ...backends, ...deps, pepper, mailer: createSmtpMailer(smtp), log });
}
