import { standsForNobody, type WebPage } from '#text/pages.ts';
import { allOf, type Condition, concept, pageCondition } from './conditions.ts';

/*
 * What a URL and a host find, for search and for lookups (contract A19). A URL with a path finds the record with that page, else
 * the only record at its host, else none. A bare host finds the record at its root, else the only record at it.
 */

/** The records with this page, an outlet first. */
export function tiersAtPage(page: WebPage): Condition[] {
  const atPage = pageCondition(page);
  return [allOf([atPage, concept('kind.outlet')]), atPage];
}

/** The records at the root of a host: first the outlets whose names are like the host, then other outlets. */
export function tiersAtRoot(host: string): Condition[] {
  if (standsForNobody(host)) return [];
  const root = { host, path: '' };
  return [pageCondition(root, 'same'), pageCondition(root, 'like'), ...tiersAtPage(root)];
}
