import type { Reservation, Reservations } from '#accounts/reservation.ts';
import type { StoredKey } from '#accounts/stored-key.ts';
import type { UsageMeter } from '#accounts/usage.ts';
import type { KeyedStore } from '#records/keyed-store.ts';
import type { RowKind } from '#search/contact-row.ts';
import type { SearchIndex } from '#search/search-index.ts';
import { ofRows, type SearchQuery } from '#search/search-query.ts';
import { countMatches } from '#search/search-records.ts';
import { Problem } from '#src/problem.ts';
import { compareTexts } from '#text/compare-texts.ts';
import { defaultToOutlets } from './export-records.ts';
import { type LateSuppressions, leaveOutSuppressed } from './late-suppressions.ts';
import { type LeadTool, type OutboundLead, type PushTarget, toLead } from './outbound-lead.ts';
import { addBatch, newPushId, noCounts, type Push } from './push.ts';
import { type Lead, leadRow, listLeads, scanLeads } from './scan-leads.ts';
import { inSlot, type PushRoom, type WorkSlots } from './work-slots.ts';

export interface PushDeps {
  index: SearchIndex;
  suppressions: LateSuppressions;
  pushes: Pick<KeyedStore<Push>, 'find' | 'change'>;
  usage: Pick<UsageMeter, 'count'>;
  /** Shared with checkouts. */
  reservations: Reservations;
  pepper: string;
  pushMaxLeads: number;
  /** Limits the pushes that run with a key, and those that run in this process. */
  slots: WorkSlots;
  room: PushRoom;
  now: () => Date;
}

interface PushRequest extends PushTarget {
  tool: LeadTool;
  query: SearchQuery;
  rows: RowKind;
  /** Makes the same request one push for 24 hours; null for none. */
  idempotencyKey: string | null;
}

/** How often a push updates its log entry while it waits for its tool, in milliseconds. */
const heartbeatMs = 30_000;
/** After this time without an update, a push counts as lost, in milliseconds. */
const lostAfterMs = 3 * 60_000;
const pollMs = 250;

/**
 * Sends the leads of a query to a campaign and returns what happened to them. If it ends early after it sent some, `failure`
 * says why. It goes on if its caller disconnects. If nothing was sent, throws Problem `too_many_leads`, `tool_key_rejected`,
 * `campaign_not_found` or `tool_failed`. Throws `idempotency_conflict` if the Idempotency-Key was used for another request, and
 * `rate_limited` if too many pushes are running. A repeat of a running push waits for it, and does not count as another one.
 */
export async function pushLeads(deps: PushDeps, request: PushRequest, key: StoredKey): Promise<Push> {
  const { tool, campaignId, query, rows, idempotencyKey } = request;
  const startedAt = deps.now();
  const started: Push = {
    id: newPushId(),
    keyHash: key.hash,
    keyPrefix: key.prefix,
    tool: tool.name,
    campaignId,
    status: 'running',
    counts: noCounts,
    details: {},
    failure: null,
    startedAt: startedAt.toISOString(),
    updatedAt: startedAt.toISOString(),
  };
  if (idempotencyKey === null) return runPush(deps, { started, request, key, reservation: null });
  const reservationRequest = {
    key: `push ${key.hash} ${idempotencyKey}`,
    // Requests of earlier versions had no rows: those of records stay the same request.
    request: toJson([tool.name, campaignId, query, ...(rows === 'records' ? [] : [rows])]),
    subjectId: started.id,
  };
  const reservation = await deps.reservations.reserve(reservationRequest, deps.pepper, startedAt);
  const isRepeat = reservation.subjectId !== started.id;
  return isRepeat ? waitForEnd(deps, reservation) : runPush(deps, { started, request, key, reservation });
}

/** JSON in which maps and sets have their members. */
function toJson(value: unknown): string {
  return JSON.stringify(value, (_key, part) => (part instanceof Map || part instanceof Set ? [...part] : part));
}

/**
 * The counts that a push of the query would begin with, with all its leads as `sent`. Calls no tool and keeps nothing: no log, no
 * use of the key. Throws Problem `too_many_leads` and `rate_limited` as a push does, because it reads as much.
 */
export async function rehearsePush(
  { index, pushMaxLeads, room, slots }: Pick<PushDeps, 'index' | 'pushMaxLeads' | 'room' | 'slots'>,
  { query, rows }: Pick<PushRequest, 'query' | 'rows'>,
  key: StoredKey,
): Promise<Push['counts']> {
  return room.run(() =>
    inSlot(slots, 'push', key, async () => {
      const { counts, leads } = await selectLeads(index, { query: defaultToOutlets(query), rows }, pushMaxLeads);
      return { ...noCounts, ...counts, sent: leads.length };
    }),
  );
}

interface BegunPush {
  started: Push;
  request: PushRequest;
  key: StoredKey;
  reservation: Reservation | null;
}

/** Runs a push. If it fails before it sent anything, its reservation is released, so that the request can be repeated. */
async function runPush(deps: PushDeps, { started, request, key, reservation }: BegunPush): Promise<Push> {
  const run = new PushRun(started, deps);
  try {
    await deps.room.run(() => inSlot(deps.slots, 'push', key, () => sendAll(run, deps, request)));
  } catch (error) {
    const isRefused = error instanceof Problem && error.code === 'rate_limited';
    // A push that was refused a slot is logged only if it has a reservation, because repeats of the request wait for its entry.
    // If the log cannot be written, the answer still says what was sent.
    if (!isRefused || reservation !== null) {
      await run.keep({ status: 'failed', failure: failureOf(error) }).catch(() => {});
    }
    const hasSent = run.push.counts.sent > 0;
    if (reservation !== null && !hasSent) await deps.reservations.release(reservation);
    if (!hasSent || !(error instanceof Problem)) throw error;
  } finally {
    run.end();
  }
  return run.push;
}

function failureOf(error: unknown): Push['failure'] {
  if (error instanceof Problem) return { code: error.code, detail: error.message };
  return { code: 'internal', detail: 'The push failed because of an error in this service.' };
}

/** Waits for the push that runs, or ran, under a reservation. */
async function waitForEnd({ pushes, now }: PushDeps, { subjectId: id, createdAt }: Reservation): Promise<Push> {
  for (;;) {
    const push = await pushes.find(id);
    if (push?.failure && push.counts.sent === 0) throw new Problem(push.failure.code, push.failure.detail);
    if (push !== null && push.status !== 'running') return push;
    if (now().getTime() - Date.parse(push?.updatedAt ?? createdAt) > lostAfterMs) {
      if (push === null) throw new Problem(lost.code, lost.detail);
      return { ...push, status: 'failed', failure: lost };
    }
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}

const lost = {
  code: 'tool_failed',
  detail:
    'This service stopped during the push, so one more batch than these counts show may have been sent. Push again with a new Idempotency-Key; no lead is added to a campaign twice.',
} as const;

/** A running push. Each change of its state is saved to the push log before the push goes on. */
class PushRun {
  push: Push;
  readonly #deps: Pick<PushDeps, 'pushes' | 'usage' | 'now'>;
  readonly #heartbeat = setInterval(() => this.keep({}).catch(() => {}), heartbeatMs);
  #saved: Promise<unknown> = Promise.resolve();

  constructor(push: Push, deps: Pick<PushDeps, 'pushes' | 'usage' | 'now'>) {
    this.push = push;
    this.#deps = deps;
  }

  /** Changes the state and saves it. Saves run one after another, so that an older state never replaces a newer one. */
  keep(change: Partial<Push>): Promise<unknown> {
    const { pushes, usage, now } = this.#deps;
    const sent = (change.counts?.sent ?? 0) - this.push.counts.sent;
    if (sent > 0) usage.count(this.push.keyHash, { pushedLeads: sent });
    const push = { ...this.push, ...change, updatedAt: now().toISOString() };
    this.push = push;
    this.#saved = this.#saved.catch(() => {}).then(() => pushes.change(push.id, () => push));
    return this.#saved;
  }

  end(): void {
    clearInterval(this.#heartbeat);
  }
}

/**
 * Sends the leads batch by batch. Each batch is read right before it is sent: a contact that was suppressed or deleted since
 * the push began, or has no address to write to any more, counts as one without an address, if nobody stands in (see leadRow).
 */
async function sendAll(run: PushRun, deps: PushDeps, request: PushRequest): Promise<void> {
  const { tool, query: askedQuery, rows, idempotencyKey: _, ...target } = request;
  const query = defaultToOutlets(askedQuery);
  await run.keep({});
  const selected = await selectLeads(deps.index, { query, rows }, deps.pushMaxLeads);
  await run.keep({ counts: { ...noCounts, ...selected.counts } });
  for (let start = 0; start < selected.leads.length; start += tool.batchSize) {
    const leads = selected.leads.slice(start, start + tool.batchSize);
    const batch = await readBatch(run.push, deps, { ...selected, leads, query, rows });
    const { counts } = run.push;
    const goneCount = leads.length - batch.length;
    if (goneCount > 0) await run.keep({ counts: { ...counts, without_email: counts.without_email + goneCount } });
    if (batch.length === 0) continue;
    const answer = await tool.add(batch, target).catch((error: unknown) => {
      if (run.push.counts.sent === 0 || !(error instanceof Problem)) throw error;
      return { refusal: error.message };
    });
    if ('counts' in answer) await run.keep(addBatch(run.push, batch.length, answer));
    if (answer.refusal !== undefined) {
      await run.keep({ status: 'failed', failure: { code: 'tool_failed', detail: answer.refusal } });
      return;
    }
  }
  await run.keep({ status: 'done' });
}

/** Those of these leads that may still be written to, in their order, or who is written to in their place. */
async function readBatch(
  { startedAt }: Push,
  { index, suppressions }: PushDeps,
  { leads, addresses, query, rows }: Omit<SelectedLeads, 'counts'> & Pick<PushRequest, 'query' | 'rows'>,
): Promise<OutboundLead[]> {
  const ids = [...new Set(leads.map((lead) => lead.record))];
  const visible = await leaveOutSuppressed(await index.findMany(ids, 'full'), suppressions, new Date(startedAt));
  const records = new Map(visible.map((record) => [record.id, record]));
  return leads.flatMap((lead) => {
    const record = records.get(lead.record);
    const row = record && leadRow(record, lead, { query, rows }, addresses);
    return (row && toLead(row)) ?? [];
  });
}

type SelectedLeads = Awaited<ReturnType<typeof selectLeads>>;

/** The leads that an export would have: not their rows, because a push may take hours. Throws Problem `too_many_leads`. */
async function selectLeads(index: SearchIndex, { query, rows }: Pick<PushRequest, 'query' | 'rows'>, maxLeads: number) {
  const scan = await scanLeads(index, { query, rows });
  try {
    if (scan.total > maxLeads) {
      throw new Problem(
        'too_many_leads',
        `These filters match more than ${maxLeads} leads, the limit of one push. Nothing was sent. Narrow the filters, for example by country, and push in parts.`,
      );
    }
    const leads: Lead[] = [];
    for await (const batch of scan) leads.push(...batch.flatMap((row) => listLeads(row, { query, rows })));
    const matched = await countMatches(index, ofRows(query, rows));
    return {
      leads: leads.sort((a, b) => compareTexts(a.record, b.record)),
      addresses: scan.addresses,
      counts: { matched, without_email: matched - scan.total - scan.repeats, repeated: scan.repeats },
    };
  } finally {
    await scan.close();
  }
}
