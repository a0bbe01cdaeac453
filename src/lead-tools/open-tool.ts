import { hash } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import pRetry from 'p-retry';
import pThrottle from 'p-throttle';
import type { LeadTool } from '#outbound/outbound-lead.ts';
import { noLeadCounts } from '#outbound/push.ts';
import { Problem } from '#src/problem.ts';
import { isObject, parseJson } from '#text/json.ts';
import { atMost } from '#text/memoize.ts';
import { leadTools } from './lead-tools.ts';
import type { Allowed, PushDefinition, ToolBody, ToolDefinition, ToolRequest } from './tool-definition.ts';
import { fitCounts, readCounts, readDetails } from './tool-definition.ts';

/** Retries six times, after 1, 2, 4, … seconds, or longer if the tool asks for it. */
const defaultRetries = { timeoutMs: 60_000, retries: 6, firstPauseMs: 1_000 };

export function openLeadTools(
  { leadToolBases }: { leadToolBases: Record<string, string | undefined> },
  options = defaultRetries,
): LeadTool[] {
  return leadTools.flatMap((tool) => {
    const base = leadToolBases[tool.name];
    return tool.push === null || base === undefined ? [] : openTool(tool, tool.push, { ...options, base });
  });
}

export function openTool({ name, title }: ToolDefinition, push: PushDefinition, options: ClientOptions): LeadTool {
  const post = createClient(title, push.limits, options);
  return {
    name,
    title,
    campaignId: push.campaignId,
    batchSize: push.batchSize,
    async add(leads, target) {
      const answer = await post(push.request(leads, target), target.apiKey);
      const failed = { counts: { ...noLeadCounts, failed: leads.length }, details: {} };
      if (answer.kind === 'unknown') return { ...failed, refusal: answer.reason };
      const details = readDetails(answer.body, push.counters);
      const toolCounts = readCounts(answer.body, push.counters);
      const added = toolCounts.added ?? (push.isFull(answer.body, noLeadCounts) ? 0 : null);
      if (added === null) {
        return { ...failed, details, refusal: `${title}'s answer does not say how many leads it added.` };
      }
      const counts = fitCounts(leads.length, { ...toolCounts, added });
      if (!push.isFull(answer.body, counts)) return { counts, details };
      return {
        counts: { ...counts, skipped: 0, failed: counts.failed + counts.skipped },
        details,
        refusal: `The ${title} plan has no room for more leads.`,
      };
    },
  };
}

/** How a tool is reached. All times in milliseconds. */
interface ClientOptions {
  base: string;
  timeoutMs: number;
  /** The number of retries, and the pause before the first one, doubled for each further one. */
  retries: number;
  firstPauseMs: number;
  /** Waits for as long as the tool asks to, in milliseconds. */
  pause?: (ms: number) => Promise<unknown>;
}

/** `unknown`: the request was sent, but nobody knows whether the tool accepted it. */
type ToolAnswer = { kind: 'answered'; body: ToolBody } | { kind: 'unknown'; reason: string };
type InTurn = <Result>(work: () => Promise<Result>) => Promise<Result>;

const maxPauseMs = 5 * 60_000;
/** Codes of failures to connect: nothing can have been sent. */
const unsentCodes = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
];

/** A failure after which a retry may help. */
class PassingFailure extends Error {
  /** Whether the tool may have accepted the request. */
  readonly isSent: boolean;
  /** How long the tool asks to wait. */
  readonly pauseMs: number;

  constructor(message: string, { isSent, pauseMs = 0 }: { isSent: boolean; pauseMs?: number }) {
    super(message);
    this.isSent = isSent;
    this.pauseMs = pauseMs;
  }
}

/**
 * Returns a function that sends a request, and repeats it until the tool accepts it or retrying is pointless. A request whose
 * answer was lost is repeated too: every tool skips leads that its campaign already has. All limits apply to all pushes with
 * the same key together. Throws `tool_key_rejected`, `campaign_not_found` or `tool_failed` if the tool accepted nothing.
 */
function createClient(
  title: string,
  limits: readonly Allowed[],
  { retries, firstPauseMs, pause = setTimeout, ...options }: ClientOptions,
) {
  /** By a digest of the tool's key. An unused queue is dropped after an hour, long after the longest interval of a limit. */
  const queues = new LRUCache<string, InTurn>({ ...atMost(10_000), ttl: 60 * 60_000, updateAgeOnGet: true });
  const queueOf = (apiKey: string): InTurn => {
    const id = hash('sha256', apiKey);
    const inTurn =
      queues.get(id) ??
      limits.reduce<InTurn>(
        (next, limit) => pThrottle({ ...limit, strict: true })(next) as InTurn,
        (work) => work(),
      );
    queues.set(id, inTurn);
    return inTurn;
  };
  return async (request: ToolRequest, apiKey: string): Promise<ToolAnswer> => {
    const inTurn = queueOf(apiKey);
    let wasSent = false;
    try {
      const body = await pRetry(() => inTurn(() => postOnce(title, request, options)), {
        retries,
        minTimeout: firstPauseMs,
        maxTimeout: maxPauseMs,
        randomize: true,
        shouldRetry: ({ error }) => error instanceof PassingFailure,
        onFailedAttempt: async ({ error, retriesLeft }) => {
          if (!(error instanceof PassingFailure)) return;
          wasSent ||= error.isSent;
          if (retriesLeft > 0) await pause(error.pauseMs);
        },
      });
      return { kind: 'answered', body };
    } catch (error) {
      const isExpected = error instanceof PassingFailure || error instanceof Problem;
      // An earlier attempt may have been accepted, even if this one was refused.
      if (isExpected && wasSent) return { kind: 'unknown', reason: error.message };
      throw error instanceof PassingFailure ? new Problem('tool_failed', error.message) : error;
    }
  };
}

async function postOnce(
  title: string,
  { path, headers, body }: ToolRequest,
  { base, timeoutMs }: Pick<ClientOptions, 'base' | 'timeoutMs'>,
): Promise<ToolBody> {
  let response: Response;
  let text: string;
  try {
    response = await fetch(base + path, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Accept: 'application/json',
        'User-Agent': 'Masthead/1.0 (media contact database)',
        ...headers,
      },
      body: JSON.stringify(body),
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    });
    text = await response.text();
  } catch (error) {
    // The error's message may have the URL, and the URL may have the key. So only its code is used.
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    const isUnsent = cause instanceof Error && 'code' in cause && unsentCodes.includes(String(cause.code));
    const message = isUnsent ? `${title} cannot be reached.` : `${title} did not answer a batch.`;
    throw new PassingFailure(message, { isSent: !isUnsent });
  }
  const answer = parseJson(text);
  if (response.ok && isObject(answer)) return answer;
  throw explain(title, response, isObject(answer));
}

/** What an unsuccessful answer means. Its text is not passed on, because it may repeat the key or an address. */
function explain(tool: string, { ok, status, headers }: Response, isInJson: boolean): Error {
  if (status === 429) {
    const pauseMs = readPause(headers);
    return new PassingFailure(`${tool} still asks to wait after several attempts.`, { isSent: false, pauseMs });
  }
  if (status >= 500 || status === 408) {
    return new PassingFailure(`${tool} failed with status ${status}.`, { isSent: true, pauseMs: readPause(headers) });
  }
  // A firewall in front of the tool, such as Cloudflare, also answers 403, but in HTML. Only the tool answers in JSON.
  if (isInJson && (status === 401 || status === 403)) {
    return new Problem(
      'tool_key_rejected',
      `${tool} rejected the api_key (status ${status}): it is wrong or lacks permission to add leads.`,
    );
  }
  if (isInJson && status === 404) {
    return new Problem('campaign_not_found', `${tool} has no such campaign for this api_key.`);
  }
  if (status === 402) {
    return new Problem('tool_failed', `${tool} says that the account's plan does not allow this (402).`);
  }
  if (ok) return new PassingFailure(`${tool} sent an unreadable answer.`, { isSent: true });
  return new Problem('tool_failed', `${tool} refused a batch with status ${status}.`);
}

/** Reads Retry-After, which is seconds or a date (RFC 9110), in milliseconds. */
function readPause(headers: Headers): number {
  const text = headers.get('retry-after') ?? '';
  const ms = /^\d+(\.\d+)?$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 0), maxPauseMs) : 0;
}
