import { isOutbound, type OutboundLead, toLead } from '#domain/outbound/outbound-lead.ts';
import {
  addBatch,
  type LeadToolName,
  leaveOut,
  newPushId,
  noCounts,
  type Push,
  type PushCounts,
} from '#domain/outbound/push.ts';
import { makeReservation, oldestReservation, type Reservation } from '#domain/plans/reservation.ts';
import type { StoredKey } from '#domain/plans/stored-key.ts';
import { Problem } from '#domain/problem.ts';
import type { SearchQuery } from '#domain/search/search-query.ts';
import { type Suppressible, suppressiblePart } from '#domain/suppression.ts';
import type { LeadTool, PushTarget } from '#ports/lead-tool.ts';
import type { OrderStore } from '#ports/order-store.ts';
import type { PushLog } from '#ports/push-log.ts';
import type { SearchIndex } from '#ports/search-index.ts';
import { chooseKind } from './export-records.ts';
import { type LateSuppressions, leaveOutSuppressed } from './late-suppressions.ts';

export interface PushDeps {
  index: SearchIndex;
  suppressions: LateSuppressions;
  leadTools: Readonly<Record<LeadToolName, LeadTool>>;
  pushes: PushLog;
  /** Reservations under an Idempotency-Key are kept in one place, whatever they are for. */
  orders: Pick<OrderStore, 'reserve' | 'release'>;
  pepper: string;
  /** The most leads of one push. */
  pushMaxLeads: number;
  now: () => Date;
}

export interface PushRequest extends PushTarget {
  tool: LeadToolName;
  query: SearchQuery;
  /** Under which the same request is one push for 24 hours; null for none. */
  idempotencyKey: string | null;
}

/** How often a push that waits for its tool gives a sign of life; without any for so long it is taken for lost. */
const signEveryMs = 30_000;
const lostAfterMs = 3 * 60_000;
const lookEveryMs = 250;

/**
 * Sends the leads of a query to a campaign and answers what became of them; `failure` says why a push ended early that
 * had sent some. It goes on when its caller leaves.
 *
 * Throws Problem `too_many_leads`, `tool_key_rejected`, `campaign_not_found` or `tool_failed` where nothing was sent,
 * `idempotency_conflict` where the Idempotency-Key was used for another request.
 */
export async function pushLeads(deps: PushDeps, request: PushRequest, key: StoredKey): Promise<Push> {
  const started = startPush(request, key, deps.now());
  const reservation = await reserve(deps, request, key, started);
  const isRepeat = reservation !== null && reservation.orderId !== started.id;
  return isRepeat ? waitForEnd(deps, reservation) : runPush(deps, request, started, reservation);
}

function startPush({ tool, campaignId }: PushRequest, key: StoredKey, now: Date): Push {
  return {
    id: newPushId(),
    keyHash: key.hash,
    keyPrefix: key.prefix,
    tool,
    campaignId,
    status: 'running',
    counts: noCounts,
    details: {},
    failure: null,
    startedAt: now.toISOString(),
    updatedAt: now.toISOString(),
  };
}

/** The reservation of the Idempotency-Key: this push's own, or that of an earlier one; null without such a key. */
async function reserve(
  { orders, pepper }: PushDeps,
  { tool, campaignId, query, idempotencyKey }: PushRequest,
  key: StoredKey,
  push: Push,
): Promise<Reservation | null> {
  if (idempotencyKey === null) return null;
  const now = new Date(push.startedAt);
  const asked = JSON.stringify([tool, campaignId, query]);
  const wanted = makeReservation(`push ${key.hash} ${idempotencyKey}`, asked, push.id, pepper, now);
  const kept = await orders.reserve(wanted, oldestReservation(now));
  if (kept.fingerprint === wanted.fingerprint) return kept;
  throw new Problem(
    'idempotency_conflict',
    'This Idempotency-Key was used for another push within the last 24 hours. Send the same body, or a new key.',
  );
}

/** A push that sent nothing gives its reservation back: it may be asked for again. */
async function runPush(
  deps: PushDeps,
  request: PushRequest,
  started: Push,
  reservation: Reservation | null,
): Promise<Push> {
  const run = new PushRun(started, deps);
  try {
    await run.keep({});
    const { leads, counts } = await collectLeads(deps, request.query);
    await run.keep({ counts: { ...noCounts, ...counts } });
    const failure = await sendAll(run, deps, leads, request);
    await run.keep(failure === null ? { status: 'done' } : { status: 'failed', failure });
  } catch (error) {
    const failure =
      error instanceof Problem
        ? { code: error.code, detail: error.message }
        : { code: 'internal' as const, detail: 'The push broke off for a fault of this service.' };
    // The answer says what was sent, even where the log can't be written.
    await run.keep({ status: 'failed', failure }).catch(() => {});
    const hasSent = run.push.counts.sent > 0;
    if (reservation !== null && !hasSent) await deps.orders.release(reservation);
    if (!hasSent || !(error instanceof Problem)) throw error;
  } finally {
    run.end();
  }
  return run.push;
}

/** A push under way. What is known of it is written down before it goes on. */
class PushRun {
  push: Push;
  readonly #deps: PushDeps;
  readonly #signs: NodeJS.Timeout;
  #saved: Promise<void> = Promise.resolve();

  constructor(push: Push, deps: PushDeps) {
    this.push = push;
    this.#deps = deps;
    this.#signs = setInterval(() => this.keep({}).catch(() => {}), signEveryMs);
  }

  /** Writes one after the other, so that what is older never stands in the place of what is newer. */
  keep(change: Partial<Push>): Promise<void> {
    this.push = { ...this.push, ...change, updatedAt: this.#deps.now().toISOString() };
    this.#saved = this.#saved.catch(() => {}).then(() => this.#deps.pushes.save(this.push));
    return this.#saved;
  }

  end(): void {
    clearInterval(this.#signs);
  }
}

/** A lead, and what a suppression would know its record by. */
interface Candidate {
  lead: OutboundLead;
  record: Suppressible;
}

/**
 * The leads of the query's records, one for each address (the first by id), in the order of their ids; and how many
 * records gave none. Throws Problem `too_many_leads` as soon as there are more than may be.
 */
async function collectLeads(
  { index, pushMaxLeads }: PushDeps,
  query: SearchQuery,
): Promise<{ leads: Candidate[]; counts: Pick<PushCounts, 'matched' | 'without_email' | 'repeated'> }> {
  const asked = chooseKind(query);
  const byAddress = new Map<string, Candidate>();
  let matched = 0;
  let withEmail = 0;
  for await (const batch of await index.scan(asked)) {
    matched += batch.length;
    for (const record of batch) {
      const lead = isOutbound(record, asked) ? toLead(record) : null;
      if (lead === null) continue;
      withEmail += 1;
      const address = lead.email.toLowerCase();
      const first = byAddress.get(address);
      if (first !== undefined && first.lead.id < lead.id) continue;
      byAddress.set(address, { lead, record: suppressiblePart(record) });
    }
    if (byAddress.size > pushMaxLeads) throw tooManyLeads(pushMaxLeads);
  }
  const leads = [...byAddress.values()].sort((a, b) => (a.lead.id < b.lead.id ? -1 : 1));
  return { leads, counts: { matched, without_email: matched - withEmail, repeated: withEmail - leads.length } };
}

function tooManyLeads(most: number): Problem {
  return new Problem(
    'too_many_leads',
    `There are more than ${most} leads under these filters; at most ${most} go into one push. Nothing was sent. Narrow the filters, by country for instance, and push in parts.`,
  );
}

/**
 * Sends batch after batch; answers why it ended early, or null where all were sent. What was suppressed since the push
 * began counts as without an address that may be written to; that another record has the address too does not help it.
 */
async function sendAll(
  run: PushRun,
  { leadTools, suppressions }: PushDeps,
  leads: readonly Candidate[],
  { tool: name, ...target }: PushRequest,
): Promise<Push['failure']> {
  const tool = leadTools[name];
  const begun = new Date(run.push.startedAt);
  for (let start = 0; start < leads.length; start += tool.batchSize) {
    const next = leads.slice(start, start + tool.batchSize);
    const allowed = await leaveOutSuppressed(next, ({ record }) => record, suppressions, begun);
    if (allowed.length < next.length) await run.keep(leaveOut(run.push, next.length - allowed.length));
    if (allowed.length === 0) continue;
    const batch = allowed.map(({ lead }) => lead);
    const answer = await tool.add(batch, target).catch((error: unknown) => {
      if (run.push.counts.sent === 0 || !(error instanceof Problem)) throw error;
      return { refusal: error.message };
    });
    if ('counts' in answer) await run.keep(addBatch(run.push, batch.length, answer));
    if (answer.refusal !== undefined) return { code: 'tool_failed', detail: answer.refusal };
  }
  return null;
}

/** Waits for the push that runs, or ran, under a reservation. */
async function waitForEnd({ pushes, now }: PushDeps, { orderId: id, createdAt }: Reservation): Promise<Push> {
  for (;;) {
    const push = await pushes.find(id);
    if (push?.failure && push.counts.sent === 0) throw new Problem(push.failure.code, push.failure.detail);
    if (push !== null && push.status !== 'running') return push;
    if (now().getTime() - Date.parse(push?.updatedAt ?? createdAt) > lostAfterMs) {
      if (push === null) throw new Problem(lost.code, lost.detail);
      return { ...push, status: 'failed', failure: lost };
    }
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
  }
}

const lost = {
  code: 'tool_failed',
  detail:
    'The push was cut off when this service stopped: a batch beyond these counts may have gone out. Push again under a new Idempotency-Key; no lead is added to a campaign twice.',
} as const;
