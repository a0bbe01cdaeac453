import { hash } from 'node:crypto';
import { canonicalHost, findHost, hostAndParents, hostOfUrl } from '#text/hosts.ts';
import type { Contact, ContactsPatch, KeptContact } from './contacts/contact.ts';
import { personKey } from './contacts/same-person.ts';
import { withContacts } from './contacts/with-contacts.ts';
import type { MediaRecord } from './media-record.ts';
import { listEmails } from './normalize/normalize-email.ts';

/** What an operator can name; a domain includes everything below it. */
export type NamedKind = 'address' | 'domain' | 'record';

export const namedKinds: readonly NamedKind[] = ['address', 'domain', 'record'];

/** The kinds of suppressions; `contact` is a person at a medium, by her name. */
export type SuppressedKind = NamedKind | 'contact';

export const suppressedKinds: readonly SuppressedKind[] = [...namedKinds, 'contact'];

/** How many characters of a hash are shown: enough to tell two addresses apart. */
const shownHashLength = 8;

/** Characters of a SHA-256 in base64url. */
export const hashLength = 43;

/** A request that records or people stay hidden, whatever is imported later. */
export interface Suppression {
  /** What it applies to, see suppressionKey. */
  key: string;
  /** Why, in the operator's words. */
  reason: string | null;
  /** Such as 2026-11-21T13:00:00.000Z. */
  addedAt: string;
  /** The key of the entry that it follows from: of an address, her name at a medium and her other addresses. It goes with that. */
  follows?: string;
}

/** The stored form of a suppression: its kind and subject; for an address only a hash, regardless of spelling. */
export function suppressionKey(kind: NamedKind, value: string): string {
  return `${kind} ${kind === 'address' ? hashText(spelledAlike(value)) : value}`;
}

/**
 * The key of a person at a medium: the id of the record, and a hash of her name, folded and in either order. Null without a
 * name. Records that become one hand their keys on, so the hash is of the name alone.
 */
export function contactSuppressionKey(recordId: string, name: string | null | undefined): string | null {
  const person = personKey(name);
  return person === '' ? null : `contact ${recordId} ${hashText(`name ${person}`)}`;
}

/** The same person at another medium, or the same medium under another id. */
export function contactKeyAt(recordId: string, key: string): string {
  return `contact ${recordId} ${key.slice(-hashLength)}`;
}

/** A key for display: the start of the hash for an address and for a name. */
export function showKey(key: string): { kind: SuppressedKind; value: string } {
  const end = key.indexOf(' ');
  const kind = key.slice(0, end) as SuppressedKind;
  const value = key.slice(end + 1);
  if (kind === 'address') return { kind, value: value.slice(0, shownHashLength) };
  return { kind, value: kind === 'contact' ? value.slice(0, shownHashLength - hashLength) : value };
}

/** The id of the record of which a key hides all or a person; null for an address or a domain. */
export function recordOfKey(key: string): string | null {
  if (key.startsWith('record ')) return key.slice('record '.length);
  return key.startsWith('contact ') ? key.slice('contact '.length, -hashLength - 1) : null;
}

/** A key for display in one line: `domain example.org`. */
export function describeKey(key: string): string {
  const { kind, value } = showKey(key);
  return `${kind} ${value}`;
}

/** A record or a patch for one. */
export type Suppressible = Pick<MediaRecord, 'id'> &
  Partial<Pick<MediaRecord, 'name' | 'aliases' | 'url' | 'feed_url' | 'linkedin_url'>> & {
    contacts?: readonly KeptContact[] | ContactsPatch;
  };

/** A contact or a patch for one, as far as suppressions look at it. */
export type SuppressibleContact = Partial<Pick<Contact, 'name' | 'email' | 'email_source'>>;

/** The contacts that a record or a patch names. */
function contactsOf({ contacts = [] }: Suppressible): readonly SuppressibleContact[] {
  return 'patches' in contacts ? contacts.patches : contacts;
}

/** The keys of all suppressions that would hide something of this record or patch, whether or not they exist. */
export function suppressionKeys(record: Suppressible): string[] {
  return [
    ...new Set([
      ...keysOfRecord(record),
      ...contactsOf(record).flatMap((contact) => keysOfContact(record.id, contact)),
    ]),
  ];
}

/** The keys of suppressions that would hide the record itself, whoever its contacts are. */
export function keysOfRecord(record: Suppressible): string[] {
  return [suppressionKey('record', record.id), ...keysOfDomains(hostsOf(record))];
}

/** The keys of suppressions that would hide a contact of a record, besides those of the record. */
export function keysOfContact(recordId: string, contact: SuppressibleContact): string[] {
  return [...keysOfPerson(recordId, contact), ...keysOfDomains(hostsOfContact(contact))];
}

/** The keys that hide a contact as a person: by her name or by her address. */
function keysOfPerson(recordId: string, { name, email = null }: SuppressibleContact): string[] {
  const byName = contactSuppressionKey(recordId, name);
  return [...(byName === null ? [] : [byName]), ...keysOfAddress(email)];
}

function keysOfAddress(email: string | null): string[] {
  return email === null ? [] : addressesThatHide(email).map((address) => `address ${hashText(address)}`);
}

function hostsOfContact({ email = null, email_source = null }: SuppressibleContact): string[] {
  const hosts = [
    email === null ? null : canonicalHost(email.slice(email.lastIndexOf('@') + 1)),
    email_source === null ? null : hostOfUrl(email_source),
  ];
  return hosts.filter((host) => host !== null);
}

function keysOfDomains(hosts: readonly string[]): string[] {
  return [...new Set(hosts.flatMap(hostAndParents))].map((domain) => suppressionKey('domain', domain));
}

/** All hosts that a record itself names, except LinkedIn's, where many have a page. */
function hostsOf({
  name = '',
  aliases = [],
  url = null,
  feed_url = null,
  linkedin_url = null,
}: Suppressible): string[] {
  const linkedIn = linkedin_url === null ? null : hostOfUrl(linkedin_url);
  return [
    ...[url, feed_url].map((page) => (page === null ? null : hostOfUrl(page))),
    linkedIn !== null && hostAndParents(linkedIn).includes('linkedin.com') ? null : linkedIn,
    ...[name, ...aliases].map((text) => (text.includes('.') ? findHost(text) : null)),
  ].filter((host) => host !== null);
}

/** Providers that ignore dots in the local part of an address. */
const ignoresDots = new Set(['gmail.com', 'googlemail.com']);

/** One spelling for addresses that are certainly the same: lower case, and without dots for Gmail. */
export function spelledAlike(address: string): string {
  const [local, domain] = partsOf(address);
  return ignoresDots.has(domain) ? `${local.replaceAll('.', '')}@gmail.com` : `${local}@${domain}`;
}

/** The address, its mailbox without a tag (`jane+press@x.org`), and the address as written: old versions kept Gmail's dots. */
function addressesThatHide(address: string): string[] {
  const [local, domain] = partsOf(address);
  const mailbox = local.slice(0, local.indexOf('+'));
  const untagged = local.includes('+') && mailbox !== '' ? [spelledAlike(`${mailbox}@${domain}`)] : [];
  return [...new Set([address.toLowerCase(), spelledAlike(address), ...untagged])];
}

/** Local part and domain, in lower case. */
function partsOf(address: string): [string, string] {
  const at = address.lastIndexOf('@');
  return [address.slice(0, at).toLowerCase(), address.slice(at + 1).toLowerCase()];
}

/**
 * What these suppressions leave of a record or patch: the same object if they hide nothing of it, null if they hide it whole
 * (the record itself, or a domain of the medium). Of contacts they take away those of hidden people, and those with an address
 * at a hidden domain.
 */
export function withoutSuppressed<Given extends Suppressible>(record: Given, keys: ReadonlySet<string>): Given | null {
  if (keys.size === 0) return record;
  if (keysOfRecord(record).some((key) => keys.has(key))) return null;
  const hidden = hiddenContacts(record.id, contactsOf(record), keys);
  return hidden.size === 0 ? record : withoutContacts(record, hidden);
}

function withoutContacts<Given extends Suppressible>(record: Given, hidden: ReadonlySet<SuppressibleContact>): Given {
  const { contacts = [] } = record;
  if ('patches' in contacts) {
    return { ...record, contacts: { ...contacts, patches: contacts.patches.filter((patch) => !hidden.has(patch)) } };
  }
  const visible = contacts.filter((contact) => !hidden.has(contact));
  return 'contact_count' in record ? withContacts(record, visible) : { ...record, contacts: visible };
}

/**
 * The contacts of a medium that these suppressions hide (contract A18): of a person, every contact with one of her addresses or
 * with her name. An address that contacts of several names share is nobody's: it hides these contacts, and says nothing of
 * the people.
 */
export function hiddenContacts<One extends SuppressibleContact>(
  recordId: string,
  contacts: readonly One[],
  keys: ReadonlySet<string>,
): ReadonlySet<One> {
  const isListed = (contact: One) => keysOfContact(recordId, contact).some((key) => keys.has(key));
  const listed = contacts.filter(isListed);
  if (listed.length === 0) return new Set();
  const people = hiddenPeople(recordId, contacts, keys);
  return new Set([...listed, ...contacts.filter(({ name }) => people.has(personKey(name)))]);
}

/** The people of a medium whom these suppressions hide, by their personKey, each with the key that does. */
function hiddenPeople(
  recordId: string,
  contacts: readonly SuppressibleContact[],
  keys: ReadonlySet<string>,
): ReadonlyMap<string, string> {
  const people = new Map<string, string>();
  for (const contact of contacts) {
    const person = personKey(contact.name);
    if (person === '') continue;
    const keyed = isOwnAddress(contact, contacts) ? contact : { name: contact.name };
    const key = keysOfPerson(recordId, keyed as SuppressibleContact).find((personSuppression) =>
      keys.has(personSuppression),
    );
    if (key !== undefined) people.set(person, key);
  }
  return people;
}

/** Whether nobody of another name at the medium has the address of a contact. */
export function isOwnAddress({ name, email }: SuppressibleContact, contacts: readonly SuppressibleContact[]): boolean {
  if (!email) return false;
  const [person, address] = [personKey(name), spelledAlike(email)];
  const isOfOther = (contact: SuppressibleContact) =>
    Boolean(contact.email) &&
    ![person, ''].includes(personKey(contact.name)) &&
    spelledAlike(contact.email ?? '') === address;
  return !contacts.some(isOfOther);
}

/**
 * The keys that follow from these for the people whom they hide at a medium, each with the key that it follows from: her name
 * there, and her other addresses, which may stand at other media.
 */
export function followingKeys(
  recordId: string,
  contacts: readonly SuppressibleContact[],
  keys: ReadonlySet<string>,
): ReadonlyMap<string, string> {
  const following = new Map<string, string>();
  const add = (key: string | null, cause: string) => {
    if (key !== null && !keys.has(key) && !following.has(key)) following.set(key, cause);
  };
  const people = hiddenPeople(recordId, contacts, keys);
  for (const contact of contacts) {
    const cause = people.get(personKey(contact.name));
    if (cause === undefined) continue;
    add(contactSuppressionKey(recordId, contact.name), cause);
    const isHidden = keysOfAddress(contact.email ?? null).some((key) => keys.has(key));
    if (contact.email && !isHidden && isOwnAddress(contact, contacts))
      add(suppressionKey('address', contact.email), cause);
  }
  return following;
}

/**
 * Tells whether texts, such as the cells of a row, name somebody whom these keys hide: by an address, or by a name that a person has
 * at whatever medium, because the row may not say at which.
 */
export function suppressedNameFinder(keys: ReadonlySet<string>): (texts: readonly string[]) => boolean {
  const names = new Set([...keys].filter((key) => key.startsWith('contact ')).map((key) => key.slice(-hashLength)));
  return (texts) =>
    keys.size > 0 &&
    texts.some((text) => {
      const name = contactSuppressionKey('', text)?.slice(-hashLength);
      const addresses = listEmails(text).flatMap((email) => keysOfContact('', { email }));
      return (name !== undefined && names.has(name)) || addresses.some((key) => keys.has(key));
    });
}

function hashText(text: string): string {
  return hash('sha256', `masthead suppression ${text}`, 'base64url');
}

/** The suppression list, which outlives imports, rebuilds and restores. Contains no plain address. */
export interface SuppressionList {
  /** Adds new entries; returns how many were new. If the index is part of the store, what they hide is hidden at once. */
  add(suppressions: readonly Suppression[]): Promise<number>;
  /** Removes entries, and those that follow from them; returns how many of these keys there were. If the index is part of the store, what they hid is visible again at once. */
  remove(keys: readonly string[]): Promise<number>;
  /** All, oldest first. */
  list(): Promise<Suppression[]>;
  /** The keys of all entries added at or after this time. */
  listKeysSince(at: Date): Promise<ReadonlySet<string>>;
}
