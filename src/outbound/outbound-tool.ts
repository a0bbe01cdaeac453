import type { OutboundLead } from './outbound-lead.ts';

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
