import type { CampaignId, LeadColumn, OutboundLead, OutboundTool, PushTarget } from '#outbound/outbound-lead.ts';
import type { LeadCounts } from '#outbound/push.ts';

/** This many requests in any interval of this many milliseconds. */
export type Allowed = { limit: number; interval: number };

/** An outbound tool, all of it; `push` is null for one that only imports files. */
export interface ToolDefinition extends OutboundTool {
  push: PushDefinition | null;
}

/** What is specific to pushing to one tool. Limits, retries and sums, which all tools share, are in open-tool.ts. */
export interface PushDefinition {
  /** The setting with the base URL of its API, and the default URL, without a trailing slash. */
  base: { setting: string; default: string; doc: string };
  campaignId: CampaignId;
  batchSize: number;
  /** All of them hold, for all pushes under one key together. */
  limits: readonly Allowed[];
  request(leads: readonly OutboundLead[], target: PushTarget): ToolRequest;
  /** The tool's own counters, by all the names that are known of it: no other is passed on. */
  counterNames: readonly string[];
  /** The result of a batch according to the response. `added` is null if the response does not say. */
  count(body: ToolBody): Omit<LeadCounts, 'added'> & { added: number | null };
  /** Whether the tool accepts no more leads. `counts` come from the response and are adjusted to add up. */
  isFull(body: ToolBody, counts: LeadCounts): boolean;
}

/** A POST of JSON. The path is from the base, with its query; as it may hold the key, it is in no message. */
export interface ToolRequest {
  path: string;
  headers?: Readonly<Record<string, string>>;
  body: object;
}

export type ToolBody = Readonly<Record<string, unknown>>;

/** The number under a name; the length of a list; null if there is neither. */
export function readCount(body: ToolBody, name: string): number | null {
  const value = body[name];
  if (Array.isArray(value)) return value.length;
  const count = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
  return typeof count === 'number' && Number.isSafeInteger(count) && count >= 0 ? count : null;
}

/** The first of the names that has a number: tools rename counters between versions. */
export function firstCount(body: ToolBody, names: readonly string[]): number | null {
  return names.map((name) => readCount(body, name)).find((count) => count !== null) ?? null;
}

export function sumCounts(body: ToolBody, names: readonly string[]): number {
  return names.reduce((sum, name) => sum + (readCount(body, name) ?? 0), 0);
}

/** The counters that have a value. Any name but those known could repeat what was sent: the key, or an address. */
export function readDetails(body: ToolBody, names: readonly string[]): Record<string, number> {
  const counts = names.map((name) => [name, readCount(body, name) ?? 0] as const);
  return Object.fromEntries(counts.filter(([, count]) => count > 0));
}

/**
 * Makes counts that add up to the size of the batch. Tools sometimes count a lead twice: what comes first here is
 * believed first, and later counts get the rest. Leads without a count were skipped without a reason.
 */
export function fitCounts(size: number, said: LeadCounts): LeadCounts {
  const fit = { ...said };
  let left = size;
  for (const name of ['added', 'invalid', 'blocked', 'duplicates', 'failed'] as const) {
    fit[name] = Math.min(said[name], left);
    left -= fit[name];
  }
  return { ...fit, skipped: left };
}

/** The fields of a lead that have a value, under these headings. */
export function fieldsOf(lead: OutboundLead, columns: readonly LeadColumn[]): Record<string, string | number> {
  const fields = columns.map(([heading, key]) => [heading, key && lead[key]] as const);
  return Object.fromEntries(fields.filter(([, value]) => value !== '' && value !== null)) as Record<string, string>;
}
