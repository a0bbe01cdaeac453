import { disposableEmailBlocklistSet } from 'disposable-email-domains-js';
import providers from 'email-providers/all.json' with { type: 'json' };
import { hostAndParents } from '#text/hosts.ts';

const disposable = disposableEmailBlocklistSet();
const webmail: ReadonlySet<string> = new Set(providers);

/**
 * Whether a mail domain (lower-case ASCII) belongs to a provider of throw-away addresses, also below one of its domains, or to
 * one where anybody has a mailbox, such as gmail.com; null if neither list has it.
 */
export function kindOfProvider(domain: string): 'disposable' | 'webmail' | null {
  if (hostAndParents(domain).some((host) => disposable.has(host))) return 'disposable';
  return webmail.has(domain) ? 'webmail' : null;
}
