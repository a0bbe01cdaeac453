import { hash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import pRetry from 'p-retry';
import pThrottle from 'p-throttle';
import type { LeadTool } from '#outbound/outbound-lead.ts';
import { noLeadCounts } from '#outbound/push.ts';
import { Problem } from '#src/problem.ts';
import { atMost } from '#text/memoize.ts';
import { leadTools } from './lead-tools.ts';
import type { Allowed, PushDefinition, ToolBody, ToolDefinition, ToolRequest } from './tool-definition.ts';
import { fitCounts, readDetails } from './tool-definition.ts';

/** Retries: six times, after 1, 2, 4, … seconds, or as long as the tool asks for. */
const defaultRetries = { timeoutMs: 60_000, retries: 6, firstPauseMs: 1_000 };

/** The outbound tools that take pushes, at their configured URLs. */
export function openLeadTools(
  { leadToolBases }: { leadToolBases: Record<string, string | undefined> },
  options = defaultRetries,
  tools = leadTools,
): LeadTool[] {
  return tools.flatMap((tool) => {
    const base = leadToolBases[tool.name];
    return tool.push === null || base === undefined ? [] : openTool(tool, tool.push, { ...options, base });
  });
}

/** A tool that leads can be pushed to, as its definition says. */
export function openTool({ name, title }: ToolDefinition, push: PushDefinition, options: ClientOptions): LeadTool {
  const client = new ToolClient(title, push.limits, options);
  return {
    name,
    title,
    campaignId: push.campaignId,
    batchSize: push.batchSize,
    async add(leads, target) {
      const answer = await client.post(push.request(leads, target), target.apiKey);
      const failed = { counts: { ...noLeadCounts, failed: leads.length }, details: {} };
      if (answer.kind === 'unknown') return { ...failed, refusal: answer.reason };
      const details = readDetails(answer.body, push.counterNames);
      const { added, ...others } = push.count(answer.body);
      if (added === null) {
        return { ...failed, details, refusal: `${title}'s answer does not say how many leads it added.` };
      }
      const counts = fitCounts(leads.length, { added, ...others });
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
  /** The base URL of its API, without a trailing slash. */
  base: string;
  /** The timeout of one answer. */
  timeoutMs: number;
  /** The number of retries, and the pause before the first one, doubled for each further one. */
  retries: number;
  firstPauseMs: number;
}

/** `unknown`: it was sent, but the result is unknown. */
type ToolAnswer = { kind: 'answered'; body: ToolBody } | { kind: 'unknown'; reason: string };

const userAgent = 'Masthead/1.0 (media contact database)';
/** The longest Retry-After that is honored. */
const maxPauseMs = 5 * 60_000;
/** Failures before anything can have been sent. */
const unsentCodes = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** A failure after which a retry may help. */
class PassingFailure extends Error {
  readonly isSent: boolean;
  /** How long the tool asked to wait; 0 if it did not say. */
  readonly pauseMs: number;

  constructor(message: string, { isSent, pauseMs = 0 }: { isSent: boolean; pauseMs?: number }) {
    super(message);
    this.isSent = isSent;
    this.pauseMs = pauseMs;
  }
}

/** Sends requests to one tool, within its limits: all of them apply, to all pushes with the same key together. */
class ToolClient {
  readonly #title: string;
  readonly #limits: readonly Allowed[];
  readonly #options: ClientOptions;
  /** By a digest of the tool's key. Dropped only long after the longest interval. */
  readonly #queues = new LRUCache<string, <Result>(work: () => Promise<Result>) => Promise<Result>>({
    ...atMost(10_000),
    ttl: 60 * 60_000,
    updateAgeOnGet: true,
  });

  constructor(title: string, limits: readonly Allowed[], options: ClientOptions) {
    this.#title = title;
    this.#limits = limits;
    this.#options = options;
  }

  /**
   * POSTs a request until the tool accepts it or retrying is pointless. A request whose response was lost is sent
   * again: every tool skips leads that the campaign already has.
   *
   * Throws Problem `tool_key_rejected`, `campaign_not_found` or `tool_failed` if the tool accepted nothing.
   */
  async post(request: ToolRequest, apiKey: string): Promise<ToolAnswer> {
    const { retries, firstPauseMs } = this.#options;
    const inTurn = this.#queueOf(apiKey);
    let wasSent = false;
    try {
      const body = await pRetry(() => inTurn(() => this.#postOnce(request)), {
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
  }

  #queueOf(apiKey: string) {
    const id = hash('sha256', apiKey);
    let inTurn = this.#queues.get(id);
    if (inTurn === undefined) {
      inTurn = this.#limits.reduce<<Result>(work: () => Promise<Result>) => Promise<Result>>(
        (next, limit) => pThrottle({ ...limit, strict: true })(next) as typeof next,
        (work) => work(),
      );
      this.#queues.set(id, inTurn);
    }
    return inTurn;
  }

  async #postOnce(request: ToolRequest): Promise<ToolBody> {
    const { status, headers, text } = await this.#exchange(request);
    const body = readObject(text);
    if (status >= 200 && status < 300 && body !== null) return body;
    throw explain(this.#title, status, headers, body);
  }

  async #exchange({ path, headers, body }: ToolRequest): Promise<Exchange> {
    const { base, timeoutMs } = this.#options;
    try {
      const response = await fetch(base + path, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          Accept: 'application/json',
          'User-Agent': userAgent,
          ...headers,
        },
        body: JSON.stringify(body),
        redirect: 'manual',
        signal: AbortSignal.timeout(timeoutMs),
      });
      return { status: response.status, headers: response.headers, text: await response.text() };
    } catch (error) {
      // A request's error may name its URL, which may contain the key: only its code is used.
      const code = codeOf(error);
      if (unsentCodes.has(code)) throw new PassingFailure(`${this.#title} cannot be reached.`, { isSent: false });
      throw new PassingFailure(`${this.#title} did not answer a batch.`, { isSent: true });
    }
  }
}

interface Exchange {
  status: number;
  headers: Headers;
  text: string;
}

/** What an unsuccessful answer means. None of its text is passed on: it may repeat what was sent. */
function explain(tool: string, status: number, headers: Headers, body: ToolBody | null): Error {
  if (status === 429) {
    return new PassingFailure(`${tool} still asks to wait after several attempts.`, {
      isSent: false,
      pauseMs: readPause(headers),
    });
  }
  if (status >= 500 || status === 408) {
    return new PassingFailure(`${tool} failed with status ${status}.`, { isSent: true, pauseMs: readPause(headers) });
  }
  // Pages of a firewall in front of the tool (Cloudflare's 1010) say nothing about the key: only the tool answers with
  // JSON.
  const isOfTool = body !== null;
  if (isOfTool && (status === 401 || status === 403)) {
    return new Problem(
      'tool_key_rejected',
      `${tool} rejected the api_key (status ${status}): it is wrong or lacks permission to add leads.`,
    );
  }
  if (isOfTool && status === 404) {
    return new Problem('campaign_not_found', `${tool} has no such campaign for this api_key.`);
  }
  if (status === 402)
    return new Problem('tool_failed', `${tool} says that the account's plan does not allow this (402).`);
  if (status >= 200 && status < 300) {
    return new PassingFailure(`${tool} sent an unreadable answer.`, { isSent: true });
  }
  return new Problem('tool_failed', `${tool} refused a batch with status ${status}.`);
}

/** Seconds or a date (RFC 9110). */
function readPause(headers: Headers): number {
  const text = headers.get('retry-after') ?? '';
  const ms = /^\d+(\.\d+)?$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 0), maxPauseMs) : 0;
}

function readObject(text: string): ToolBody | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as ToolBody) : null;
  } catch {
    return null;
  }
}

function codeOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error && 'code' in cause ? String(cause.code) : '';
}
