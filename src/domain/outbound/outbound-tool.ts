import type { OutboundLead } from './outbound-lead.ts';

/** A heading with what stands under it; null for a column that is left to the sender: an opening line, a picture. */
export type LeadColumn = readonly [heading: string, key: keyof OutboundLead | null];

/** A tool that sends mail campaigns, as far as exports know it. */
export interface OutboundTool {
  /** What requests call it, such as `instantly`; also the name of its export format. */
  name: string;
  /** What people call it. */
  title: string;
  /** The columns of its export format: the headings by which its importer knows its own fields, then custom ones. */
  columns: readonly LeadColumn[];
}

/**
 * What tools have no field of their own for: custom columns and variables, the same for all tools that write with
 * underscores. At most 20 characters each, at most 20 of them.
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
