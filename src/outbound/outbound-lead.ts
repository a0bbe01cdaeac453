import { type Contact, firstContact } from '#records/contacts/contact.ts';
import { isPerson, splitName } from '#records/contacts/people.ts';
import { isPersonsProfile } from '#records/fields.ts';
import type { MediaRecord } from '#records/media-record.ts';
import { findHost, hostAndParents, hostOfUrl } from '#text/hosts.ts';
import type { LeadCounts } from './push.ts';

/** A contact in the form outbound tools expect. Unknown values are an empty string, unknown numbers null. */
export type OutboundLead = NonNullable<ReturnType<typeof toLead>>;

/** The first contact of a record as a lead, the only one in a row of contactRow; null if it has no address to write to. */
export function toLead(record: MediaRecord) {
  const contact = firstContact(record);
  if (contact.email === null) return null;
  const contactName = contact.name ?? '';
  const { first, last } = isPerson(contactName, record) ? splitName(contactName) : { first: '', last: '' };
  const place = [record.city, record.region, record.country_name ?? record.country];
  return {
    id: record.id,
    email: contact.email,
    firstName: first,
    lastName: last,
    companyName: record.name,
    jobTitle: contact.title ?? '',
    website: record.url ?? '',
    domain: findHost(record.url ?? '') ?? '',
    phone: contact.phone ?? '',
    linkedinUrl: linkedInOf(contact, record) ?? '',
    location: place.filter((part) => part !== null).join(', '),
    // Tools have no field for these: they become custom columns.
    kind: record.kind,
    outletType: record.type ?? '',
    topics: record.categories.join('|'),
    coverage: record.coverage ?? '',
    language: record.language ?? '',
    country: record.country_name ?? record.country ?? '',
    region: record.region ?? '',
    city: record.city ?? '',
    audience: record.audience,
    emailStatus: contact.email_status ?? '',
  };
}

/**
 * The contact's own page at LinkedIn. That of the record may be a person's from before contacts had links: it is this contact's
 * only where there is no other.
 */
function linkedInOf({ links }: Pick<Contact, 'links'>, { linkedin_url, contact_count }: MediaRecord): string | null {
  const link = links.find((url) => hostAndParents(hostOfUrl(url) ?? '').includes('linkedin.com'));
  if (link !== undefined) return link;
  return contact_count === 1 && linkedin_url !== null && isPersonsProfile(linkedin_url) ? linkedin_url : null;
}

/** Where leads go: a campaign, with a customer's key for the tool. The key is never written anywhere. */
export interface PushTarget {
  apiKey: string;
  campaignId: string;
}

/** A tool's result for one batch. */
export interface BatchAnswer {
  /** These add up to the size of the batch. */
  counts: LeadCounts;
  /** The tool's own counters that are not 0, by name. */
  details: Readonly<Record<string, number>>;
  /** Why the tool accepts no more; absent if it does. */
  refusal?: string;
}

/** The form of a campaign id in a tool: a pattern, and a description that completes "use". */
export type CampaignId = { pattern: RegExp; right: string };

export interface LeadTool {
  /** `name` is for requests and the push log, `title` for people. */
  readonly name: string;
  readonly title: string;
  readonly campaignId: CampaignId;
  readonly batchSize: number;
  /**
   * Adds leads to the campaign. Waits for the tool's rate limits, and retries. The tool skips leads that the campaign has; a lead
   * without a result counts as failed. Throws `tool_key_rejected`, `campaign_not_found` or `tool_failed` if none was added.
   */
  add(leads: readonly OutboundLead[], target: PushTarget): Promise<BatchAnswer>;
}

/** The key is null for a column that the user fills in, such as an opening line or a picture. */
export type LeadColumn = readonly [heading: string, key: keyof OutboundLead | null];

/** A tool that sends mail campaigns, as exports need it. `columns`: first those that its importer knows, then custom ones. */
export interface OutboundTool {
  name: string;
  title: string;
  columns: readonly LeadColumn[];
}

/** Values that tools have no field for. At most 20, with names of at most 20 characters: what all tools accept. */
export const customColumns: readonly (readonly [heading: string, key: keyof OutboundLead])[] = [
  ['kind', 'kind'],
  ['outlet_type', 'outletType'],
  ['topics', 'topics'],
  ['coverage', 'coverage'],
  ['language', 'language'],
  ['country', 'country'],
  ['region', 'region'],
  ['city', 'city'],
  ['audience', 'audience'],
  ['email_status', 'emailStatus'],
  ['record_id', 'id'],
];
