import type { OutboundLead } from '#domain/outbound/outbound-lead.ts';
import type { LeadCounts } from '#domain/outbound/push.ts';

/** Where leads go: a campaign, under a customer's key for the tool. The key is in nothing that is written anywhere. */
export interface PushTarget {
  apiKey: string;
  campaignId: string;
}

/** What a tool said of one batch. */
export interface BatchAnswer {
  /** They add up to the size of the batch. */
  counts: LeadCounts;
  /** The tool's own counters that say something, under those of its names that are known: no other is passed on. */
  details: Readonly<Record<string, number>>;
  /** Why the tool takes no more; absent where it does. */
  refusal?: string;
}

/** A tool that sends mail campaigns. */
export interface LeadTool {
  /** Leads that go into one request. */
  readonly batchSize: number;
  /**
   * Adds leads to a campaign; none that is in it already is added again. Waits as long as the tool's limits ask, and
   * asks again where that is safe. Leads of which nobody can say what became of them count as failed.
   *
   * Throws Problem `tool_key_rejected`, `campaign_not_found` or `tool_failed` where the tool took none of them.
   */
  add(leads: readonly OutboundLead[], target: PushTarget): Promise<BatchAnswer>;
}
