import type { EmailStatus } from '../vocabularies.ts';

export const contactKinds = ['person', 'desk', 'automatic'] as const;
/** `person`: a person's name; `automatic`: an inbox that only programs use (noreply@); `desk`: everybody else, also in doubt. */
export type ContactKind = (typeof contactKinds)[number];

/** A person or a desk at one medium, in the shape and key order of the API (contract A18). Its values belong together, always. */
export interface Contact {
  /** Stable, and unique within its record. Says nothing of the address. */
  id: string;
  kind: ContactKind;
  name: string | null;
  title: string | null;
  /** What it covers, in the source's words; at most `beatLimit`. */
  beats: string[];
  email: string | null;
  email_status: EmailStatus | null;
  /** The URL where the address was seen. */
  email_source: string | null;
  /** ISO 8601, UTC: when the address was last verified. */
  last_verified_at: string | null;
  phone: string | null;
  /** https URLs of profiles. */
  links: string[];
}

/** A contact as stores keep it: with what only imports need. Contacts of a record stand in the order in which they came. */
export interface KeptContact extends Contact {
  /** The named sources (`import --source`) that list it, with the source's own id of it where that has one. */
  sources?: Readonly<Record<string, string | null>>;
  /** Whether somebody put it first for good. */
  isPreferred?: true;
}

/** What can be said of a contact. Its kind follows from the rest. */
export type ContactValues = Partial<Omit<Contact, 'id' | 'kind'>>;

/** What a row says about one contact: an absent key keeps what is stored, null or `[]` clears it. */
export interface ContactPatch extends ContactValues {
  /** Our id of it, from an export or an answer of ours. */
  id?: string;
  /** The id of the person in the list of this source. */
  sourceId?: { source: string; id: string | null };
  /** Whether the links are some of hers, and not all of them. */
  addsLinks?: true;
}

/** What one source says about the contacts of a medium. */
export interface ContactsPatch {
  patches: readonly ContactPatch[];
  /** Whether these are all contacts of the medium, as in JSON with `contacts`: others go. */
  areAll: boolean;
  /** Whether patches only add what is unknown, as for a record that others were merged into. */
  fillsOnly?: boolean;
  /** The ids of stored contacts that suppressions hide: no patch means them, and they stay. */
  hidden?: ReadonlySet<string>;
}

/** Contacts a record may have. A row that brings one more is rejected. */
export const contactLimit = 500;
/** Beats a contact may have; further ones are dropped with a note. */
export const beatLimit = 20;
/** Profiles a contact may have; further ones are dropped with a note. */
export const linkLimit = 20;

/** A contact of whom nothing is known, with all keys in their order. */
export function emptyContact(id: string): Contact {
  return {
    id,
    kind: 'desk',
    name: null,
    title: null,
    beats: [],
    email: null,
    email_status: null,
    email_source: null,
    last_verified_at: null,
    phone: null,
    links: [],
  };
}

/** The details of an address, which are wrong for any other address. */
const noAddressDetails = { email_status: null, email_source: null, last_verified_at: null } as const;

/** The values of a contact with those of a patch. Another address has none of the details of the one before. */
export function withValues<Base extends ContactValues>(base: Base, patch: ContactValues): Base & ContactValues {
  const isOtherAddress = patch.email !== undefined && !isSameAddress(patch.email, base.email ?? null);
  return { ...base, ...(isOtherAddress ? noAddressDetails : {}), ...patch };
}

export function isSameAddress(one: string | null, other: string | null): boolean {
  return one?.toLowerCase() === other?.toLowerCase();
}

/** Whether somebody may write to it: an address that is neither known to be invalid nor thrown away. */
export function isUsable({ email, email_status }: Pick<Contact, 'email' | 'email_status'>): boolean {
  return email !== null && email_status !== 'invalid' && email_status !== 'disposable';
}

/** Whether there is anything to reach or to name: a row without name, title, address and phone has no contact. */
export function saysAContact({ name, title, email, phone }: ContactValues): boolean {
  return Boolean(name || title || email || phone);
}

const rankOf: Readonly<Record<ContactKind, (isUsable: boolean) => number>> = {
  person: (isUsable) => (isUsable ? 0 : 2),
  desk: (isUsable) => (isUsable ? 1 : 3),
  automatic: () => 4,
};

/**
 * Contacts in the order of contract A18: the preferred one; then persons with a usable address, desks with one, persons
 * without, desks without, automatic ones; among equals as they came.
 */
export function bestFirst<One extends KeptContact>(contacts: readonly One[]): One[] {
  const rank = (contact: One) => (contact.isPreferred ? -1 : rankOf[contact.kind](isUsable(contact)));
  return contacts.length < 2 ? [...contacts] : contacts.toSorted((a, b) => rank(a) - rank(b));
}

/** The contacts, of which the one with this id is put first for good; none of them for null. */
export function withPreferred(contacts: readonly KeptContact[], preferredId: string | null): KeptContact[] {
  return contacts.map((contact) => {
    const isPreferred = contact.id === preferredId;
    if (isPreferred === Boolean(contact.isPreferred)) return contact;
    const { isPreferred: _, ...otherValues } = contact;
    return isPreferred ? { ...otherValues, isPreferred } : otherValues;
  });
}

/** The id of the contact that somebody put first; null if nobody did. */
export function preferredOf(contacts: readonly KeptContact[]): string | null {
  return contacts.find(({ isPreferred }) => isPreferred)?.id ?? null;
}

/** Whom to write to at a medium. What is unknown is null. */
export type FirstContact = Omit<Contact, 'id' | 'kind'>;

/** The first contact of a record. All values are unknown if it has none. Code outside `records/` reads the first contact only here. */
export function firstContact({ contacts }: { contacts: readonly Contact[] }): FirstContact {
  return bestFirst(contacts)[0] ?? emptyContact('');
}

/** Whether the first contact has an address to write to: neither invalid nor disposable. */
export function isReachable(record: { contacts: readonly Contact[] }): boolean {
  return isUsable(firstContact(record));
}
