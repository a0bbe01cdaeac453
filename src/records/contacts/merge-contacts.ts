import {
  type ContactPatch,
  type ContactsPatch,
  type ContactValues,
  contactLimit,
  emptyContact,
  type KeptContact,
  linkLimit,
  preferredOf,
  saysAContact,
  withPreferred,
  withValues,
} from './contact.ts';
import { newContactId } from './contact-id.ts';
import { matchContacts } from './match-contacts.ts';
import { contactKindOf, type NamedMedium } from './people.ts';
import { joinLinks } from './shared-links.ts';

/** The medium whose contacts are merged. */
export type ContactsOf = NamedMedium & { id: string };

/** The contacts of a record after a patch. */
export interface MergedContacts {
  /** Those that stay in their order, new ones after them; the same array if nothing changes. */
  contacts: readonly KeptContact[];
  /** The ids of the contacts that the patch means, each once. */
  named: readonly string[];
}

/**
 * Merges what one source says of contacts. A patch changes the contact that it means and no other, and never a hidden one. Null if
 * there would be more than `contactLimit`.
 */
export function mergeContacts(
  medium: ContactsOf,
  stored: readonly KeptContact[],
  { hidden, ...patch }: ContactsPatch,
): MergedContacts | null {
  if (hidden === undefined || hidden.size === 0) return mergeVisible(medium, stored, patch);
  const visible = stored.filter(({ id }) => !hidden.has(id));
  const merged = mergeVisible(medium, visible, patch, [...hidden]);
  if (merged === null || merged.contacts === visible) return merged && { ...merged, contacts: stored };
  const contacts = [...merged.contacts];
  for (const [index, contact] of stored.entries()) if (hidden.has(contact.id)) contacts.splice(index, 0, contact);
  return contacts.length > contactLimit ? null : { ...merged, contacts };
}

/** @param takenIds ids that new contacts cannot have */
function mergeVisible(
  medium: ContactsOf,
  stored: readonly KeptContact[],
  { patches, areAll, fillsOnly = false }: Omit<ContactsPatch, 'hidden'>,
  takenIds: readonly string[] = [],
): MergedContacts | null {
  const meaningful = patches.filter((patch) => patch.id !== undefined || saysAContact(patch));
  const isPerson = (patch: ContactPatch) => contactKindOf(patch, medium) === 'person';
  const contactIndexes = matchContacts(stored, meaningful, { isPerson });
  const mergedByIndex = new Map<number, KeptContact>();
  const added: KeptContact[] = [];
  const usedIds = new Set([...stored.map(({ id }) => id), ...takenIds]);
  for (const [at, patch] of meaningful.entries()) {
    const index = contactIndexes[at] ?? null;
    const base = index === null ? null : (stored[index] as KeptContact);
    if (base !== null && index !== null) {
      mergedByIndex.set(index, changeContact(base, patch, medium, fillsOnly));
      continue;
    }
    if (!saysAContact(patch)) continue;
    const contact = createContact(medium, patch, usedIds);
    usedIds.add(contact.id);
    added.push(contact);
  }
  const staying = stored.flatMap((contact, index) => mergedByIndex.get(index) ?? (areAll && !fillsOnly ? [] : contact));
  const contacts = [...staying, ...added];
  if (contacts.length > contactLimit) return null;
  const isSame = contacts.length === stored.length && contacts.every((contact, index) => contact === stored[index]);
  const named = [...mergedByIndex.values(), ...added].map(({ id }) => id);
  return { contacts: isSame ? stored : contacts, named };
}

function createContact(medium: ContactsOf, patch: ContactPatch, usedIds: ReadonlySet<string>): KeptContact {
  const { id: givenId, sourceId, addsLinks: _, ...values } = patch;
  const id = givenId !== undefined && !usedIds.has(givenId) ? givenId : newContactId(medium.id, values, usedIds);
  return withSource(withKind({ ...emptyContact(id), ...withoutUndefined(values) }, medium), sourceId);
}

/** A stored contact with what a patch says; the same object if that changes nothing. A name is never cleared. */
function changeContact(stored: KeptContact, patch: ContactPatch, medium: ContactsOf, fillsOnly: boolean): KeptContact {
  const { id, sourceId, name, addsLinks, ...rest } = patch;
  // Whom an editor means by an id may be called so.
  const isName = name && (id !== undefined || !isInCapitals(name, stored.name));
  const links = addsLinks ? joinLinks(stored.links, patch.links ?? []).slice(0, linkLimit) : patch.links;
  const patchValues: ContactValues = { ...(isName && { name }), ...rest, ...(links && { links }) };
  const values = fillsOnly ? unknownOf(stored, patchValues) : patchValues;
  const contact = withSource(withKind(withValues(stored, withoutUndefined(values)) as KeptContact, medium), sourceId);
  return JSON.stringify(contact) === JSON.stringify(stored) ? stored : contact;
}

/** Whether a name only repeats the known one in capitals, as lists do with all names: `ANN ONE`. */
const isInCapitals = (name: string, knownName: string | null) => knownName?.toUpperCase() === name;

/** A contact, completed by what is known of the same one elsewhere. */
export function completedBy(stored: KeptContact, other: KeptContact, medium: NamedMedium): KeptContact {
  const contact = withKind(withValues(stored, unknownOf(stored, other)) as KeptContact, medium);
  if (other.sources === undefined) return contact;
  return { ...contact, sources: { ...other.sources, ...contact.sources } };
}

/** What is unknown of a contact. The details of an address belong to that address, so they come with it or not at all. */
function unknownOf(
  stored: KeptContact,
  { email, email_status, email_source, last_verified_at, ...values }: ContactValues,
) {
  const isUnknown = (key: keyof typeof values) =>
    stored[key] === null || (Array.isArray(stored[key]) && stored[key].length === 0);
  const missingValues = Object.entries(values).filter(([key]) => isUnknown(key as keyof typeof values));
  const address = stored.email === null && email ? { email, email_status, email_source, last_verified_at } : {};
  return { ...Object.fromEntries(missingValues), ...address } as ContactValues;
}

function withSource(contact: KeptContact, sourceId: ContactPatch['sourceId']): KeptContact {
  if (sourceId === undefined) return contact;
  const { source, id } = sourceId;
  return { ...contact, sources: { ...contact.sources, [source]: id ?? contact.sources?.[source] ?? null } };
}

/** A contact with the kind that follows from its name and address; the same object if it has that kind. */
export function withKind(contact: KeptContact, medium: NamedMedium): KeptContact {
  const kind = contactKindOf(contact, medium);
  return kind === contact.kind ? contact : { ...contact, kind };
}

/** Without undefined values, so that a patch keeps what is stored for them. */
function withoutUndefined(values: ContactValues): ContactValues {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

/**
 * The contacts of records that become one, those of the kept record first: a contact of both is there once, completed by what
 * the others know. Nobody and no address is lost: one name with two addresses stays two contacts. Whom somebody put first
 * at the first of these records stays first.
 */
export function uniteContacts(
  medium: ContactsOf,
  keptContacts: readonly KeptContact[],
  furtherLists: readonly (readonly KeptContact[])[],
): KeptContact[] {
  return furtherLists.reduce<KeptContact[]>((united, more) => addContacts(medium, united, more), [...keptContacts]);
}

function addContacts(medium: ContactsOf, united: readonly KeptContact[], more: readonly KeptContact[]): KeptContact[] {
  const isPerson = (contact: Pick<KeptContact, 'name' | 'email'>) => contactKindOf(contact, medium) === 'person';
  const contactIndexes = matchContacts(united, more, {
    isPerson: ({ name = null, email = null }) => isPerson({ name, email }),
    mayReplace: false,
  });
  const contacts = [...united];
  const usedIds = new Set(united.map(({ id }) => id));
  let preferred = preferredOf(united);
  for (const [at, other] of more.entries()) {
    const index = contactIndexes[at] ?? null;
    const storedContact = index === null ? undefined : contacts[index];
    if (index !== null && storedContact !== undefined) {
      contacts[index] = completedBy(storedContact, other, medium);
      if (other.isPreferred) preferred ??= storedContact.id;
      continue;
    }
    const id = usedIds.has(other.id) ? newContactId(medium.id, other, usedIds) : other.id;
    usedIds.add(id);
    contacts.push(withKind({ ...other, id }, medium));
    if (other.isPreferred) preferred ??= id;
  }
  return withPreferred(contacts, preferred);
}
