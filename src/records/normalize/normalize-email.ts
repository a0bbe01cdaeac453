import { normalForm, trimEnd } from '#text/fold.ts';
import { holdsAddress } from '../addresses/scrub-addresses.ts';
import { emailLimit } from './clean-text.ts';
import { stripMarkup } from './strip-markup.ts';

type EmailFault = 'unreadable' | 'obfuscated' | 'masked' | 'too_long';

type EmailResult = { email: string; isFirstOfSeveral: boolean } | { fault: EmailFault };

const control = /\p{Cc}/u;
/** What people and mail tools write before an address. */
const label = /^(?:mailto|e-?mail(?: address)?|contact|mail)\s*:\s*/i;
/** The characters of RFC 5322 atoms that occur in real addresses: no `*`, which marks a mask, no `|`, no backtick. */
const localPart = /^[a-z0-9!#$%&'+/=?^_{}~-]+(?:\.[a-z0-9!#$%&'+/=?^_{}~-]+)*$/i;
const domainName = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?:[a-z]{2,63}|xn--[a-z0-9-]{1,59})$/;

/** The first address, its domain in lower-case ASCII; no spelled-out or masked one: a guess would reach a stranger. */
export function normalizeEmail(text: string): EmailResult {
  if (text.length > 20 * emailLimit) return { fault: 'too_long' };
  if (control.test(text.trim().replace(/[\t\n\r]/g, ' '))) return { fault: 'unreadable' };
  const cell = normalForm(stripMarkup(text), 'NFKC').trim();
  const words = unwrap(cell)
    .trim()
    .replace(label, '')
    .split(/[\s,;|]+/);
  // `via editor@x.org`
  const address = words.find((word) => /[^@]@[^@]/.test(word)) ?? words[0] ?? '';
  if (!address.includes('@')) return { fault: !cell.includes('@') && holdsAddress(cell) ? 'obfuscated' : 'unreadable' };
  if (address.includes('*')) return { fault: 'masked' };
  const [beforeQuery = ''] = address.replace(/^mailto:/i, '').split('?', 1);
  const plain = beforeQuery.replace(/^["'([<]+/, '');
  const bare = trimEnd(plain, '"\')]>.:');
  const at = bare.lastIndexOf('@');
  const local = bare.slice(0, at);
  const domain = asciiDomain(bare.slice(at + 1));
  if (!localPart.test(local) || local.length > 64 || !domainName.test(domain)) return { fault: 'unreadable' };
  const email = `${local}@${domain}`;
  if (email.length > emailLimit) return { fault: 'too_long' };
  const atSigns = cell.match(/@/g)?.length ?? 1;
  return { email, isFirstOfSeveral: atSigns > 1 };
}

/** All addresses of a text, each once: `ann@x.org, ann@y.org`. */
export function listEmails(text: string): string[] {
  if (text.length > 20 * emailLimit) return [];
  const words = text.split(/[\s,;|/<>()[\]"]+/).filter((word) => /[^@]@[^@]/.test(word));
  const emails = words.flatMap((word) => {
    const result = normalizeEmail(word);
    return 'email' in result ? [result.email] : [];
  });
  return [...new Set(emails)];
}

/** A text without its words that may be addresses. */
export function withoutEmails(text: string): string {
  return text
    .split(/\s/)
    .filter((word) => !word.includes('@'))
    .join(' ');
}

/** The content of angle brackets around the first @: `Desk <desk@example.com>`; the text itself if there are none. */
function unwrap(text: string): string {
  const at = text.indexOf('@');
  const start = text.lastIndexOf('<', at) + 1;
  const end = text.indexOf('>', start);
  return start > 0 && at > 0 && end > at && !text.slice(at, end).includes('<') ? text.slice(start, end) : text;
}

/** The domain in DNS form: lower case, other scripts in punycode; the text itself if it is not a domain. */
function asciiDomain(domain: string): string {
  if (/^[a-z0-9.-]+$/i.test(domain)) return domain.toLowerCase();
  return URL.parse(`http://${domain.replace(/[/?#:@\\]/g, ' ')}`)?.hostname ?? domain;
}
