import { hash } from 'node:crypto';
import type { MediaRecord } from '#records/media-record.ts';
import type { Kind } from '#records/vocabularies.ts';
import { hostLabel } from '#text/hosts.ts';
import type { NameKeys } from '#text/name-keys.ts';
import { pageKey, type WebPage } from '#text/pages.ts';
import { compactName, hasForms, nameToken } from './name-forms.ts';

/*
 * Exact tokens for the page and the address of a record. They are hashes: case counts in paths though an index folds it, and
 * no address is in a text that can be searched. They begin with `_`, as no word does.
 */

/**
 * How a record stands to a page: its URL is `at` it; at the root of a host, an outlet's name may also be `like` the host,
 * or the `same`.
 */
export type PageStanding = keyof typeof pagePrefixes;

const pagePrefixes = { at: '_ua', like: '_ul', same: '_us' } as const;
const addressPrefix = '_a';

/** Letters and digits, of which the case does not count, of 62 bits: enough to make collisions impossible in practice. */
const digestLength = 12;
/** With fewer letters, a name is in too many hosts by chance, and a host in too many names. */
const minLettersAlike = 3;

export function pageToken(page: WebPage, standing: PageStanding): string {
  return pagePrefixes[standing] + digestPage(page);
}

function digestPage(page: WebPage): string {
  return digest(`page ${pageKey(page)}`);
}

/** What the name and the aliases of a record are compared by. */
interface FormedNames {
  keys: readonly NameKeys[];
  /** See formTokens. */
  tokens: readonly string[];
  initials: readonly string[];
}

/** The tokens of the page that a record's URL names. */
export function pageTokens(kind: Kind, page: WebPage, names: FormedNames): string[] {
  const mayBeNamed = page.path === '' && kind === 'outlet';
  const standings: PageStanding[] = ['at', ...(mayBeNamed ? likenessTo(page.host, names) : [])];
  const digestOfPage = digestPage(page);
  return standings.map((standing) => pagePrefixes[standing] + digestOfPage);
}

/** The token of an address, in any case. Only callers who see addresses may look for it (contract A2). */
export function addressToken(email: string): string {
  return addressPrefix + digest(`address ${email.toLowerCase()}`);
}

/** The tokens of the addresses of a record. */
export function addressTokens({ contacts }: Pick<MediaRecord, 'contacts'>): string[] {
  return [...new Set(contacts.flatMap(({ email }) => (email === null ? [] : addressToken(email))))];
}

/** Whether a name is the label of the host, whole or as initials, as `nytimes` is; or one contains the other. */
function likenessTo(host: string, { keys, tokens, initials }: FormedNames): PageStanding[] {
  const label = hostLabel(host).replaceAll('-', '');
  const isSame =
    tokens.includes(nameToken('compact', label)) ||
    tokens.includes(nameToken('shortened', label)) ||
    initials.includes(label);
  if (isSame) return ['like', 'same'];
  const compact = keys.flatMap(({ own, others }) => [own, ...others].filter(hasForms).map(compactName));
  const isLike = compact.some((name) => isWithin(name, label) || isWithin(label, name));
  return isLike ? ['like'] : [];
}

function isWithin(part: string, text: string): boolean {
  return part.length >= minLettersAlike && text.includes(part);
}

function digest(text: string): string {
  return hash('sha256', text, 'buffer').readBigUInt64BE().toString(36).padStart(13, '0').slice(-digestLength);
}
