import { compareTexts } from '#text/compare-texts.ts';
import { nameKey } from '#text/fold.ts';
import { isKnown } from '../fields.ts';
import { urlKey } from '../normalize/normalize-url.ts';
import { RowGroups } from '../row-groups.ts';
import { type ContactPatch, saysAContact, withValues } from './contact.ts';
import type { ContactsOf } from './merge-contacts.ts';
import { contactKindOf } from './people.ts';
import { personKey } from './same-person.ts';
import { joinLinks, sharedLinks, tellingLinks } from './shared-links.ts';

/**
 * What the rows of one import say about the contacts of one medium: rows of one contact become one patch (contract A17, A18).
 * Later values win, an empty cell takes nothing from an earlier row, and two addresses of one name are two contacts. Which
 * rows are one contact does not depend on their order.
 */
export function joinContactRows(medium: ContactsOf, rows: readonly ContactPatch[]): ContactPatch[] {
  const meaningful = rows.filter((row) => row.id !== undefined || saysAContact(row));
  if (meaningful.length < 2) return [...meaningful];
  const marked = withoutSharedLinks(meaningful).map((row, index) => markRow(row, index, medium));
  const groups = new RowGroups(marked.length);
  joinSure(marked, groups);
  joinWithoutAddress(marked, groups);
  return listMembers(marked, groups).map((members) => members.map(({ row }) => row).reduce(joinPatches));
}

type MarkedRow = ReturnType<typeof markRow>;

/** A row with what it is recognized by. Empty texts stand for unknown values. */
function markRow(row: ContactPatch, index: number, medium: ContactsOf) {
  const { sourceId, name, title } = row;
  const isPerson = contactKindOf(row, medium) === 'person';
  const key = personKey(name);
  return {
    row,
    index,
    email: row.email?.toLowerCase() ?? '',
    /** The person, or the desk, for rows with the same address. */
    who: isPerson ? key : 'a desk',
    /** The surest first: the list's id, a person's profiles, the name or else the title. They may be of somebody else with another address. */
    callings: [
      ...(sourceId?.id ? [`source ${sourceId.source} ${sourceId.id}`] : []),
      ...tellingLinks(row, isPerson).map((link) => `link ${link}`),
      key === '' ? `desk ${nameKey(title ?? '')}` : `name ${key}`,
      ...(isPerson || key === '' ? [] : [`desk ${nameKey(title ?? '')}`]),
    ],
  };
}

function listMembers(rows: readonly MarkedRow[], groups: RowGroups): MarkedRow[][] {
  return groups.list().map((indexes) => indexes.map((index) => rows[index] as MarkedRow));
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
  for (const { row, index, email, who, callings } of rows) {
    const keys = [
      ...(row.id === undefined ? [] : [`id ${row.id}`]),
      ...(email === '' ? [] : [`${email} ${who}`]),
      ...callings.filter((calling) => !isOfDesk(calling)).map((calling) => `${email} ${calling}`),
    ];
    // Without a name and an address, desks of one title are one.
    if (email === '' && !row.name) keys.push(...callings.slice(-1).map((calling) => ` ${calling}`));
    for (const key of keys) groups.joinByKey(index, key);
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
  const contacts = listMembers(rows, groups).map((members) => ({ members, email: firstAddress(members) }));
  const called = new Map<string, MarkedRow>();
  const noteCallings = (members: readonly MarkedRow[]) => {
    for (const row of members) for (const calling of row.callings) if (!called.has(calling)) called.set(calling, row);
  };
  const addressed = contacts.filter(({ email }) => email !== '');
  for (const { members } of addressed.toSorted((a, b) => compareTexts(a.email, b.email))) noteCallings(members);
  // Names come before titles, so that a desk with a name is there before rows that know only its title.
  const unaddressed = contacts.filter(({ email }) => email === '');
  const namesFirst = unaddressed.toSorted((a, b) => Number(areTitled(a.members)) - Number(areTitled(b.members)));
  for (const { members } of namesFirst) {
    const surestFirst = members.flatMap(identifyingCallings).toSorted(bySureness);
    const [alike] = surestFirst.flatMap((calling) => called.get(calling) ?? []);
    const [first] = members;
    if (alike === undefined) noteCallings(members);
    else if (first !== undefined) groups.join(alike.index, first.index);
  }
}

/** The first address by alphabet. */
function firstAddress(members: readonly MarkedRow[]): string {
  const emails = members.map(({ email }) => email).filter(Boolean);
  return emails.toSorted()[0] ?? '';
}

/** Whether only titles say who rows are. */
function areTitled(members: readonly MarkedRow[]): boolean {
  return members.every((row) => isOfDesk(identifyingCallings(row).at(-1) ?? ''));
}

/** What a row is called, without the title of a desk that has a name. */
function identifyingCallings({ callings }: MarkedRow): readonly string[] {
  const last = callings.findIndex((calling) => calling.startsWith('name ') || isOfDesk(calling));
  return callings.slice(0, last + 1);
}

const sureness = ['source', 'link', 'name', 'desk'];

function bySureness(one: string, other: string): number {
  const [a, b] = [one, other].map((calling) => sureness.indexOf(calling.split(' ', 1)[0] ?? '')) as [number, number];
  return a - b || compareTexts(one, other);
}

function joinPatches(earlier: ContactPatch, later: ContactPatch): ContactPatch {
  const missing = Object.fromEntries(Object.entries(later).filter(([key]) => !(key in earlier)));
  const joined = { ...missing, ...withValues(earlier, knownOf(later)) } as ContactPatch;
  return later.addsLinks && earlier.links ? { ...joined, links: joinLinks(earlier.links, later.links ?? []) } : joined;
}

function knownOf(patch: ContactPatch): ContactPatch {
  return Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined && isKnown(value)));
}
