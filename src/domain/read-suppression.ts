import { holdsAddress } from './addresses/scrub-addresses.ts';
import { normalForm } from './normal-form.ts';
import { normalizeEmail } from './normalize/normalize-email.ts';
import { normalizeId } from './normalize/normalize-id.ts';
import { findHost, isPublicSuffix } from './search/hosts.ts';
import { type SuppressedKind, suppressionKey } from './suppression.ts';

/** An operator's input as the key of a suppression; or what is wrong with it, without quoting an address. */
export type ReadSuppression = { key: string } | { fault: string };

/**
 * Reads what to suppress, as people spell it: an address as imports accept it (`Jane <jane@x.org>`, `mailto:…`), in any
 * case; a domain as a host, a URL, `*.x.org` or `@x.org`, in any script; the id of a record.
 */
export function readSuppression(kind: SuppressedKind, text: string): ReadSuppression {
  switch (kind) {
    case 'address':
      return readAddress(text);
    case 'domain':
      return readDomain(text);
    case 'record':
      return readRecordId(text);
  }
}

/** Maximum length of a reason, in UTF-16 code units. */
const reasonLimit = 500;

/**
 * What is wrong with the reason for a suppression; null if it is valid. It is shown and stored, so it must not contain
 * an address.
 */
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

/** Maximum length of a domain or URL, in UTF-16 code units. */
const domainLimit = 2_048;

function readDomain(text: string): ReadSuppression {
  if (text.length > domainLimit) return { fault: 'not a domain: use a form like example.org, or a URL' };
  const given = normalForm(text, 'NFKC')
    .trim()
    .replace(/^(?:@|\*?\.)/, '');
  if (given.includes('@')) {
    return { fault: 'an address, not a domain: pass it as an address, or only the part after the @' };
  }
  const name = given.replace(/^[a-z][a-z0-9+.-]*:\/\//i, '').split(/[/?#:]/, 1)[0] ?? '';
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
  if ('id' in result)
    return result.id === null ? { fault: 'the id is empty' } : { key: suppressionKey('record', result.id) };
  return { fault: 'not a valid record id: ids are short and contain no address and no control characters' };
}
