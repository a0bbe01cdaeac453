import { normalForm } from '#text/fold.ts';
import { findHost, isPublicSuffix } from '#text/hosts.ts';
import { holdsAddress } from './addresses/scrub-addresses.ts';
import { normalizeEmail } from './normalize/normalize-email.ts';
import { normalizeId } from './normalize/normalize-values.ts';
import {
  hashLength,
  type NamedKind,
  recordOfKey,
  type SuppressedKind,
  suppressedKinds,
  suppressionKey,
} from './suppression.ts';

/** An operator's input as the key of a suppression; or what is wrong with it, without quoting an address. */
type ReadSuppression = { key: string } | { fault: string };

/** Reads what to suppress: an address such as `Jane <jane@x.org>`; a domain, also as a URL or `*.x.org`; the id of a record. */
export function readSuppression(kind: NamedKind, text: string): ReadSuppression {
  return { address: readAddress, domain: readDomain, record: readRecordId }[kind](text);
}

/** The key of an entry as another store has it, checked. */
export function readSuppressionKey(text: string): ReadSuppression {
  const kind = suppressedKinds.find((suppressedKind) => text.startsWith(`${suppressedKind} `));
  if (kind === undefined) return { fault: 'its key has no kind that this version knows' };
  return isSoundKey(kind, text) ? { key: text } : { fault: `its key is not that of a suppressed ${kind}` };
}

const hashed = new RegExp(`^[\\w-]{${hashLength}}$`);

function isSoundKey(kind: SuppressedKind, key: string): boolean {
  if (kind === 'address') return hashed.test(key.slice('address '.length));
  const value = recordOfKey(key) ?? key.slice('domain '.length);
  if (kind !== 'contact') return suppressionKey(kind, value) === keyOf(readSuppression(kind, value));
  return key === `contact ${value} ${key.slice(-hashLength)}` && hashed.test(key.slice(-hashLength)) && isId(value);
}

function isId(text: string): boolean {
  return keyOf(readRecordId(text)) === suppressionKey('record', text);
}

function keyOf(suppression: ReadSuppression): string | null {
  return 'key' in suppression ? suppression.key : null;
}

/** Maximum length of a reason, in UTF-16 code units. */
const reasonLimit = 500;

/** Null if it is valid. A reason is shown and stored, so it must not contain an address. */
export function faultOfReason(reason: string): string | null {
  if (reason.length > reasonLimit) return `the reason is longer than ${reasonLimit} characters: shorten it`;
  if (reason.includes('@') || holdsAddress(reason)) return 'the reason seems to contain an email address: remove it';
  if (/\p{Cc}/u.test(reason)) return 'the reason contains control characters or line breaks: write one line of text';
  return null;
}

function readAddress(text: string): ReadSuppression {
  const result = normalizeEmail(text);
  if ('fault' in result) return { fault: 'not a plain address: use a form like name@example.org' };
  if (result.isFirstOfSeveral) return { fault: 'several addresses: pass one at a time' };
  return { key: suppressionKey('address', result.email) };
}

function readDomain(text: string): ReadSuppression {
  const typed = normalForm(text.slice(0, 2_048), 'NFKC')
    .trim()
    .replace(/^(?:@|\*?\.)/, '');
  if (typed.includes('@')) {
    return { fault: 'an address, not a domain: pass it as an address, or only the part after the @' };
  }
  const name = typed.replace(/^[a-z][a-z0-9+.-]*:\/\//i, '').split(/[/?#:]/, 1)[0] ?? '';
  const host = findHost(`https://${name}`);
  // `com` alone is not a host.
  const suffix = host ?? name.toLowerCase().replace(/\.$/, '');
  if (isPublicSuffix(suffix)) {
    return {
      fault: `anybody can register a name under ${suffix}: use the full name, such as example.${suffix}, or the ids of the records`,
    };
  }
  if (host === null) return { fault: 'not a domain: use a form like example.org, or a URL' };
  return { key: suppressionKey('domain', host) };
}

function readRecordId(text: string): ReadSuppression {
  const result = normalizeId(text);
  if ('fault' in result) {
    return { fault: 'not a valid record id: ids are short and contain no address and no control characters' };
  }
  return result.id === null ? { fault: 'the id is empty' } : { key: suppressionKey('record', result.id) };
}
