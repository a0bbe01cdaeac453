import { nameKey } from '#text/fold.ts';
import { hostOfUrl } from '#text/hosts.ts';
import { nameKeysOf } from '#text/name-keys.ts';
import type { MediaRecord } from '../media-record.ts';
import { urlKey } from '../normalize/normalize-url.ts';
import { namesOfCity } from '../places/city-names.ts';

/** Aliases are compared up to this number, so that one record costs little. */
const maxAliases = 20;

/** What is compared of a record, in the form in which it is compared. It contains no address. */
export type Traits = ReturnType<typeof traitsOf>;

export function traitsOf(record: MediaRecord) {
  const { id, kind, type, country, language } = record;
  const city = record.city && nameKey(record.city);
  const region = record.region && nameKey(record.region);
  return {
    id,
    kind,
    type,
    name: readName(record.name, city),
    aliases: record.aliases.slice(0, maxAliases).map((alias) => readName(alias, city)),
    /** The host of its URL, without `www.`. */
    host: record.url && hostOfUrl(record.url),
    /** Its URL without scheme, `www.` and slashes at the end. */
    page: record.url && urlKey(record.url),
    feed: record.feed_url && urlKey(record.feed_url),
    country,
    // Some sources repeat the city.
    region: region === city ? null : region,
    city: city && cityKey(city, country),
    language,
  };
}

/** Forms of a name, each without spaces: sources part words as they like. */
export type NameTraits = ReturnType<typeof readName>;

function readName(name: string, city: string | null) {
  const { own: ownKey, others: otherKeys } = nameKeysOf(name);
  // Twice: some lists put an article before names that have their own, as in "The La Stampa".
  const loose = withoutArticle(otherKeys[0] ?? ownKey);
  return {
    /** Folded. */
    own: withoutSpaces(ownKey),
    /** Without articles and words for "and". */
    loose: withoutSpaces(loose),
    // Without the name of its city at the start and end either. The city may follow the article, and have words of its own that the loose form lacks.
    bare: withoutSpaces(withoutCity(withoutArticle(withoutCity(ownKey, city)), city)),
  };
}

function withoutArticle(key: string): string {
  return nameKeysOf(key).others[0] ?? key;
}

function withoutSpaces(key: string): string {
  return key.replaceAll(' ', '');
}

/** The name without its city at the start and the end; whole if nothing else is left. */
function withoutCity(name: string, city: string | null): string {
  if (city === null) return name;
  let rest = name;
  while (rest.startsWith(`${city} `)) rest = rest.slice(city.length + 1);
  while (rest.endsWith(` ${city}`)) rest = rest.slice(0, -(city.length + 1));
  return rest;
}

/** One spelling of a city's name: `Saint Petersburg` and `St. Petersburg`, `New York` and `New York City`, `Köln` and `Cologne`. */
function cityKey(city: string, country: string | null): string {
  const short = city.replace(/ (?:city|municipality)$/, '').replace(/^saint /, 'st ');
  return namesOfCity(short, country)[0] ?? short;
}

export const blockKinds = ['site', 'page', 'feed', 'name', 'part of a name'] as const;
export type BlockKind = (typeof blockKinds)[number];

/** Only records that have a key in common are compared. */
export interface BlockingKey {
  kind: BlockKind;
  value: string;
}

/** Likely pairs share one: page, site, feed, name, or in one place half a name, since a typo leaves one half intact. */
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
    name: names.flatMap((key) => [key, `${key}|${country}`, `${key}|${place}`]),
    'part of a name': halvesOf(name.loose).map((half) => `${half}|${place}`),
  };
  return blockKinds.flatMap((kind) => values[kind].map((value) => ({ kind, value: `${traits.kind}|${value}` })));
}

/** Beginnings and ends of a name; two names that differ in one letter have one of them in common. */
function halvesOf(name: string): string[] {
  const middle = Math.floor(name.length / 2);
  const lengths = middle > 2 ? [middle, middle - 1] : [middle];
  return lengths.flatMap((length) => [`${name.slice(0, length)}…`, `…${name.slice(-length)}`]);
}
