import { hash } from 'node:crypto';
import type { MediaRecord } from './media-record.ts';
import { canonicalHost, findHost, hostAndParents, hostOfUrl } from './search/hosts.ts';

/** What a suppression names; a domain with all below it. */
export type SuppressedKind = 'address' | 'domain' | 'record';

/** So much of the hash of an address is shown: enough to tell two apart. */
const shownHashLength = 8;

/** A wish that records are not to be found, whatever is imported later. */
export interface Suppression {
  /** What it applies to, see suppressionKey. */
  key: string;
  /** Why, in an operator's words. */
  reason: string | null;
  /** Such as 2026-11-21T13:00:00.000Z. */
  addedAt: string;
}

/** What of a record suppressions look at. */
export type Suppressible = Pick<
  MediaRecord,
  'id' | 'name' | 'aliases' | 'url' | 'email' | 'email_source' | 'feed_url' | 'linkedin_url'
>;

/** How a suppression is kept: its kind and what it names, of an address only a hash, whatever its spelling. */
export function suppressionKey(kind: SuppressedKind, value: string): string {
  return `${kind} ${kind === 'address' ? hashAddress(spelledAlike(value)) : value}`;
}

/** A key as it may be shown: of an address the beginning of its hash. */
export function showKey(key: string): { kind: SuppressedKind; value: string } {
  const end = key.indexOf(' ');
  const kind = key.slice(0, end) as SuppressedKind;
  const value = key.slice(end + 1);
  return { kind, value: kind === 'address' ? value.slice(0, shownHashLength) : value };
}

/** A key as it may be shown, in one line: `domain example.org`. */
export function describeKey(key: string): string {
  const { kind, value } = showKey(key);
  return `${kind} ${value}`;
}

/** The keys of all suppressions that would hide this record, whether there are such or not. */
export function suppressionKeys(record: Suppressible): string[] {
  const { id, email } = record;
  const domains = new Set(hostsOf(record).flatMap(hostAndParents));
  return [
    suppressionKey('record', id),
    ...(email === null ? [] : addressesThatHide(email).map((address) => `address ${hashAddress(address)}`)),
    ...[...domains].map((domain) => suppressionKey('domain', domain)),
  ];
}

/** The hosts of whatever a record says of itself; not that of LinkedIn, where any page may be. */
function hostsOf({ name, aliases, url, email, email_source, feed_url, linkedin_url }: Suppressible): string[] {
  const linkedIn = linkedin_url === null ? null : hostOfUrl(linkedin_url);
  return [
    email === null ? null : canonicalHost(email.slice(email.lastIndexOf('@') + 1)),
    ...[url, feed_url, email_source].map((page) => (page === null ? null : hostOfUrl(page))),
    linkedIn !== null && hostAndParents(linkedIn).includes('linkedin.com') ? null : linkedIn,
    ...[name, ...aliases].map((text) => (text.includes('.') ? findHost(text) : null)),
  ].filter((host) => host !== null);
}

/** Providers that deliver an address to one mailbox wherever dots stand in its local part. */
const ignoresDots = new Set(['gmail.com', 'googlemail.com']);

/** An address in the one spelling of all that are certainly the same: in small letters, for Gmail without dots. */
function spelledAlike(address: string): string {
  const [local, domain] = partsOf(address);
  return ignoresDots.has(domain) ? `${local.replaceAll('.', '')}@gmail.com` : `${local}@${domain}`;
}

/**
 * The addresses whose suppression hides a record with this one: itself, and the mailbox that it is a part of where it has
 * a tag (`jane+press@x.org`). As it is written too: so were Gmail's kept before their dots were left out.
 */
function addressesThatHide(address: string): string[] {
  const [local, domain] = partsOf(address);
  const mailbox = local.slice(0, local.indexOf('+'));
  const untagged = local.includes('+') && mailbox !== '' ? [spelledAlike(`${mailbox}@${domain}`)] : [];
  return [...new Set([address.toLowerCase(), spelledAlike(address), ...untagged])];
}

/** Local part and domain, in small letters. */
function partsOf(address: string): [string, string] {
  const at = address.lastIndexOf('@');
  return [address.slice(0, at).toLowerCase(), address.slice(at + 1).toLowerCase()];
}

/** Whether one of these suppressions hides the record. */
export function isSuppressed(record: Suppressible, keys: ReadonlySet<string>): boolean {
  return keys.size > 0 && suppressionKeys(record).some((key) => keys.has(key));
}

function hashAddress(address: string): string {
  return hash('sha256', `masthead suppression ${address}`, 'base64url');
}
