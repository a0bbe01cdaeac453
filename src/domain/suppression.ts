import { hash } from 'node:crypto';
import type { MediaRecord } from './media-record.ts';
import { canonicalHost, hostAndParents, hostOfUrl } from './search/hosts.ts';

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
export type Suppressible = Pick<MediaRecord, 'id' | 'email' | 'url' | 'feed_url'>;

/** How a suppression is kept: its kind and what it names, of an address only a hash, whatever its case. */
export function suppressionKey(kind: SuppressedKind, value: string): string {
  return `${kind} ${kind === 'address' ? hashAddress(value) : value}`;
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
export function suppressionKeys({ id, email, url, feed_url }: Suppressible): string[] {
  const hosts = [
    email === null ? null : canonicalHost(email.slice(email.lastIndexOf('@') + 1)),
    url === null ? null : hostOfUrl(url),
    feed_url === null ? null : hostOfUrl(feed_url),
  ].filter((host) => host !== null);
  const domains = new Set(hosts.flatMap(hostAndParents));
  return [
    suppressionKey('record', id),
    ...(email === null ? [] : [suppressionKey('address', email)]),
    ...[...domains].map((domain) => suppressionKey('domain', domain)),
  ];
}

/** Whether one of these suppressions hides the record. */
export function isSuppressed(record: Suppressible, keys: ReadonlySet<string>): boolean {
  return keys.size > 0 && suppressionKeys(record).some((key) => keys.has(key));
}

function hashAddress(address: string): string {
  return hash('sha256', `masthead suppression ${address.toLowerCase()}`, 'base64url');
}
