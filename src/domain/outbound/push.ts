import { randomBytes } from 'node:crypto';
import type { ProblemCode } from '#domain/problem.ts';

/** What became of the leads that were sent. */
export interface LeadCounts {
  /** New in the campaign. */
  added: number;
  /** In it before, perhaps by an earlier try of this very push whose answer was lost. */
  duplicates: number;
  /** Taken for no address that mail can reach. */
  invalid: number;
  /** On a block list, unsubscribed or bounced before. */
  blocked: number;
  /** Left out by the tool for another reason, or for none that it gave. */
  skipped: number;
  /** Sent, but refused for want of room in the tool's plan, or without an answer that says what became of them. */
  failed: number;
}

export interface PushCounts extends LeadCounts {
  /** Records under the filters. */
  matched: number;
  /** Those of them without an address that may be written to, or suppressed before their turn. */
  without_email: number;
  /** Those whose address another of them has. */
  repeated: number;
  /** Leads that went to the tool: added + duplicates + invalid + blocked + skipped + failed. */
  sent: number;
}

/** One push, as the push log keeps it. Times are ISO 8601, UTC. */
export interface Push {
  id: string;
  /** HMAC and shown prefix of the Masthead key that asked for it. */
  keyHash: string;
  keyPrefix: string;
  /** The name of the tool. */
  tool: string;
  campaignId: string;
  status: 'running' | 'done' | 'failed';
  counts: PushCounts;
  /** The tool's own counters, by the names that are known of it. */
  details: Readonly<Record<string, number>>;
  /** Why it failed, in the words of the answer. */
  failure: { code: ProblemCode; detail: string } | null;
  startedAt: string;
  /** Last sign of life. */
  updatedAt: string;
}

export const noCounts: PushCounts = {
  matched: 0,
  without_email: 0,
  repeated: 0,
  sent: 0,
  added: 0,
  duplicates: 0,
  invalid: 0,
  blocked: 0,
  skipped: 0,
  failed: 0,
};

export function newPushId(): string {
  return `psh_${randomBytes(16).toString('hex')}`;
}

/** What a push comes to with another batch of so many leads. */
export function addBatch(
  push: Push,
  size: number,
  { counts, details }: Pick<Push, 'details'> & { counts: LeadCounts },
): Pick<Push, 'counts' | 'details'> {
  const total = addUp({ ...push.counts }, { ...counts, sent: size });
  return { counts: { ...push.counts, ...total }, details: addUp(push.details, details) };
}

/** What a push comes to where so many of its leads may not be written to after all. */
export function leaveOut({ counts }: Push, leads: number): Pick<Push, 'counts'> {
  return { counts: { ...counts, without_email: counts.without_email + leads } };
}

function addUp(totals: Push['details'], more: Push['details']): Push['details'] {
  const sums = new Map<string, number>();
  for (const [name, count] of [...Object.entries(totals), ...Object.entries(more)]) {
    sums.set(name, (sums.get(name) ?? 0) + count);
  }
  return Object.fromEntries(sums);
}
