import type { CampaignId, OutboundTool, PushTarget } from '#outbound/lead-tool.ts';
import type { OutboundLead } from '#outbound/outbound-lead.ts';
import type { LeadCounts } from '#outbound/push.ts';

/** This many requests in any interval of this many milliseconds. */
export interface Allowed {
  limit: number;
  interval: number;
}

/** An outbound tool, all of it: one file each, listed in lead-tools.ts. */
export interface ToolDefinition extends OutboundTool {
  /** How leads are pushed into its campaigns; null for a tool that only imports files. */
  push: PushDefinition | null;
}

/** What is specific to pushing to one tool. Limits, retries and sums, which all tools share, are in open-tool.ts. */
export interface PushDefinition {
  /** The setting with the base URL of its API, and the default URL, without a trailing slash. */
  base: { setting: string; default: string; doc: string };
  campaignId: CampaignId;
  /** Leads that go into one request. */
  batchSize: number;
  /** All of them hold, for all pushes under one key together. */
  limits: readonly Allowed[];
  /** The request that adds leads to a campaign. Where the path holds the key, it is in no message. */
  request(leads: readonly OutboundLead[], target: PushTarget): ToolRequest;
  /** The tool's own counters, by all the names that are known of it: no other is passed on. */
  counterNames: readonly string[];
  /** The result of a batch according to the response. `added` is null if the response does not say. */
  count(body: ToolBody): Omit<LeadCounts, 'added'> & { added: number | null };
  /** Whether the tool accepts no more leads. `counts` come from the response and are adjusted to add up. */
  isFull(body: ToolBody, counts: LeadCounts): boolean;
}

/** A POST of JSON. The path is from the base, with its query. */
export interface ToolRequest {
  path: string;
  headers?: Readonly<Record<string, string>>;
  body: object;
}

export type ToolBody = Readonly<Record<string, unknown>>;
