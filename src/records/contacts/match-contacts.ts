import { compareTexts } from '#text/compare-texts.ts';
import { nameKey } from '#text/fold.ts';
import type { ContactPatch, KeptContact } from './contact.ts';
import { mayBeOneName, personKey } from './same-person.ts';
import { sharedLinks, tellingLinks } from './shared-links.ts';

type Marks = ReturnType<typeof marksOf>;

interface MarkedPatch extends Marks {
  patch: ContactPatch;
  /** Whether it names a person: then it means no desk. */
  isPerson: boolean;
  /** Whether a contact has its name. */
  isKnownName: boolean;
}

interface MarkedContact extends Marks {
  contact: KeptContact;
  /** Among the contacts of its record. */
  index: number;
  /** Whether a patch has its name. */
  isNamed: boolean;
}

/** A way in which a patch may mean a contact: they share a key, and nothing speaks against it. */
interface Way {
  keysOfPatch: (row: MarkedPatch) => readonly string[];
  keysOfContact: (contact: MarkedContact) => readonly string[];
  allows?: (row: MarkedPatch, contact: MarkedContact) => boolean;
}

const byId: Way = {
  keysOfPatch: ({ id }) => (id === undefined ? [] : [id]),
  keysOfContact: ({ id }) => (id === undefined ? [] : [id]),
};
const bySourceId: Way = {
  keysOfPatch: ({ patch: { sourceId } }) => (sourceId?.id ? [`${sourceId.source}\n${sourceId.id}`] : []),
  keysOfContact: ({ contact: { sources = {} } }) =>
    Object.entries(sources).flatMap(([source, id]) => (id === null ? [] : [`${source}\n${id}`])),
  // A list that numbers its rows gives the id of a person to another one of the medium.
  allows: (row, contact) => row.name === contact.name || (!row.isKnownName && !contact.isNamed),
};
const byLink: Way = {
  keysOfPatch: ({ links }) => links,
  keysOfContact: ({ links }) => links,
  // One person may come with another name than before, but not beside a person of that name.
  allows: (row, contact) =>
    row.name === contact.name || (!row.isKnownName && !contact.isNamed && mayBeOneName(row.name, contact.name)),
};
const byName: Way = {
  keysOfPatch: ({ name }) => (name === '' ? [] : [name]),
  keysOfContact: ({ name }) => (name === '' ? [] : [name]),
};
const byDeskAddress: Way = {
  keysOfPatch: ({ email, isPerson }) => (email === '' || isPerson ? [] : [email]),
  keysOfContact: ({ email, contact }) => (email === '' || contact.kind === 'person' ? [] : [email]),
};
const byDeskTitle: Way = {
  keysOfPatch: ({ title, isPerson }) => (isPerson ? [] : [title]),
  keysOfContact: ({ title, contact }) => (contact.kind === 'person' ? [] : [title]),
  allows: (row, contact) => (row.name === '' || contact.name === '') && (row.email === '' || contact.email === ''),
};

/** A way that counts only for contacts with the very address of the row. */
function atSameAddress(way: Way): Way {
  const isSame = (row: MarkedPatch, contact: MarkedContact) => row.email !== '' && row.email === contact.email;
  return { ...way, allows: (row, contact) => isSame(row, contact) && (way.allows?.(row, contact) ?? true) };
}

/**
 * The ways in which a patch means a contact of its medium (contract A18), the surest first. Of several contacts with the same
 * id of a list, profile or name it is the one with the same address. An address alone never makes two names one person.
 */
const ways: readonly Way[] = [
  byId,
  ...[bySourceId, byLink, byName].map(atSameAddress),
  bySourceId,
  byLink,
  byName,
  byDeskAddress,
  byDeskTitle,
];

function haveOtherAddresses(one: Marks, other: Marks): boolean {
  return one.email !== '' && other.email !== '' && one.email !== other.email;
}

function haveOtherPersons(row: MarkedPatch, contact: Marks): boolean {
  return row.isPerson && contact.name !== '' && row.name !== contact.name;
}

/** What a contact, or a patch for one, is recognized by. Empty texts stand for unknown values. */
function marksOf(patch: ContactPatch, isPerson: boolean, shared: ReadonlySet<string>) {
  const { id, name, title, email } = patch;
  return {
    id,
    name: personKey(name),
    title: nameKey(title ?? ''),
    email: email?.toLowerCase() ?? '',
    /** The profiles that are of nobody else. */
    links: tellingLinks(patch, isPerson).filter((link) => !shared.has(link)),
  };
}

export interface MatchOptions {
  /** Whether a patch names a person of this medium. */
  isPerson: (patch: ContactPatch) => boolean;
  /** Whether a patch may mean a contact whose address or person's name it replaces, as a row of an import may; true if absent. */
  mayReplace?: boolean;
}

/**
 * The contact that each patch means, as its index among `contacts`; null for a new one. Each contact is meant at most once: of
 * two patches with one name, the one with the stored address takes it, else the one whose address comes first by alphabet.
 */
export function matchContacts(
  contacts: readonly KeptContact[],
  patches: readonly ContactPatch[],
  { isPerson, mayReplace = true }: MatchOptions,
): (number | null)[] {
  if (contacts.length === 0) return patches.map(() => null);
  const shared = sharedLinks(contacts).union(sharedLinks(patches));
  const namesOf = (people: readonly Pick<ContactPatch, 'name'>[]) =>
    new Set(people.map(({ name }) => personKey(name)).filter(Boolean));
  const knownNames = namesOf(contacts);
  const namesOfPatches = namesOf(patches);
  const rows = patches
    .map((patch, index) => {
      const marks = marksOf(patch, isPerson(patch), shared);
      return { ...marks, patch, isPerson: isPerson(patch), isKnownName: knownNames.has(marks.name), index };
    })
    .toSorted((a, b) => compareTexts(a.email, b.email));
  const candidates = contacts.map((contact, index): MarkedContact => {
    const marks = marksOf(contact, contact.kind === 'person', shared);
    return { ...marks, contact, isNamed: namesOfPatches.has(marks.name), index };
  });
  const isBarred = (row: MarkedPatch, contact: MarkedContact) =>
    !mayReplace && row.id !== contact.id && (haveOtherAddresses(row, contact) || haveOtherPersons(row, contact));
  const contactIndexes = patches.map((): number | null => null);
  const free = new Set(candidates);
  for (const { keysOfPatch, keysOfContact, allows = () => true } of ways) {
    if (free.size === 0) break;
    const keyed = [...free].flatMap((contact) => keysOfContact(contact).map((key) => ({ key, contact })));
    const byKey = Map.groupBy(keyed, ({ key }) => key);
    if (byKey.size === 0) continue;
    for (const row of rows) {
      if (contactIndexes[row.index] !== null) continue;
      const matching = keysOfPatch(row)
        .flatMap((key) => byKey.get(key) ?? [])
        .map(({ contact }) => contact)
        .filter((contact) => free.has(contact) && allows(row, contact) && !isBarred(row, contact));
      const [first] = matching.toSorted((a, b) => a.index - b.index);
      if (first === undefined) continue;
      contactIndexes[row.index] = first.index;
      free.delete(first);
    }
  }
  return contactIndexes;
}
