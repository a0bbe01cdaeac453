import { holdsAddress } from './addresses/scrub-addresses.ts';
import { normalForm } from './normal-form.ts';
import { normalizeEmail } from './normalize/normalize-email.ts';
import { normalizeId } from './normalize/normalize-id.ts';
import { findHost, isPublicSuffix } from './search/hosts.ts';
import { type SuppressedKind, suppressionKey } from './suppression.ts';

/** What an operator gave, as the key of a suppression; or what is wrong with it, in words that hold no address. */
export type ReadSuppression = { key: string } | { fault: string };

/**
 * Reads what is to be suppressed, spelled as people spell it: an address as imports take it (`Jane <jane@x.org>`,
 * `mailto:…`), in any case; a domain as a host, a URL, `*.x.org` or `@x.org`, in any script; the id of a record.
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

/** The longest reason, in UTF-16 code units. */
const reasonLimit = 500;

/** What is wrong with the reason for a suppression; null where it will do. It is shown and kept, so it may hold no address. */
export function faultOfReason(reason: string): string | null {
  if (reason.length > reasonLimit) return `the reason has more than ${reasonLimit} characters: shorten it`;
  if (reason.includes('@') || holdsAddress(reason)) return 'the reason seems to hold an email address: say it without';
  if (/\p{Cc}/u.test(reason)) return 'the reason holds control characters or line breaks: give it as one line of text';
  return null;
}

function readAddress(text: string): ReadSuppression {
  const result = normalizeEmail(text);
  if ('fault' in result) return { fault: 'that is no plain address: give it as name@example.org' };
  if (result.isFirstOfSeveral) return { fault: 'those are several addresses: give one at a time' };
  return { key: suppressionKey('address', result.email) };
}

/** The longest domain or URL that is looked at, in UTF-16 code units. */
const domainLimit = 2_048;

function readDomain(text: string): ReadSuppression {
  if (text.length > domainLimit) return { fault: 'that is no domain: give it as example.org or as a URL' };
  const given = normalForm(text, 'NFKC')
    .trim()
    .replace(/^(?:@|\*?\.)/, '');
  if (given.includes('@')) {
    return { fault: 'that is an address and no domain: give it as one, or as a domain only what follows its @' };
  }
  const name = given.replace(/^[a-z][a-z0-9+.-]*:\/\//i, '').split(/[/?#:]/, 1)[0] ?? '';
  const host = findHost(`https://${name}`);
  // `com` alone is no host.
  const suffix = host ?? name.toLowerCase().replace(/\.$/, '');
  if (isPublicSuffix(suffix)) {
    return {
      fault: `anybody may have a name under ${suffix}: give the whole name, such as example.${suffix}, or the ids of the records`,
    };
  }
  if (host === null) return { fault: 'that is no domain: give it as example.org or as a URL' };
  return { key: suppressionKey('domain', host) };
}

function readRecordId(text: string): ReadSuppression {
  const result = normalizeId(text);
  if ('id' in result)
    return result.id === null ? { fault: 'the id is empty' } : { key: suppressionKey('record', result.id) };
  return { fault: 'that can be no id of a record: ids hold no address, no control characters, and are short' };
}
