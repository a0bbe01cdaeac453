import type { OutboundLead } from './outbound-lead.ts';
import type { LeadCounts } from './push.ts';

/** Where leads go: a campaign, with a customer's key for the tool. The key is never written anywhere. */
export interface PushTarget {
  apiKey: string;
  campaignId: string;
}

/** A tool's result for one batch. */
export interface BatchAnswer {
  /** They add up to the size of the batch. */
  counts: LeadCounts;
  /** The tool's own counters that have a value, under known names: no others are passed on. */
  details: Readonly<Record<string, number>>;
  /** Why the tool accepts no more; absent if it does. */
  refusal?: string;
}

/** The form of a campaign id in a tool: a pattern, and a description that completes "it is". */
export interface CampaignId {
  pattern: RegExp;
  right: string;
}

/** A tool that sends mail campaigns. */
export interface LeadTool {
  /** What requests and the push log call it, and what people do. */
  readonly name: string;
  readonly title: string;
  readonly campaignId: CampaignId;
  /** Maximum number of leads per request. */
  readonly batchSize: number;
  /**
   * Adds leads to a campaign, skipping those it already has. Waits as long as the tool's limits require, and retries
   * where that is safe. Leads whose result is unknown count as failed.
   *
   * Throws Problem `tool_key_rejected`, `campaign_not_found` or `tool_failed` if the tool added none of them.
   */
  add(leads: readonly OutboundLead[], target: PushTarget): Promise<BatchAnswer>;
}

/**
 * A column heading and the record field below it. The field is null for a column that the sender fills in, such as an
 * opening line or a picture.
 */
export type LeadColumn = readonly [heading: string, key: keyof OutboundLead | null];

/** A tool that sends mail campaigns, as far as exports know it. */
export interface OutboundTool {
  /** What requests call it, such as `instantly`; also the name of its export format. */
  name: string;
  /** What people call it. */
  title: string;
  /** The columns of its export format: first the headings that its importer recognizes, then custom ones. */
  columns: readonly LeadColumn[];
}

/**
 * Columns for data that tools have no field for: custom columns and variables. All tools that write names with
 * underscores share them. At most 20, with at most 20 characters each.
 */
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
