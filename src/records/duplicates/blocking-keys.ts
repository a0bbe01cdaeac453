import type { Traits } from './traits.ts';

/** What records have in common that are compared. */
export const blockKinds = ['site', 'page', 'feed', 'name', 'part of a name'] as const;
export type BlockKind = (typeof blockKinds)[number];

/** Only records that have a key in common are compared. */
export interface BlockingKey {
  kind: BlockKind;
  value: string;
}

/**
 * The keys of a record. Every pair of records with a name in common that compareMedia finds likely has a key in common: a
 * page, site or feed; a name, with as much of the place as is known; in one place, half of a name, as a typo leaves one
 * half intact; what a wrong encoding leaves of a name.
 */
export function blockingKeys(traits: Traits): BlockingKey[] {
  const { name, aliases, host, page, feed, country, city } = traits;
  const place = [country, city].join('|');
  const names = [...new Set([name, ...aliases].flatMap(({ loose, bare }) => [loose, bare]))];
  const values: Record<BlockKind, string[]> = {
    // A site of many titles is compared only name by name.
    site: host === null ? [] : [host, `${host}|${name.bare}`],
    page: page === null || page === host ? [] : [page],
    feed: feed === null ? [] : [feed],
    // A common name is compared only within its country or city.
    name: names.flatMap((one) => [one, `${one}|${country}`, `${one}|${place}`]),
    'part of a name': [
      ...halvesOf(name.loose).map((half) => `${half}|${place}`),
      ...(name.surviving === null ? [] : [`${name.surviving}|`]),
    ],
  };
  return blockKinds.flatMap((kind) => values[kind].map((value) => ({ kind, value: `${traits.kind}|${value}` })));
}

/** Beginnings and ends of a name; two names that differ in one letter have one of them in common. */
function halvesOf(name: string): string[] {
  const middle = Math.floor(name.length / 2);
  const lengths = middle > 2 ? [middle, middle - 1] : [middle];
  return lengths.flatMap((length) => [`${name.slice(0, length)}…`, `…${name.slice(-length)}`]);
}
