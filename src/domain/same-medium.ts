import { trimEnd } from './linear-text.ts';
import type { MediaRecord } from './media-record.ts';
import { nameKey } from './search/fold.ts';
import { hostOfUrl } from './search/hosts.ts';
import { nameKeysOf } from './search/name-keys.ts';

/**
 * Whether two records of a kind are the same medium, entered twice: a name or alias in common, in places that do not
 * contradict each other; or the same site. A site is a page, or a host if one of the two names only its home page. Two
 * podcasts with feeds of their own are two, whatever site their publisher has.
 */
export function isSameMedium(a: MediaRecord, b: MediaRecord): boolean {
  if (sharesName(a, b) && agree(a.country, b.country) && agree(a.city, b.city)) return true;
  const havePrograms = a.kind === 'podcast' && a.feed_url !== null && b.feed_url !== null;
  return havePrograms ? a.feed_url === b.feed_url : sharesSite(a.url, b.url);
}

function sharesName(a: MediaRecord, b: MediaRecord): boolean {
  const names = new Set(namesOf(a));
  return namesOf(b).some((name) => names.has(name));
}

function namesOf({ name, aliases }: MediaRecord): string[] {
  return [name, ...aliases].map(nameKeysOf).flatMap(({ own, others }) => [own, ...others]);
}

/** Whether two values are the same, as far as both are known. */
function agree(a: string | null, b: string | null): boolean {
  return a === null || b === null || nameKey(a) === nameKey(b);
}

function sharesSite(a: string | null, b: string | null): boolean {
  if (a === null || b === null || hostOfUrl(a) !== hostOfUrl(b)) return false;
  const [pageA, pageB] = [pageOf(a), pageOf(b)];
  return pageA === pageB || pageA === '' || pageB === '';
}

/** What follows the host of a URL, without slashes at its end; empty for a home page. */
function pageOf(url: string): string {
  const { pathname = '', search = '' } = URL.parse(url) ?? {};
  return trimEnd(pathname, '/') + search;
}
