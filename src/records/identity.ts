import { hash } from 'node:crypto';
import { compareTexts } from '#text/compare-texts.ts';
import { nameKey } from '#text/fold.ts';
import { hostOfUrl } from '#text/hosts.ts';
import { hashText } from '#text/name-keys.ts';
import type { MediaRecord, RecordPatch } from './media-record.ts';
import { urlKey } from './normalize/normalize-url.ts';
import { partCity } from './normalize/read-place.ts';
import { onlyRegionOf } from './places/city-populations.ts';
import { longRegion } from './places/regions.ts';
import { RowGroups } from './row-groups.ts';
import type { Kind } from './vocabularies.ts';

/** What identifies a medium without an id (contract A17). Unknown values may also be absent. */
export type IdentifyingPart = Pick<RecordPatch, 'guessed'> &
  Pick<MediaRecord, 'kind' | 'name'> & {
    [Key in 'url' | 'feed_url' | 'country' | 'region' | 'city']?: MediaRecord[Key] | undefined;
  };

/** What a row, a record, or several rows of one medium say about which medium it is. */
export interface Identity {
  /** Kind and folded name. */
  name: string;
  /** Keys of its feed and its page, sorted: the feed comes first. */
  links: readonly string[];
  /** Country, region and city, folded. An unknown place counts as a place. */
  places: readonly string[];
}

export function identityOf({ kind, name, url, feed_url, country, region, city, guessed }: IdentifyingPart): Identity {
  const links = feed_url ? [`feed ${urlKey(feed_url)}`] : [];
  if (url) links.push(`page ${urlKey(url).split('?', 1)[0]}`);
  // Earlier versions kept the region in cities such as `Nashville TN`.
  const place = partCity({ city: city ?? '', region: region ?? null, country: country ?? null });
  const long = place.region ? longRegion(place.region, place.country) : '';
  // A region that follows from the city may be missing, because earlier versions did not fill it.
  const isImplied = place.country && place.city && onlyRegionOf(place.city, place.country) === long;
  // A country that is only a guess about the list may be missing, too.
  const countries = [...(guessed?.includes('country') ? [''] : []), place.country ?? ''];
  const places = countries.flatMap((country) =>
    [...(isImplied ? [''] : []), long].map(
      (regionName) => `${country}\n${nameKey(regionName)}\n${nameKey(place.city)}`,
    ),
  );
  return { name: nameText(kind, name), links, places };
}

/** The key for finding records of a kind and name. It is a hash, so compare what is found. */
export function nameKeyOf(kind: Kind, name: string): number {
  return hashText(nameText(kind, name));
}

function nameText(kind: Kind, name: string): string {
  return `${kind}\n${nameKey(name)}`;
}

function joinIdentities(members: readonly Identity[]): Identity {
  const valuesOf = (key: 'links' | 'places') => [...new Set(members.flatMap((member) => member[key]))].sort();
  return { name: members[0]?.name ?? '', links: valuesOf('links'), places: valuesOf('places') };
}

/** Whether both have the same kind and name, and share a feed or page, or a place if one of them has no feed and no page. */
function isSame(one: Identity, other: Identity): boolean {
  if (one.name !== other.name) return false;
  if (share(withPages(one), other.links) || share(one.links, withPages(other))) return true;
  const hasNone = one.links.length === 0 || other.links.length === 0;
  return hasNone && share(one.places, other.places);
}

function share(texts: readonly string[], otherTexts: readonly string[]): boolean {
  return texts.some((text) => otherTexts.includes(text));
}

/** The links, also with feeds as pages: what is the feed in one list may be called the page in another. */
function withPages({ links }: Identity): string[] {
  return [...links, ...links.map((link) => link.replace(/^feed ([^?]*).*/s, 'page $1'))];
}

/** Rows of one medium, in the order given, with what they say together. */
export interface SameRows<Row> extends Identity {
  rows: readonly Row[];
}

/** Groups rows of the same medium: by feed and page, and rows with neither by place. Groups are sorted by feed or page. */
export function groupRows<Row extends { identity: Identity }>(rows: readonly Row[]): SameRows<Row>[] {
  const rowGroups = new RowGroups(rows.length);
  for (const [index, { identity }] of rows.entries()) {
    const { name, links, places } = identity;
    for (const key of links.length > 0 ? links : places) rowGroups.joinByKey(index, `${name}\n${key}`);
  }
  const groups = rowGroups.list().map((indexes) => ({
    ...joinIdentities(indexes.map((index) => (rows[index] as Row).identity)),
    rows: indexes,
  }));
  const joined: typeof groups = [];
  const byPlace = new Map<string, (typeof groups)[number]>();
  // Groups without links come last, so that each can join the first group at its place.
  for (const group of groups.toSorted((a, b) => compareTexts(a.links[0] ?? '~', b.links[0] ?? '~'))) {
    const keys = group.places.map((place) => `${group.name}\n${place}`);
    const home = group.links.length > 0 ? undefined : byPlace.get(keys[0] as string);
    if (home === undefined) joined.push(group);
    else home.rows.push(...group.rows);
    for (const key of keys) if (!byPlace.has(key)) byPlace.set(key, group);
  }
  return joined.map((group) => ({
    ...group,
    rows: group.rows.sort((a, b) => a - b).map((index) => rows[index] as Row),
  }));
}

/**
 * The stored records of a medium, the one to keep first. `ids` were derived from rows like these. Of several that rows without
 * feed and page may mean, it is the one of the people with these addresses.
 */
export function findSame(
  identity: Identity,
  ids: readonly string[],
  stored: readonly MediaRecord[],
  addresses: readonly string[],
): MediaRecord[] {
  const namesakes = stored.filter(({ kind, name }) => nameText(kind, name) === identity.name);
  const listed = namesakes.filter(({ id }) => ids.includes(id));
  const alike = namesakes.filter((record) => isSame(identity, identityOf(record)));
  const byPeople = (a: MediaRecord, b: MediaRecord) =>
    closenessTo(addresses, b) - closenessTo(addresses, a) || compareIds(a, b);
  const matches =
    identity.links.length > 0 && alike.length > 0 ? alike : [...listed, ...alike.toSorted(byPeople)].slice(0, 1);
  return matches.toSorted(compareIds);
}

/** 2 for a record that has a contact with one of these addresses, 1 for one whose site is the host of one, else 0. */
function closenessTo(addresses: readonly string[], { url, contacts }: MediaRecord): number {
  if (contacts.some(({ email }) => email !== null && addresses.includes(email))) return 2;
  const site = url && hostOfUrl(url);
  return site && addresses.some((address) => address.endsWith(`@${site}`)) ? 1 : 0;
}

/** Records whose source named their id come first. */
function compareIds(a: MediaRecord, b: MediaRecord): number {
  return Number(isDerived(a.id)) - Number(isDerived(b.id)) || compareTexts(a.id, b.id);
}

/** The prefix of ids that the importer derives. */
const prefix = 'auto-';

/** Whether no source named this id. */
export function isDerived(id: string): boolean {
  return id.startsWith(prefix);
}

/** The id for a new record of this identity, then ids that may have been derived from parts of it. */
export function deriveIds({ name, links, places }: Identity): string[] {
  return (links.length > 0 ? links : places).map((key) => idOf([name, key]));
}

/** The ids that versions before 1.2 derived from the page alone. Without a page they derived the same ids as now. */
export function deriveOldIds({ kind, url }: IdentifyingPart): string[] {
  return url ? [idOf([kind, urlKey(url)])] : [];
}

/** The id to try next if another medium has this one. */
export function nextId(id: string): string {
  return idOf([id]);
}

/** 64 bits: among ten million records, the chance of a collision is 1 in 300,000. */
function idOf(parts: readonly string[]): string {
  return prefix + hash('sha256', parts.join('\n')).slice(0, 16);
}
