import type { Reservation, Reservations } from '#accounts/reservation.ts';
import type { StoredKey } from '#accounts/stored-key.ts';
import type { UsageCounter } from '#accounts/usage.ts';
import type { SearchIndex } from '#search/search-index.ts';
import type { SearchQuery } from '#search/search-query.ts';
import { Problem } from '#src/problem.ts';
import { defaultToOutlets } from './export-records.ts';
import type { LateSuppressions } from './late-suppressions.ts';
import type { LeadTool, PushTarget } from './outbound-lead.ts';
import type { PushLog } from './push.ts';
import { newPushId, noCounts, type Push } from './push.ts';
import { PushRun, selectLeads, sendLeads } from './send-leads.ts';
import type { WorkSlots } from './work-slots.ts';
import { type ProcessRoom, takeSlot } from './work-slots.ts';

export interface PushDeps {
  index: SearchIndex;
  suppressions: LateSuppressions;
  pushes: Pick<PushLog, 'find' | 'save'>;
  usage: UsageCounter;
  /** Reservations under an Idempotency-Key share one store, whatever they are for. */
  reservations: Reservations;
  pepper: string;
  /** Maximum number of leads in one push. */
  pushMaxLeads: number;
  /** Limits the pushes that run with a key, and those that run in this process. */
  slots: WorkSlots;
  room: ProcessRoom;
  now: () => Date;
}

export interface PushRequest extends PushTarget {
  tool: LeadTool;
  query: SearchQuery;
  /** Makes the same request one push for 24 hours; null for none. */
  idempotencyKey: string | null;
}

/** A push without an update for this long is considered lost, in milliseconds. */
const lostAfterMs = 3 * 60_000;
const pollMs = 250;

/**
 * Sends the leads of a query to a campaign and returns what happened to them; `failure` says why a push that had sent
 * some ended early. It continues if its caller disconnects.
 *
 * Throws Problem `too_many_leads`, `tool_key_rejected`, `campaign_not_found` or `tool_failed` if nothing was sent,
 * `idempotency_conflict` if the Idempotency-Key was used for another request, `rate_limited` if the limit of concurrent
 * pushes is reached. A repeat of a running push does not count as another one.
 */
export async function pushLeads(deps: PushDeps, request: PushRequest, key: StoredKey): Promise<Push> {
  const started = startPush(request, key, deps.now());
  const reservation = await reserve(deps, request, key, started);
  const isRepeat = reservation !== null && reservation.subjectId !== started.id;
  return isRepeat ? waitForEnd(deps, reservation) : runPush(deps, request, key, started, reservation);
}

function startPush({ tool, campaignId }: PushRequest, key: StoredKey, now: Date): Push {
  return {
    id: newPushId(),
    keyHash: key.hash,
    keyPrefix: key.prefix,
    tool: tool.name,
    campaignId,
    status: 'running',
    counts: noCounts,
    details: {},
    failure: null,
    startedAt: now.toISOString(),
    updatedAt: now.toISOString(),
  };
}

/** The reservation of the Idempotency-Key: this push's own, or an earlier one's; null without such a key. */
async function reserve(
  { reservations, pepper }: PushDeps,
  { tool, campaignId, query, idempotencyKey }: PushRequest,
  key: StoredKey,
  push: Push,
): Promise<Reservation | null> {
  if (idempotencyKey === null) return null;
  const asked = {
    key: `push ${key.hash} ${idempotencyKey}`,
    request: JSON.stringify([tool.name, campaignId, query]),
    subjectId: push.id,
  };
  return reservations.reserve(asked, pepper, new Date(push.startedAt));
}

/**
 * Runs a push if there is room for one more, with its key and in this process. A push that sent nothing, or was refused
 * for lack of room, releases its reservation, so it can be requested again.
 */
async function runPush(
  deps: PushDeps,
  request: PushRequest,
  key: StoredKey,
  started: Push,
  reservation: Reservation | null,
): Promise<Push> {
  const run = new PushRun(started, deps);
  try {
    return await inRoom(deps, key, () => runInRoom(run, deps, request));
  } catch (error) {
    const isRefused = error instanceof Problem && error.code === 'rate_limited';
    // Nobody hears of a push that never started, except a repeat of its request that waits for it.
    if (!isRefused || reservation !== null) await run.keep(failureOf(error)).catch(() => {});
    const hasSent = run.push.counts.sent > 0;
    if (reservation !== null && !hasSent) await deps.reservations.release(reservation);
    if (!hasSent || !(error instanceof Problem)) throw error;
    return run.push;
  } finally {
    run.end();
  }
}

/** Does the work of a push while it holds its place in this process and one of its key's slots. */
async function inRoom<Result>({ room, slots }: PushDeps, key: StoredKey, work: () => Promise<Result>): Promise<Result> {
  const leave = room.enter();
  try {
    const slot = await takeSlot(slots, 'push', key);
    try {
      return await work();
    } finally {
      await slot.release();
    }
  } finally {
    leave();
  }
}

async function runInRoom(run: PushRun, deps: PushDeps, request: PushRequest): Promise<Push> {
  const { tool, query, ...target } = request;
  await run.keep({});
  const asked = defaultToOutlets(query);
  const selected = await selectLeads(deps.index, asked, deps.pushMaxLeads);
  await run.keep({ counts: { ...noCounts, ...selected.counts } });
  const failure = await sendLeads(run, { ...deps, tool }, selected, asked, target);
  await run.keep(failure === null ? { status: 'done' } : { status: 'failed', failure });
  return run.push;
}

/** The answer says what was sent, even if the log cannot be written. */
function failureOf(error: unknown): Pick<Push, 'status' | 'failure'> {
  const failure =
    error instanceof Problem
      ? { code: error.code, detail: error.message }
      : { code: 'internal' as const, detail: 'The push failed because of an error in this service.' };
  return { status: 'failed', failure };
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
