import { nameKey } from '#text/fold.ts';
import { isKnown } from '../fields.ts';
import { urlKey } from '../normalize/normalize-url.ts';
import { type ContactPatch, saysAContact, withValues } from './contact.ts';
import type { ContactsOf } from './merge-contacts.ts';
import { contactKindOf } from './people.ts';
import { personKey } from './same-person.ts';
import { joinLinks, sharedLinks, tellingLinks } from './shared-links.ts';

/** A row with what it is recognized by. Empty texts stand for unknown values. */
interface MarkedRow {
  row: ContactPatch;
  place: number;
  email: string;
  /** The surest first: the list's id, a person's profiles, the name or else the title. They may be of somebody else with another address. */
  callings: readonly string[];
  /** The person, or the desk, for rows with the same address. */
  who: string;
}

/**
 * What the rows of one import say about the contacts of one medium: rows of one contact become one patch (contract A17, A18).
 * Later values win, an empty cell takes nothing from an earlier row, and two addresses of one name are two contacts. Which
 * rows are one contact does not depend on their order.
 */
export function joinContactRows(medium: ContactsOf, rows: readonly ContactPatch[]): ContactPatch[] {
  const meaningful = rows.filter((row) => row.id !== undefined || saysAContact(row));
  if (meaningful.length < 2) return [...meaningful];
  const marked = withoutSharedLinks(meaningful).map((row, place) => markRow(row, place, medium));
  const groups = new RowGroups(marked.length);
  joinSure(marked, groups);
  joinWithoutAddress(marked, groups);
  return groups.list().map((places) => places.map((place) => (marked[place] as MarkedRow).row).reduce(joinPatches));
}

function markRow(row: ContactPatch, place: number, medium: ContactsOf): MarkedRow {
  const { sourceId, name, title } = row;
  const isPerson = contactKindOf(row, medium) === 'person';
  const key = personKey(name);
  return {
    row,
    place,
    email: row.email?.toLowerCase() ?? '',
    who: isPerson ? key : 'a desk',
    callings: [
      ...(sourceId?.id ? [`source ${sourceId.source} ${sourceId.id}`] : []),
      ...tellingLinks(row, isPerson).map((link) => `link ${link}`),
      key === '' ? `desk ${nameKey(title ?? '')}` : `name ${key}`,
      ...(isPerson || key === '' ? [] : [`desk ${nameKey(title ?? '')}`]),
    ],
  };
}

/** Rows without profiles that are of the medium. */
function withoutSharedLinks(rows: readonly ContactPatch[]): readonly ContactPatch[] {
  const shared = sharedLinks(rows);
  if (shared.size === 0) return rows;
  return rows.map((row) => {
    const links = row.links?.filter((link) => !shared.has(urlKey(link)));
    return links?.length === row.links?.length ? row : { ...row, links: links ?? [] };
  });
}

/** Joins rows that share our id; or an address and the person; or an address and what else they are called. */
function joinSure(rows: readonly MarkedRow[], groups: RowGroups): void {
  const first = new Map<string, number>();
  for (const { row, place, email, who, callings } of rows) {
    const keys = [
      ...(row.id === undefined ? [] : [`id ${row.id}`]),
      ...(email === '' ? [] : [`${email} ${who}`]),
      ...callings.filter((calling) => !isOfDesk(calling)).map((calling) => `${email} ${calling}`),
    ];
    // Without a name and an address, desks of one title are one.
    if (email === '' && !row.name) keys.push(...callings.slice(-1).map((calling) => ` ${calling}`));
    for (const key of keys) {
      const other = first.get(key);
      if (other === undefined) first.set(key, place);
      else groups.join(other, place);
    }
  }
}

function isOfDesk(calling: string): boolean {
  return calling.startsWith('desk ');
}

/**
 * Joins groups without an address to those that they are called like, by the surest calling: of several with an address, the
 * first by alphabet. A person is never called like a desk.
 */
function joinWithoutAddress(rows: readonly MarkedRow[], groups: RowGroups): void {
  const members = groups.list();
  const addressOf = (places: readonly number[]) =>
    places
      .map((place) => (rows[place] as MarkedRow).email)
      .filter(Boolean)
      .toSorted()[0] ?? '';
  const addressed = members
    .map((places) => ({ places, email: addressOf(places) }))
    .filter(({ email }) => email !== '')
    .toSorted((a, b) => (a.email < b.email ? -1 : Number(a.email > b.email)));
  const called = new Map<string, number>();
  const put = (places: readonly number[]) => {
    for (const place of places) {
      for (const calling of (rows[place] as MarkedRow).callings) if (!called.has(calling)) called.set(calling, place);
    }
  };
  for (const { places } of addressed) put(places);
  // Names come before titles, so that a desk with a name is there before rows that know only its title.
  const isTitled = (places: readonly number[]) => places.every((place) => isOfDesk(callingOf(rows[place])));
  const groupsWithoutAddress = members.filter((places) => addressOf(places) === '');
  for (const places of groupsWithoutAddress.toSorted((a, b) => Number(isTitled(a)) - Number(isTitled(b)))) {
    const callings = places.flatMap((place) => identifyingCallings(rows[place] as MarkedRow));
    const calling = callings.toSorted(bySureness).find((calling) => called.has(calling));
    if (calling === undefined) put(places);
    else groups.join(called.get(calling) as number, places[0] as number);
  }
}

/** What a row is called, without the title of a desk that has a name. */
function identifyingCallings({ callings }: MarkedRow): readonly string[] {
  const place = callings.findIndex((calling) => calling.startsWith('name ') || isOfDesk(calling));
  return callings.slice(0, place + 1);
}

function callingOf(row: MarkedRow | undefined): string {
  return row === undefined ? '' : (identifyingCallings(row).at(-1) ?? '');
}

const sureness = ['source', 'link', 'name', 'desk'];

function bySureness(one: string, other: string): number {
  const [a, b] = [one, other].map((calling) => sureness.indexOf(calling.split(' ', 1)[0] ?? '')) as [number, number];
  return a - b || (one < other ? -1 : Number(one > other));
}

/** Groups of rows that are one contact, by their places. */
class RowGroups {
  readonly #parents: number[];

  constructor(count: number) {
    this.#parents = Array.from({ length: count }, (_, place) => place);
  }

  join(one: number, other: number): void {
    const [a, b] = [this.#rootOf(one), this.#rootOf(other)];
    this.#parents[Math.max(a, b)] = Math.min(a, b);
  }

  /** The places of each group, in the order of their first rows. */
  list(): number[][] {
    const places = this.#parents.map((_, place) => place);
    return [...Map.groupBy(places, (place) => this.#rootOf(place)).values()];
  }

  #rootOf(place: number): number {
    let root = place;
    while (this.#parents[root] !== root) root = this.#parents[root] as number;
    this.#parents[place] = root;
    return root;
  }
}

function joinPatches(earlier: ContactPatch, later: ContactPatch): ContactPatch {
  const missing = Object.fromEntries(Object.entries(later).filter(([key]) => !(key in earlier)));
  const joined = { ...missing, ...withValues(earlier, knownOf(later)) } as ContactPatch;
  return later.addsLinks && earlier.links ? { ...joined, links: joinLinks(earlier.links, later.links ?? []) } : joined;
}

function knownOf(patch: ContactPatch): ContactPatch {
  return Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined && isKnown(value)));
}
