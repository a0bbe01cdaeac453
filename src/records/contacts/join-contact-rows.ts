import { nameKey } from '#text/fold.ts';
import { isKnown } from '../fields.ts';
import { urlKey } from '../normalize/normalize-url.ts';
import { type ContactPatch, saysAContact, withValues } from './contact.ts';
import { contactKindOf } from './contact-kind.ts';
import type { ContactsOf } from './merge-contacts.ts';
import { personKey } from './same-person.ts';

/** Rows that are one contact. */
interface Group {
  rows: ContactPatch[];
  /** The first of their addresses by alphabet; empty without one. */
  email: string;
  /** What a row without an address calls this contact: by its name, or a desk by its title. */
  callings: ReadonlySet<string>;
}

/**
 * What the rows of one import say about the contacts of one medium: rows of one contact become one patch (contract A17, A18).
 * Later values win, an empty cell takes nothing from an earlier row, and two addresses of one name are two contacts. Which
 * rows are one contact does not depend on their order.
 */
export function joinContactRows(medium: ContactsOf, rows: readonly ContactPatch[]): ContactPatch[] {
  const meaningful = rows.filter((row) => row.id !== undefined || saysAContact(row));
  if (meaningful.length < 2) return [...meaningful];
  const groups = groupSure(meaningful, medium);
  const joined = joinWithoutAddress(groups).map((group) => group.rows.toSorted(byPlaceIn(meaningful)));
  return joined
    .toSorted(([a], [b]) => byPlaceIn(meaningful)(a as ContactPatch, b as ContactPatch))
    .map((same) => same.reduce(joinPatches));
}

/** Groups rows that share an id, a profile, or a name with its address; of desks, the address alone. */
function groupSure(rows: readonly ContactPatch[], medium: ContactsOf): Group[] {
  const groups = new Set<Group>();
  const groupOf = new Map<string, Group>();
  for (const row of rows) {
    const isPerson = contactKindOf(row, medium) === 'person';
    const keys = sureKeys(row, isPerson);
    const sharing = new Set(keys.flatMap((key) => groupOf.get(key) ?? []));
    const group = unite([...sharing, groupOfRow(row, isPerson)]);
    for (const one of sharing) groups.delete(one);
    groups.add(group);
    for (const [key, one] of groupOf) if (sharing.has(one)) groupOf.set(key, group);
    for (const key of keys) groupOf.set(key, group);
  }
  return [...groups];
}

function groupOfRow(row: ContactPatch, isPerson: boolean): Group {
  const name = personKey(row.name);
  const callings = [
    ...(name === '' ? [] : [`name ${name}`]),
    ...(isPerson ? [] : [`desk ${nameKey(row.title ?? '')}`]),
  ];
  return { rows: [row], email: row.email?.toLowerCase() ?? '', callings: new Set(callings) };
}

function unite(groups: readonly Group[]): Group {
  return {
    rows: groups.flatMap(({ rows }) => rows),
    email:
      groups
        .map(({ email }) => email)
        .toSorted(byAlphabet)
        .find((email) => email !== '') ?? '',
    callings: new Set(groups.flatMap(({ callings }) => [...callings])),
  };
}

function sureKeys({ id, sourceId, links = [], name, email }: ContactPatch, isPerson: boolean): string[] {
  const address = email?.toLowerCase();
  const who = isPerson ? personKey(name) : 'desk';
  return [
    ...(id === undefined ? [] : [`id ${id}`]),
    ...(sourceId?.id ? [`source ${sourceId.source} ${sourceId.id}`] : []),
    ...links.map((link) => `link ${urlKey(link)}`),
    ...(address ? [`address ${address} ${who}`] : []),
  ];
}

/** Joins rows without an address to those that they are called like: of several with an address, the first by alphabet. */
function joinWithoutAddress(groups: readonly Group[]): Group[] {
  const isAddressed = ({ email }: Group) => email !== '';
  const joined = groups.filter(isAddressed).toSorted((a, b) => byAlphabet(a.email, b.email));
  // Names come before titles, so that a desk with a name is there before rows that know only its title.
  const others = groups.filter((one) => !isAddressed(one)).toSorted((a, b) => byAlphabet(callingOf(b), callingOf(a)));
  for (const group of others) {
    const calling = callingOf(group);
    const place = joined.findIndex(({ callings }) => callings.has(calling));
    if (place < 0) joined.push(group);
    else joined[place] = unite([joined[place] as Group, { ...group, callings: new Set([calling]) }]);
  }
  return joined;
}

/** Its name, or else its title. */
function callingOf({ callings }: Group): string {
  const [calling = ''] = callings;
  return calling;
}

function byAlphabet(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}

function byPlaceIn(rows: readonly ContactPatch[]): (one: ContactPatch, other: ContactPatch) => number {
  const places = new Map(rows.map((row, place) => [row, place]));
  return (one, other) => (places.get(one) ?? 0) - (places.get(other) ?? 0);
}

function joinPatches(earlier: ContactPatch, later: ContactPatch): ContactPatch {
  const missing = Object.fromEntries(Object.entries(later).filter(([key]) => !(key in earlier)));
  return { ...missing, ...withValues(earlier, knownOf(later)) } as ContactPatch;
}

function knownOf(patch: ContactPatch): ContactPatch {
  return Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined && isKnown(value)));
}
