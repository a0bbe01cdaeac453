import type { CampaignId, OutboundLead, OutboundTool, PushTarget } from '#outbound/outbound-lead.ts';
import { customColumns } from '#outbound/outbound-lead.ts';
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

/** The sum of all the names' numbers; missing ones count as 0. */
export function sumCounts(body: ToolBody, names: readonly string[]): number {
  return names.reduce((sum, name) => sum + (readCount(body, name) ?? 0), 0);
}

/**
 * The counters of an answer that have a value, under the tool's names. Only known names are used: any other could
 * repeat what was sent, such as the tool key or an address.
 */
export function readDetails(body: ToolBody, names: readonly string[]): Record<string, number> {
  const counts = names.map((name) => [name, readCount(body, name) ?? 0] as const);
  return Object.fromEntries(counts.filter(([, count]) => count > 0));
}

/**
 * Makes counts that add up to the size of the batch. Tools sometimes count a lead twice: what comes first here is
 * believed first, and later counts get the rest. Leads without a count were skipped without a reason.
 */
export function fitCounts(size: number, said: LeadCounts): LeadCounts {
  let left = size;
  const take = (count: number) => {
    const taken = Math.min(count, left);
    left -= taken;
    return taken;
  };
  const added = take(said.added);
  const invalid = take(said.invalid);
  const blocked = take(said.blocked);
  const duplicates = take(said.duplicates);
  const failed = take(said.failed);
  return { added, duplicates, invalid, blocked, skipped: left, failed };
}

type Fields = Record<string, string | number | null>;

/** What tools know only as custom fields, by the names of the exports' custom columns. */
export function customFields(lead: OutboundLead): Fields {
  return Object.fromEntries(customColumns.map(([heading, key]) => [heading, lead[key]]));
}

/** The fields that have a value. */
export function dropEmpty(given: Fields): Fields {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== '' && value !== null));
}
