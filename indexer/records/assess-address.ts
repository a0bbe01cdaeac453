import { disposableEmailBlocklistSet } from 'disposable-email-domains-js';
import type { FirstContact } from '#records/contacts/contact.ts';
import type { MediaRecord } from '#records/media-record.ts';
import { normalizeEmail } from '#records/normalize/normalize-email.ts';
import type { EmailStatus } from '#records/vocabularies.ts';
import { hostAndParents, hostOfUrl } from '#text/hosts.ts';
import { isMailProvider } from '#text/pages.ts';

/**
 * What DNS says about a mail domain. `unknown`: there was no answer, or none that can be relied on. An address is never called
 * invalid because of that.
 */
export type DomainAnswer = 'takes_mail' | 'no_mail_server' | 'no_such_domain' | 'unknown';

/** What a check finds out about an address, in the order of reports. */
export const findings = ['takes_mail', 'webmail', 'disposable', 'no_such_domain', 'no_mail_server', 'unknown'] as const;
export type Finding = (typeof findings)[number];

/** The domain of an address as imports read it, in lower-case ASCII; null if the text is not an address. */
export function domainOfAddress(email: string): string | null {
  const result = normalizeEmail(email);
  return 'email' in result ? result.email.slice(result.email.lastIndexOf('@') + 1) : null;
}

const disposable = disposableEmailBlocklistSet();

/** @param domain of the record's address */
export function assessAddress({ url }: Pick<MediaRecord, 'url'>, domain: string, answer: DomainAnswer): Finding {
  if (answer !== 'takes_mail') return answer;
  if (hostAndParents(domain).some((host) => disposable.has(host))) return 'disposable';
  // Some publishers give mailboxes to the public, so they are on the list. Their own address at their domain is not webmail.
  const host = url === null ? null : hostOfUrl(url);
  const isOwn = host !== null && hostAndParents(host).includes(domain);
  return isMailProvider(domain) && !isOwn ? 'webmail' : 'takes_mail';
}

/** The fields that a check changes. */
type CheckedAddress = Partial<Pick<FirstContact, 'email_status' | 'last_verified_at'>>;

/**
 * What a finding changes; null for nothing. DNS knows domains, not mailboxes: if a domain takes mail, the address becomes
 * `valid` only if its status was unknown. An unknown domain does not count as verified. `at`: ISO 8601, UTC.
 */
export function applyFinding(
  { email_status: stored }: Pick<FirstContact, 'email_status'>,
  finding: Finding,
  at: string,
): CheckedAddress | null {
  const isOpen = stored === null || stored === 'unknown';
  const checked = (status: EmailStatus | null) => ({ email_status: status, last_verified_at: at });
  switch (finding) {
    case 'unknown':
      return stored === null ? { email_status: 'unknown' } : null;
    case 'no_such_domain':
    case 'no_mail_server':
      return checked('invalid');
    case 'disposable':
      return checked(isOpen || stored !== 'invalid' ? 'disposable' : stored);
    case 'webmail':
      return checked(isOpen ? 'webmail' : stored);
    case 'takes_mail':
      return checked(isOpen ? 'valid' : stored);
  }
}
