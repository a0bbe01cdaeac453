import ipaddr from 'ipaddr.js';
import { trimEnd } from '#text/fold.ts';
import { canonicalHost, findHost } from '#text/hosts.ts';
import { holdsAddress, scrubUrl } from '../addresses/scrub-addresses.ts';
import { urlLimit } from './clean-text.ts';
import { stripMarkup } from './strip-markup.ts';

/** What was done to a URL that its owner should know about. */
type UrlChange = 'several_values' | 'password_removed' | 'address_removed';

type UrlFault = 'not_a_web_address' | 'not_public' | 'too_long' | 'unreadable';

type UrlResult = { url: string; changes: readonly UrlChange[] } | { fault: UrlFault };

const control = /[\p{Cc}--[\t\n\r]]/v;
const webScheme = /^https?:/i;
/** A scheme, and not a host with a port. */
const anyScheme = /^[a-z][a-z0-9+-]*:(?!\d)/i;
/** `http://http://host/`: the result of pasting after an existing scheme. */
const doubledScheme = /^(?:https?:\/*)+(?=https?:\/\/)/i;
/** What people put before a page that they have checked: `✅ https://x.example`. */
const marks = /^(?:\s|\p{So}\p{M}?)+/u;
const nextUrl = /[\s,;|](?=https?:\/\/|www\.)/i;

/** The first http or https URL of a cell with a public host, without password and email addresses. `base` completes paths. */
export function normalizeUrl(text: string, base: string | null = null): UrlResult {
  const cell = urlInMarkdown(text) ?? text.trim();
  if (cell.length > 2 * urlLimit) return { fault: 'too_long' };
  if (control.test(cell)) return { fault: 'unreadable' };
  const [firstUrl = '', second] = splitUrls(stripMarkup(cell).replace(marks, '').trim());
  // Browsers treat a backslash as a slash, which would split the address.
  const first = firstUrl.includes('\\') && holdsAddress(firstUrl) ? firstUrl.replaceAll('\\', '%5C') : firstUrl;
  const absolute = withScheme(first.replace(doubledScheme, ''), base);
  if (absolute === null) return { fault: anyScheme.test(first) ? 'not_a_web_address' : 'unreadable' };
  const parsed = URL.parse(absolute);
  if (parsed === null) return { fault: 'unreadable' };
  if (!isPublicHost(parsed.hostname)) return { fault: 'not_public' };
  const changes: UrlChange[] = second === undefined ? [] : ['several_values'];
  if (parsed.username !== '' || parsed.password !== '') {
    changes.push('password_removed');
    parsed.username = '';
    parsed.password = '';
  }
  parsed.hostname = parsed.hostname.replace(/\.$/, '');
  const scrubbed = scrubUrl(parsed).href;
  if (scrubbed !== parsed.href) changes.push('address_removed');
  return scrubbed.length > urlLimit ? { fault: 'too_long' } : { url: scrubbed, changes };
}

/** The URL of a cell that is a link in Markdown, `[Radio Nord](https://nord.example)` or `<https://nord.example>`; else null. */
export function urlInMarkdown(text: string): string | null {
  return linkInMarkdown.exec(text.trim())?.[1] ?? null;
}

const linkInMarkdown = /^(?:\[[^\]]*\]\(<?|<)(https?:\/\/[^\s<>)]+)>?\)?$/i;

/** The first URL of a cell and, if there is another, what follows it. */
function splitUrls(text: string): [string, string?] {
  const next = text.search(nextUrl);
  return next < 0 ? [text] : [trimEnd(text.slice(0, next), ' \t\n\r,;|'), text.slice(next + 1)];
}

function withScheme(text: string, base: string | null): string | null {
  if (webScheme.test(text)) return text;
  if (text.startsWith('//')) return `https:${text}`;
  if (text.startsWith('/')) return base === null ? null : (URL.parse(text, base)?.href ?? null);
  if (anyScheme.test(text)) return null;
  return findHost(text) === null ? null : `https://${text}`;
}

/** URLs write IP addresses in only one form: four decimal numbers, or in brackets. */
const ipHost = /^\[|^\d+\.\d+\.\d+\.\d+\.?$/;

function isPublicHost(hostname: string): boolean {
  if (ipHost.test(hostname)) return ipaddr.process(hostname.replace(/^\[|\.$|\]$/g, '')).range() === 'unicast';
  return canonicalHost(hostname) !== null && !/\.(?:localhost|local|internal)\.?$/.test(hostname);
}

/** Without scheme, `www.`, end slash and fragment: `https://www.example.com/news/#top` → `example.com/news`. */
export function urlKey(url: string): string {
  const { hostname, port, pathname, search } = new URL(url);
  const host = canonicalHost(hostname) ?? hostname;
  return `${host}${port === '' ? '' : `:${port}`}${trimEnd(pathname, '/')}${search}`;
}
