import type { CampaignId, LeadColumn, OutboundLead, OutboundTool, PushTarget } from '#outbound/outbound-lead.ts';
import { type LeadCounts, noLeadCounts } from '#outbound/push.ts';

/** At most `limit` requests in any `interval` of milliseconds. */
export type Allowed = { limit: number; interval: number };

/** Everything about an outbound tool. `push` is null if the tool can only import files. */
export interface ToolDefinition extends OutboundTool {
  push: PushDefinition | null;
}

/** How to push to one tool. What all tools have in common, such as retries, is in open-tool.ts. */
export interface PushDefinition {
  /** The setting with the base URL of its API, and the default URL, without a trailing slash. */
  base: { setting: string; default: string; doc: string };
  campaignId: CampaignId;
  batchSize: number;
  /** All of these limits apply, to all pushes with the same key together. */
  limits: readonly Allowed[];
  request(leads: readonly OutboundLead[], target: PushTarget): ToolRequest;
  /** The tool's own counters, by what they count: a name, or several names of one. `others` are only passed on. */
  counters: Readonly<Record<keyof LeadCounts | 'others', readonly (string | readonly string[])[]>>;
  /** Whether the tool accepts no more leads. `counts` are those of the answer, adjusted to add up. */
  isFull(body: ToolBody, counts: LeadCounts): boolean;
}

/** A POST of JSON. `path` is relative to the base and has the query. It may contain the key, so no message shows it. */
export interface ToolRequest {
  path: string;
  headers?: Readonly<Record<string, string>>;
  body: object;
}

export type ToolBody = Readonly<Record<string, unknown>>;

/** The number under a name, or the length of a list there; null if it is something else. */
export function readCount(body: ToolBody, name: string): number | null {
  const value = body[name];
  if (Array.isArray(value)) return value.length;
  const count = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
  return typeof count === 'number' && Number.isSafeInteger(count) && count >= 0 ? count : null;
}

/** What an answer says about its batch. `added` is null if the answer does not say it. */
export function readCounts(body: ToolBody, counters: PushDefinition['counters']) {
  // Tools rename counters between versions.
  const first = (names: string | readonly string[]) =>
    [names].flat().flatMap((name) => readCount(body, name) ?? [])[0] ?? null;
  const sum = (counter: keyof LeadCounts) => counters[counter].reduce((total, names) => total + (first(names) ?? 0), 0);
  const saysAdded = counters.added.some((names) => first(names) !== null);
  const counts = Object.fromEntries(
    (Object.keys(noLeadCounts) as (keyof LeadCounts)[]).map((counter) => [counter, sum(counter)]),
  );
  return { ...noLeadCounts, ...counts, added: saysAdded ? sum('added') : null };
}

/** The counters that are not 0. Unknown names are left out: they could repeat what was sent, such as the key or an address. */
export function readDetails(body: ToolBody, counters: PushDefinition['counters']): Record<string, number> {
  const names = Object.values(counters).flat(2);
  const counts = names.map((name) => [name, readCount(body, name) ?? 0] as const);
  return Object.fromEntries(counts.filter(([, count]) => count > 0));
}

/**
 * Makes the counts add up to the size of the batch. Tools sometimes count a lead twice, so counts are taken in the order below
 * until no leads are left. Leads that no count covers are counted as skipped.
 */
export function fitCounts(size: number, statedCounts: LeadCounts): LeadCounts {
  const fit = { ...statedCounts };
  let leadsLeft = size;
  for (const name of ['added', 'invalid', 'blocked', 'duplicates', 'failed'] as const) {
    fit[name] = Math.min(statedCounts[name], leadsLeft);
    leadsLeft -= fit[name];
  }
  return { ...fit, skipped: leadsLeft };
}

/** The fields of a lead that have a value, under these headings. */
export function fieldsOf(lead: OutboundLead, columns: readonly LeadColumn[]): Record<string, string | number> {
  const fields = columns.map(([heading, key]) => [heading, key && lead[key]] as const);
  return Object.fromEntries(fields.filter(([, value]) => value !== '' && value !== null)) as Record<string, string>;
}
