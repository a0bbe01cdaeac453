import ipaddr from 'ipaddr.js';
import { getDomain, parse } from 'tldts';
import { normalForm, trimEnd, withoutInvisible } from './fold.ts';
import { memoize } from './memoize.ts';
import hosting from './platforms.json' with { type: 'json' };

/** Reserved top-level domains (RFC 2606): in no suffix list, but written like any other. */
const reservedTopLevel = /\.(example|test|invalid|localhost)$/;

const hostPattern = /^(?:[\p{L}\p{N}_](?:[\p{L}\p{N}_-]*[\p{L}\p{N}_])?\.)+[\p{L}\p{N}-]{2,}$/u;

const asciiHost = /^[a-z0-9._-]+$/;

/** The host in indexed form: lower case, ASCII, without `www.` and a trailing full stop; null if it is not a host. */
export function canonicalHost(text: string): string | null {
  const host = text.toLowerCase().replace(/\.$/, '');
  if (!hostPattern.test(host)) return null;
  const ascii = asciiHost.test(host) ? host : URL.parse(`http://${host}`)?.hostname;
  const short = ascii?.replace(/^www\d?\./, '');
  return short?.includes('.') ? short : null;
}

const scheme = /^[a-z][a-z0-9+.-]*:\/\//i;

/** The host that a word is or, as a URL, starts with; null if neither. `Seattlepi.com/`, `http://x.org:80/a?b` */
export function findHost(text: string): string | null {
  const authority = text.replace(scheme, '').split(/[/?#]/, 1)[0] ?? '';
  const host = trimEnd(authority.replace(/^[<([]+/, ''), '])>,;:.!').replace(/:\d*$/, '');
  return scheme.test(text) || looksLikeHost(host) ? canonicalHost(host) : null;
}

/** Whether the text looks like a public host or one under a reserved domain: `nytimes.com`, not `St.Louis`. */
function looksLikeHost(text: string): boolean {
  const host = canonicalHost(text);
  return host !== null && (reservedTopLevel.test(host) || parse(host).isIcann === true);
}

/**
 * The host and its parent domains down to the registered name, the host first: `news.bbc.co.uk` → `['news.bbc.co.uk',
 * 'bbc.co.uk']`. Public suffixes (`blogspot.com`) end the list too.
 */
export function hostAndParents(host: string): string[] {
  const registered = registeredName(host);
  const hosts = [host];
  let rest = host;
  while (rest !== registered && rest.endsWith(`.${registered}`)) {
    rest = rest.slice(rest.indexOf('.') + 1);
    hosts.push(rest);
  }
  return hosts;
}

/** The registered name of a host: `bbc.co.uk` of `news.bbc.co.uk`. */
const registeredName = memoize((host) => getDomain(host, { allowPrivateDomains: true }) ?? host);

/** Whether anybody can register a name under this one: `com`, `co.uk`, `blogspot.com`. */
export function isPublicSuffix(name: string): boolean {
  const { publicSuffix, isIcann, isPrivate } = parse(name, { allowPrivateDomains: true });
  return publicSuffix === name && (isIcann === true || isPrivate === true);
}

const platforms: ReadonlySet<string> = new Set(hosting.platforms);
const namesOfPlatforms: ReadonlySet<string> = new Set(hosting.ofThePlatform);

/** The part of a host that people remember: `nytimes` of `www.nytimes.com`, `ann` of `ann.substack.com`. */
export function hostLabel(host: string): string {
  const registered = registeredName(host);
  const hostOfUser = platforms.has(registered) ? hostAndParents(host).at(-2) : undefined;
  const user = hostOfUser === undefined ? '' : firstLabel(hostOfUser);
  return user !== '' && !namesOfPlatforms.has(user) ? user : firstLabel(registered);
}

const firstLabel = (host: string) => host.split('.', 1)[0] ?? host;

/** The words of a host: its label, and behind it the platform on which it is. */
export function hostLabels(host: string): string[] {
  return [...new Set([hostLabel(host), hostLabel(registeredName(host))])];
}

/** The host of a URL in indexed form; null if it has none. Memoized, because several forms of a record need it. */
export const hostOfUrl = memoize((url): string | null => {
  const parsed = URL.parse(url);
  return parsed ? canonicalHost(parsed.hostname) : null;
});

/** Maximum characters of a host (RFC 1035): longer ones name nothing, and would cost the engines much. */
const maxHostLength = 253;

/** The host of a host, URL or address (`Jane Doe <jane@nytimes.com>`), read as in a typed query; null for other text. */
export function typedHost(text: string): string | null {
  return findHost(typedUrl(text) ?? '');
}

/** The host or URL that a text is, without what stands before the @ of an address; null for other text. */
export function typedUrl(text: string): string | null {
  const [, address = text] = /<([^<>@\s]+@[^<>@\s]+)>$/.exec(text.trim()) ?? [];
  const typed = withoutLocalParts(normalForm(withoutInvisible(address), 'NFC'));
  const host = /^-|[\s"]/.test(typed) ? null : findHost(typed);
  return host !== null && host.length <= maxHostLength ? typed : null;
}

const otherAtSigns = /＠|﹫|%40/g;

/** Drops what precedes an @, so no query can tell two addresses at one host apart. */
export function withoutLocalParts(text: string): string {
  return text
    .replace(otherAtSigns, '@')
    .replace(/"[^"]*"(?=@)/g, '')
    .split(/\s+/)
    .map((token) => (token.includes('@') && !isUrlWithAtInPath(token) ? withoutLocalPart(token) : token))
    .join(' ')
    .trim();
}

function withoutLocalPart(token: string): string {
  const opening = /^-?"?/.exec(token)?.[0] ?? '';
  // An @ with nothing after it stays: something was typed.
  return opening + (token.slice(token.lastIndexOf('@') + 1) || '@');
}

/** `https://medium.com/@paper`: the @ belongs to the site, not to an address. */
function isUrlWithAtInPath(token: string): boolean {
  const authority = token.replace(scheme, '').split(/[/?#]/, 1)[0] ?? '';
  if (authority.includes('@') || !(scheme.test(token) || token.includes('/@'))) return false;
  return findHost(authority) !== null;
}

/** Whether a URL's host is always this machine: `localhost`, `*.localhost` (RFC 6761), 127.0.0.0/8, ::1. */
export function isLoopbackHost(host: string): boolean {
  const name = host.toLowerCase().replace(/\.$/, '');
  if (name === 'localhost' || name.endsWith('.localhost')) return true;
  const address = name.replace(/^\[(.*)\]$/, '$1');
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback';
}
