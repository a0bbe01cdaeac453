import { randomBytes } from 'node:crypto';
import type { KeyedKind } from '#records/keyed-store.ts';
import type { ProblemCode } from '#src/problem.ts';
import { dayMs } from '#text/days.ts';

/** What happened to the leads that were sent. */
export interface LeadCounts {
  /** New in the campaign. */
  added: number;
  /** Already in the campaign, perhaps because an earlier attempt of this push added them and its answer was lost. */
  duplicates: number;
  /** The tool says that mail cannot reach the address. */
  invalid: number;
  /** On a block list, unsubscribed or bounced before. */
  blocked: number;
  /** Left out by the tool for another reason, or without giving one. */
  skipped: number;
  /** Sent, but refused because the tool's plan is full, or without an answer that says what happened. */
  failed: number;
}

interface PushCounts extends LeadCounts {
  /** Records, or contacts if these are the rows. */
  matched: number;
  /** Those without an address that a tool takes, or suppressed before their turn. */
  without_email: number;
  /** Those that have the same address as an earlier one. */
  repeated: number;
  /** Leads sent to the tool: added + duplicates + invalid + blocked + skipped + failed. */
  sent: number;
}

/** One push in the push log. Times are ISO 8601, UTC. */
export interface Push {
  id: string;
  /** Of the Masthead key that sent the request; not of the tool's key. */
  keyHash: string;
  keyPrefix: string;
  tool: string;
  campaignId: string;
  status: 'running' | 'done' | 'failed';
  counts: PushCounts;
  /** The tool's own counters that are not 0, by name. */
  details: Readonly<Record<string, number>>;
  /** Why it failed, as the answer says it. */
  failure: { code: ProblemCode; detail: string } | null;
  startedAt: string;
  updatedAt: string;
}

export const noLeadCounts: LeadCounts = { added: 0, duplicates: 0, invalid: 0, blocked: 0, skipped: 0, failed: 0 };
export const noCounts: PushCounts = { matched: 0, without_email: 0, repeated: 0, sent: 0, ...noLeadCounts };

export function newPushId(): string {
  return `psh_${randomBytes(16).toString('hex')}`;
}

/** The counts of a push after another batch of leads. */
export function addBatch(
  push: Push,
  size: number,
  { counts, details }: Pick<Push, 'details'> & { counts: LeadCounts },
): Pick<Push, 'counts' | 'details'> {
  const total = addUp({ ...push.counts }, { ...counts, sent: size });
  return { counts: { ...push.counts, ...total }, details: addUp(push.details, details) };
}

function addUp(totals: Push['details'], more: Push['details']): Push['details'] {
  const sums = new Map<string, number>();
  for (const [name, count] of [...Object.entries(totals), ...Object.entries(more)]) {
    sums.set(name, (sums.get(name) ?? 0) + count);
  }
  return Object.fromEntries(sums);
}

const pushLogDays = 90;

/** The push log: what was pushed, by whom, where to, and the result; never a tool's key or an address. */
export const pushKind: KeyedKind<Push> = {
  name: 'pushes',
  orderOf: ({ startedAt }) => startedAt,
  livesMs: pushLogDays * dayMs,
};
