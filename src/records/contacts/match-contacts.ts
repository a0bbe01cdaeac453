import { nameKey } from '#text/fold.ts';
import { urlKey } from '../normalize/normalize-url.ts';
import type { ContactPatch, KeptContact } from './contact.ts';
import { personKey } from './same-person.ts';

/** What a contact, or a patch for one, is recognized by. Empty texts stand for unknown values. */
interface Marks {
  id: string | undefined;
  name: string;
  title: string;
  email: string;
  links: ReadonlySet<string>;
}

interface MarkedPatch extends Marks {
  patch: ContactPatch;
  /** Whether it names a person: then it means no desk. */
  isPerson: boolean;
}

interface MarkedContact extends Marks {
  contact: KeptContact;
  /** Whether an earlier row of the same import named it with an address: then another address is another contact. */
  isNamedBefore: boolean;
}

/**
 * The ways in which a patch means a contact of its medium (contract A18), the surest first. An address alone never makes
 * two names one person.
 */
const ways: readonly ((row: MarkedPatch, one: MarkedContact) => boolean)[] = [
  (row, one) => row.id !== undefined && row.id === one.id,
  ({ patch: { sourceId } }, { contact }) =>
    sourceId !== undefined && sourceId.id !== null && contact.sources?.[sourceId.source] === sourceId.id,
  (row, one) => !row.links.isDisjointFrom(one.links),
  (row, one) => row.name !== '' && row.name === one.name && row.email !== '' && row.email === one.email,
  (row, one) => row.name !== '' && row.name === one.name && !(one.isNamedBefore && haveOtherAddresses(row, one)),
  (row, one) => couldBeDesk(row, one) && row.email !== '' && row.email === one.email,
  (row, one) =>
    couldBeDesk(row, one) &&
    (row.name === '' || one.name === '') &&
    row.title === one.title &&
    (row.email === '' || one.email === ''),
];

function couldBeDesk(row: MarkedPatch, { contact }: MarkedContact): boolean {
  return !row.isPerson && contact.kind !== 'person';
}

function haveOtherAddresses(one: Marks, other: Marks): boolean {
  return one.email !== '' && other.email !== '' && one.email !== other.email;
}

function marksOf({ id, name, title, email, links = [] }: ContactPatch): Marks {
  return {
    id,
    name: personKey(name),
    title: nameKey(title ?? ''),
    email: email?.toLowerCase() ?? '',
    links: new Set(links.map(urlKey)),
  };
}

export interface MatchOptions {
  /** Whether a patch names a person of this medium. */
  isPerson: (patch: ContactPatch) => boolean;
  /** The ids of contacts that earlier rows of the same import named with an address. */
  namedBefore?: ReadonlySet<string>;
}

/**
 * The contact that each patch means, as its place among `contacts`; null for a new one. Each contact is meant at most once: of
 * two patches with one name, the one with the stored address takes it, whatever their order.
 */
export function matchContacts(
  contacts: readonly KeptContact[],
  patches: readonly ContactPatch[],
  { isPerson, namedBefore = new Set() }: MatchOptions,
): (number | null)[] {
  if (contacts.length === 0) return patches.map(() => null);
  const rows = patches.map((patch): MarkedPatch => ({ ...marksOf(patch), patch, isPerson: isPerson(patch) }));
  const candidates = contacts.map((contact): MarkedContact => {
    return { ...marksOf(contact), contact, isNamedBefore: namedBefore.has(contact.id) };
  });
  const places = rows.map((): number | null => null);
  const free = new Set(candidates.keys());
  for (const isMeant of ways) {
    for (const [at, row] of rows.entries()) {
      if (places[at] !== null) continue;
      const place = [...free].find((one) => isMeant(row, candidates[one] as MarkedContact));
      if (place === undefined) continue;
      places[at] = place;
      free.delete(place);
    }
  }
  return places;
}
