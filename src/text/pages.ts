import providers from 'email-providers/all.json' with { type: 'json' };
import { normalForm, trimEnd } from './fold.ts';
import { findHost, isPublicSuffix, typedUrl } from './hosts.ts';
import { once } from './memoize.ts';

/**
 * What identifies a page: host and path. Scheme, `www.`, port, query, fragment and a slash at the end do not count, the case
 * of the path does (contract A19).
 */
export interface WebPage {
  /** As findHost has it. */
  host: string;
  /** From its first slash on, with other scripts as they are read; empty for the page at the root of the host. */
  path: string;
}

/** Scheme and host, and behind them the path. */
const urlParts = /^(?:[a-z][a-z0-9+.-]*:\/\/)?[^/?#]*([^?#]*)/i;
/** What sentences and lists put behind a URL. */
const punctuation = '/])>,;:.!';

/** The page that a URL, or a host with or without a path, names; null for other text. Ignores punctuation behind it. */
export function findPage(text: string): WebPage | null {
  const host = findHost(text);
  return host === null ? null : { host, path: readPath(urlParts.exec(text)?.[1] ?? '') };
}

/** The page of a URL, host or address (as its host), read as in a typed query; null for other text. */
export function typedPage(text: string): WebPage | null {
  return findPage(typedUrl(text) ?? '');
}

/** One text for a page: `journals.example/lighthouse`. */
export function pageKey({ host, path }: WebPage): string {
  return host + path;
}

/** The path in one spelling, whether or not its characters are encoded. */
function readPath(path: string): string {
  const bare = trimEnd(path, punctuation);
  if (bare === '') return '';
  const encoded = URL.parse(`http://host.example${bare}`)?.pathname ?? bare;
  return trimEnd(normalForm(decode(encoded), 'NFC'), punctuation);
}

function decode(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    // Escapes of another encoding than UTF-8 stay.
    return path;
  }
}

const mailProviders = once((): ReadonlySet<string> => new Set(providers));

/** Whether a host gives mailboxes to the public. Some publishers do, too. */
export function isMailProvider(host: string): boolean {
  return mailProviders().has(host);
}

/**
 * Whether a host stands for no medium, whoever has a page or an address there: mail providers, and suffixes under which anybody
 * can register a name, such as `blogspot.com`. `name.blogspot.com` is a host of its own (contract A19).
 */
export function standsForNobody(host: string): boolean {
  return isMailProvider(host) || isPublicSuffix(host);
}
