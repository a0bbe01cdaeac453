import { hash } from 'node:crypto';
import type { MediaRecord } from '#records/media-record.ts';
import type { Filter, SearchQuery } from '#search/search-query.ts';
import { findHost } from '#text/hosts.ts';
import { isPerson } from './is-person.ts';
import { splitName } from './split-name.ts';

/**
 * A record in the form outbound tools expect: somebody to write to. Unknown values are an empty string, unknown numbers
 * null.
 */
export interface OutboundLead {
  /** The record's id. */
  id: string;
  email: string;
  firstName: string;
  lastName: string;
  companyName: string;
  jobTitle: string;
  website: string;
  /** The host of the website. */
  domain: string;
  phone: string;
  linkedinUrl: string;
  /** City, region and country, as far as known. */
  location: string;
  /** What tools have no field for. */
  kind: string;
  outletType: string;
  /** With `|` between them. */
  topics: string;
  coverage: string;
  language: string;
  country: string;
  region: string;
  city: string;
  audience: number | null;
  emailStatus: string;
}

/** The record as a lead; null if it has no address to write to. */
export function toLead(record: MediaRecord): OutboundLead | null {
  if (record.email === null) return null;
  const { first, last } = isPerson(record) ? splitName(record.contact_name ?? '') : { first: '', last: '' };
  const place = [record.city, record.region, record.country_name ?? record.country];
  return {
    id: record.id,
    email: record.email,
    firstName: first,
    lastName: last,
    companyName: record.name,
    jobTitle: record.contact_title ?? '',
    website: record.url ?? '',
    domain: findHost(record.url ?? '') ?? '',
    phone: record.phone ?? '',
    linkedinUrl: record.linkedin_url ?? '',
    location: place.filter((part) => part !== null).join(', '),
    kind: record.kind,
    outletType: record.type ?? '',
    topics: record.categories.join('|'),
    coverage: record.coverage ?? '',
    language: record.language ?? '',
    country: record.country_name ?? record.country ?? '',
    region: record.region ?? '',
    city: record.city ?? '',
    audience: record.audience,
    emailStatus: record.email_status ?? '',
  };
}

const neverInvalid: Filter = { field: 'email_status', any: [], none: ['invalid'] };

/**
 * The records of a query that outbound tools may get: those with an address that is not known to be invalid. A filter
 * on `email_status` decides instead if there is one.
 */
export function outboundPart(query: SearchQuery): SearchQuery {
  const filters: Filter[] = [...query.filters, { present: 'email' }];
  return { ...query, filters: choosesStatus(query) ? filters : [...filters, neverInvalid] };
}

/** Whether one record of a query is in that part. */
export function isOutbound({ email, email_status }: MediaRecord, query: SearchQuery): boolean {
  return email !== null && (email_status !== 'invalid' || choosesStatus(query));
}

function choosesStatus({ filters }: SearchQuery): boolean {
  return filters.some((filter) => 'field' in filter && filter.field === 'email_status');
}

/** Four bytes that identify an address, ignoring case, for code that does not keep the address. */
export function digestAddress(email: string): number {
  return hash('sha256', email.toLowerCase(), 'buffer').readInt32BE();
}
