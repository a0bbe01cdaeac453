import { urlKey } from '../normalize/normalize-url.ts';

/** Profiles of one person, each once. */
export function joinLinks(some: readonly string[], others: readonly string[]): string[] {
  const known = new Set(some.map(urlKey));
  return [...some, ...others.filter((link) => !known.has(urlKey(link)))];
}
