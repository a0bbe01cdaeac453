import { hash } from 'node:crypto';
import { normalForm } from '#text/fold.ts';
import { canonicalHost, findHost, hostAndParents, hostOfUrl, isPublicSuffix } from '#text/hosts.ts';
import { holdsAddress } from './addresses/scrub-addresses.ts';
import type { Contact, ContactsPatch, KeptContact } from './contacts/contact.ts';
import type { MediaRecord } from './media-record.ts';
import { normalizeEmail } from './normalize/normalize-email.ts';
import { normalizeId } from './normalize/normalize-values.ts';

/** The kinds of suppressions; a domain includes everything below it. */
export type SuppressedKind = 'address' | 'domain' | 'record';

export const suppressedKinds: readonly SuppressedKind[] = ['address', 'domain', 'record'];

/** How many characters of an address's hash are shown: enough to tell two addresses apart. */
const shownHashLength = 8;

/** A request that records stay hidden, whatever is imported later. */
export interface Suppression {
  /** What it applies to, see suppressionKey. */
  key: string;
  /** Why, in the operator's words. */
  reason: string | null;
  /** Such as 2026-11-21T13:00:00.000Z. */
  addedAt: string;
}

/** The stored form of a suppression: its kind and subject; for an address only a hash, regardless of spelling. */
export function suppressionKey(kind: SuppressedKind, value: string): string {
  return `${kind} ${kind === 'address' ? hashAddress(spelledAlike(value)) : value}`;
}

/** A key for display: the start of the hash for an address. */
export function showKey(key: string): { kind: SuppressedKind; value: string } {
  const end = key.indexOf(' ');
  const kind = key.slice(0, end) as SuppressedKind;
  const value = key.slice(end + 1);
  return { kind, value: kind === 'address' ? value.slice(0, shownHashLength) : value };
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
type SuppressibleContact = Partial<Pick<Contact, 'email' | 'email_source'>>;

/** The contacts that a record or a patch names. */
export function contactsOf({ contacts = [] }: Suppressible): readonly SuppressibleContact[] {
  return 'patches' in contacts ? contacts.patches : contacts;
}

/** The keys of all suppressions that would hide something of this record or patch, whether or not they exist. */
export function suppressionKeys(record: Suppressible): string[] {
  return [...new Set([...keysOfRecord(record), ...contactsOf(record).flatMap((one) => keysOfContact(record, one))])];
}

/** The keys of suppressions that would hide the record itself, whoever its contacts are. */
export function keysOfRecord(record: Suppressible): string[] {
  return [suppressionKey('record', record.id), ...keysOfDomains(hostsOf(record))];
}

/** The keys of suppressions that would hide a contact of a record, besides those of the record. */
export function keysOfContact(
  _record: Suppressible,
  { email = null, email_source = null }: SuppressibleContact,
): string[] {
  const hosts = [
    email === null ? null : canonicalHost(email.slice(email.lastIndexOf('@') + 1)),
    email_source === null ? null : hostOfUrl(email_source),
  ];
  return [
    ...(email === null ? [] : addressesThatHide(email).map((address) => `address ${hashAddress(address)}`)),
    ...keysOfDomains(hosts.filter((host) => host !== null)),
  ];
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
function spelledAlike(address: string): string {
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
 * What these suppressions leave of a record or patch: the same object if they hide nothing of it, null if they hide it whole.
 * An address, a domain and a record each hide the whole record.
 */
export function withoutSuppressed<Given extends Suppressible>(record: Given, keys: ReadonlySet<string>): Given | null {
  return keys.size > 0 && suppressionKeys(record).some((key) => keys.has(key)) ? null : record;
}

function hashAddress(address: string): string {
  return hash('sha256', `masthead suppression ${address}`, 'base64url');
}

/** An operator's input as the key of a suppression; or what is wrong with it, without quoting an address. */
type ReadSuppression = { key: string } | { fault: string };

/** Reads what to suppress: an address such as `Jane <jane@x.org>`; a domain, also as a URL or `*.x.org`; the id of a record. */
export function readSuppression(kind: SuppressedKind, text: string): ReadSuppression {
  return { address: readAddress, domain: readDomain, record: readRecordId }[kind](text);
}

/** The key of an entry as another store has it, checked. */
export function readSuppressionKey(text: string): ReadSuppression {
  const kind = suppressedKinds.find((known) => text.startsWith(`${known} `));
  if (kind === undefined) return { fault: 'its key has no kind that this version knows' };
  const value = text.slice(kind.length + 1);
  const isSound =
    kind === 'address'
      ? /^[\w-]{43}$/.test(value)
      : suppressionKey(kind, value) === keyOf(readSuppression(kind, value));
  return isSound ? { key: text } : { fault: `its key is not that of a suppressed ${kind}` };
}

function keyOf(read: ReadSuppression): string | null {
  return 'key' in read ? read.key : null;
}

/** Maximum length of a reason, in UTF-16 code units. */
const reasonLimit = 500;

/** Null if it is valid. A reason is shown and stored, so it must not contain an address. */
export function faultOfReason(reason: string): string | null {
  if (reason.length > reasonLimit) return `the reason is longer than ${reasonLimit} characters: shorten it`;
  if (reason.includes('@') || holdsAddress(reason)) return 'the reason seems to contain an email address: remove it';
  if (/\p{Cc}/u.test(reason)) return 'the reason contains control characters or line breaks: write one line of text';
  return null;
}

function readAddress(text: string): ReadSuppression {
  const result = normalizeEmail(text);
  if ('fault' in result) return { fault: 'not a plain address: use a form like name@example.org' };
  if (result.isFirstOfSeveral) return { fault: 'several addresses: pass one at a time' };
  return { key: suppressionKey('address', result.email) };
}

function readDomain(text: string): ReadSuppression {
  const given = normalForm(text.slice(0, 2_048), 'NFKC')
    .trim()
    .replace(/^(?:@|\*?\.)/, '');
  if (given.includes('@')) {
    return { fault: 'an address, not a domain: pass it as an address, or only the part after the @' };
  }
  const name = given.replace(/^[a-z][a-z0-9+.-]*:\/\//i, '').split(/[/?#:]/, 1)[0] ?? '';
  const host = findHost(`https://${name}`);
  // `com` alone is not a host.
  const suffix = host ?? name.toLowerCase().replace(/\.$/, '');
  if (isPublicSuffix(suffix)) {
    return {
      fault: `anybody can register a name under ${suffix}: use the full name, such as example.${suffix}, or the ids of the records`,
    };
  }
  if (host === null) return { fault: 'not a domain: use a form like example.org, or a URL' };
  return { key: suppressionKey('domain', host) };
}

function readRecordId(text: string): ReadSuppression {
  const result = normalizeId(text);
  if ('fault' in result) {
    return { fault: 'not a valid record id: ids are short and contain no address and no control characters' };
  }
  return result.id === null ? { fault: 'the id is empty' } : { key: suppressionKey('record', result.id) };
}

/** The suppression list, which outlives imports, rebuilds and restores. Contains no plain address. */
export interface SuppressionList {
  /** Adds new entries; returns how many were new. If the index is part of the store, their records are hidden at once. */
  add(suppressions: readonly Suppression[]): Promise<number>;
  /** Returns how many existed. If the index is part of the store, their records are visible again at once. */
  remove(keys: readonly string[]): Promise<number>;
  /** All, oldest first. */
  list(): Promise<Suppression[]>;
  /** The keys of all entries added at or after this time. */
  listKeysSince(at: Date): Promise<ReadonlySet<string>>;
}
