import type { UsageCounter } from '#accounts/usage.ts';
import type { SearchIndex } from '#search/search-index.ts';
import type { SearchQuery } from '#search/search-query.ts';
import { Problem } from '#src/problem.ts';
import { type LateSuppressions, leaveOutSuppressed } from './late-suppressions.ts';
import type { LeadTool, PushTarget } from './outbound-lead.ts';
import { digestAddress, isOutbound, type OutboundLead, toLead } from './outbound-lead.ts';
import type { PushCounts, PushLog } from './push.ts';
import { addBatch, leaveOut, type Push } from './push.ts';

/** How often a push that waits for its tool updates its log entry, in milliseconds. */
const signEveryMs = 30_000;

/** A running push. Its state is saved before it continues. */
export class PushRun {
  push: Push;
  readonly #pushes: Pick<PushLog, 'save'>;
  readonly #usage: UsageCounter;
  readonly #now: () => Date;
  readonly #signs: NodeJS.Timeout;
  #saved: Promise<void> = Promise.resolve();

  constructor(
    push: Push,
    { pushes, usage, now }: { pushes: Pick<PushLog, 'save'>; usage: UsageCounter; now: () => Date },
  ) {
    this.push = push;
    this.#pushes = pushes;
    this.#usage = usage;
    this.#now = now;
    this.#signs = setInterval(() => this.keep({}).catch(() => {}), signEveryMs);
  }

  /** Writes in sequence, so an older state never replaces a newer one. */
  keep(change: Partial<Push>): Promise<void> {
    const sent = (change.counts?.sent ?? 0) - this.push.counts.sent;
    if (sent > 0) this.#usage.count(this.push.keyHash, { pushedLeads: sent });
    this.push = { ...this.push, ...change, updatedAt: this.#now().toISOString() };
    this.#saved = this.#saved.catch(() => {}).then(() => this.#pushes.save(this.push));
    return this.#saved;
  }

  end(): void {
    clearInterval(this.#signs);
  }
}

export interface SendDeps {
  index: SearchIndex;
  suppressions: LateSuppressions;
  tool: LeadTool;
}

/**
 * Sends the selected leads batch by batch, each read right before; returns why it ended early, or null if all were
 * sent. A record that was suppressed, deleted or given another address since the push began counts as without an
 * address, even if another record has its address too.
 */
export async function sendLeads(
  run: PushRun,
  deps: SendDeps,
  selected: SelectedLeads,
  query: SearchQuery,
  target: PushTarget,
): Promise<Push['failure']> {
  const { batchSize } = deps.tool;
  for (let start = 0; start < selected.ids.length; start += batchSize) {
    const ids = selected.ids.slice(start, start + batchSize);
    const batch = await readBatch(run, deps, ids, selected.addresses.subarray(start, start + batchSize), query);
    if (batch.length < ids.length) await run.keep(leaveOut(run.push, ids.length - batch.length));
    if (batch.length === 0) continue;
    const answer = await deps.tool.add(batch, target).catch((error: unknown) => {
      if (run.push.counts.sent === 0 || !(error instanceof Problem)) throw error;
      return { refusal: error.message };
    });
    if ('counts' in answer) await run.keep(addBatch(run.push, batch.length, answer));
    if (answer.refusal !== undefined) return { code: 'tool_failed', detail: answer.refusal };
  }
  return null;
}

/** The leads with these ids that may still be written to, in the order of the ids. */
async function readBatch(
  run: PushRun,
  { index, suppressions }: SendDeps,
  ids: readonly string[],
  addresses: Int32Array,
  query: SearchQuery,
): Promise<OutboundLead[]> {
  const found = new Map((await index.findMany(ids, 'full')).map((record) => [record.id, record]));
  const records = ids.flatMap((id, place) => {
    const record = found.get(id);
    const isAsSelected =
      record?.email != null && isOutbound(record, query) && digestAddress(record.email) === addresses[place];
    return isAsSelected ? [record] : [];
  });
  const begun = new Date(run.push.startedAt);
  const allowed = await leaveOutSuppressed(records, suppressions, begun);
  return allowed.map(toLead).filter((lead) => lead !== null);
}

/**
 * The records that a push sends: one for each address, the first by id. It keeps only ids, since a push may wait for
 * its tool for hours.
 */
export interface SelectedLeads {
  /** In the order of the ids. */
  ids: readonly string[];
  /** A digest of each address, in the same order. */
  addresses: Int32Array;
  counts: Pick<PushCounts, 'matched' | 'without_email' | 'repeated'>;
}

/**
 * Reads all records of a query from one snapshot, and selects those to send. Throws Problem `too_many_leads` as soon as
 * there are more than allowed.
 */
export async function selectLeads(index: SearchIndex, query: SearchQuery, maxLeads: number): Promise<SelectedLeads> {
  const idsByAddress = new Map<string, string>();
  let matched = 0;
  let withEmail = 0;
  for await (const batch of await index.scan(query)) {
    matched += batch.length;
    for (const record of batch) {
      if (record.email === null || !isOutbound(record, query)) continue;
      withEmail += 1;
      const address = record.email.toLowerCase();
      const first = idsByAddress.get(address);
      if (first === undefined || record.id < first) idsByAddress.set(address, record.id);
    }
    if (idsByAddress.size > maxLeads) throw tooManyLeads(maxLeads);
  }
  const selected = [...idsByAddress].sort(([, a], [, b]) => (a < b ? -1 : 1));
  return {
    ids: selected.map(([, id]) => id),
    addresses: Int32Array.from(selected, ([address]) => digestAddress(address)),
    counts: { matched, without_email: matched - withEmail, repeated: withEmail - selected.length },
  };
}

function tooManyLeads(max: number): Problem {
  return new Problem(
    'too_many_leads',
    `These filters match more than ${max} leads, the limit of one push. Nothing was sent. Narrow the filters, for example by country, and push in parts.`,
  );
}
