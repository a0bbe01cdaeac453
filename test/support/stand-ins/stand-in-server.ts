import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { type Listening, listen } from '../listen.ts';

/**
 * What goes wrong with a request: a 429 before any work is done; a 500 or a reset connection, half of the times after the work
 * was done; or an answer that comes too late.
 */
type Fault = 'tooMany' | 'broken' | 'reset' | 'late';

export interface ToolRequest {
  method: string;
  url: URL;
  headers: IncomingMessage['headers'];
  body: unknown;
}

export interface ToolReply {
  status: number;
  body: unknown;
  headers?: Record<string, string>;
}

/** At most `limit` requests may arrive in any `interval` of milliseconds. */
export interface Limit {
  most: number;
  ms: number;
}

interface StandInOptions {
  /** What happens to the first requests, and to all others. */
  first?: readonly Fault[];
  always?: Fault;
  limits?: readonly Limit[];
  /** Delay of a late answer, in milliseconds. */
  lateMs?: number;
}

/**
 * A server on a real socket that stands in for a tool: it follows the tool's documented behavior and fails on request.
 */
export interface StandInServer extends Listening {
  /** All requests that arrived, including those refused for coming too fast. */
  requests: number;
  /** How many requests broke a limit, without 429s that a test asked for. */
  overLimit: number;
}

/** A stand-in for a tool: a server with the campaigns of one account. */
export interface ToolStandIn extends StandInServer {
  /** The leads of each campaign, by address. */
  campaigns: Map<string, Map<string, unknown>>;
}

export interface ToolOptions extends StandInOptions {
  apiKey: string;
  campaigns: readonly string[];
  /** Addresses that no campaign accepts. */
  blocked?: ReadonlySet<string>;
  /** How many leads the plan still has room for. */
  room?: number;
}

/** Adds leads to a campaign as tools do, and counts what happened to them. */
export function createCampaigns({ campaigns: ids, blocked, room = Number.POSITIVE_INFINITY }: ToolOptions) {
  const campaigns = new Map(ids.map((id) => [id, new Map<string, unknown>()]));
  let left = room;
  const take = (campaign: Map<string, unknown>, leads: readonly { email: string }[]) => {
    const taken = { added: [] as { email: string; index: number }[], repeated: 0, invalid: [] as string[] };
    const counts = { blocked: 0, duplicates: 0, stopped: 0 };
    const inRequest = new Set<string>();
    for (const [index, lead] of leads.entries()) {
      const address = lead.email.toLowerCase();
      if (inRequest.has(address)) taken.repeated += 1;
      else if (!/^[^\s@]+@[^\s@]+\.[a-z]{2,}$/i.test(lead.email)) taken.invalid.push(lead.email);
      else if (blocked?.has(address)) counts.blocked += 1;
      else if (campaign.has(address)) counts.duplicates += 1;
      else if (left <= 0) counts.stopped += 1;
      else {
        campaign.set(address, lead);
        taken.added.push({ email: lead.email, index });
        left -= 1;
      }
      inRequest.add(address);
    }
    return { ...taken, ...counts, size: leads.length };
  };
  return { campaigns, take, left: () => left };
}

export type TakenLeads = ReturnType<ReturnType<typeof createCampaigns>['take']>;

/** Starts a server whose answers come from `reply`. */
export async function startStandIn(
  reply: (request: ToolRequest) => ToolReply,
  { first = [], always, limits = [], lateMs = 60_000 }: StandInOptions,
): Promise<StandInServer> {
  const arrivals: number[] = [];
  const ending = new AbortController();

  const isTooFast = () => {
    const now = Date.now();
    arrivals.push(now);
    return limits.some(({ most, ms }) => arrivals.filter((at) => at > now - ms).length > most);
  };

  const handle = async (req: IncomingMessage, res: ServerResponse) => {
    const raw = await text(req);
    state.requests += 1;
    if (isTooFast()) {
      state.overLimit += 1;
      return send(res, { status: 429, body: { message: 'Too many requests' }, headers: { 'Retry-After': '1' } });
    }
    const fault = first[state.requests - 1] ?? always;
    const isDone = state.requests % 2 === 0;
    const url = new URL(req.url ?? '/', state.url);
    const work = () => reply({ method: req.method ?? '', url, headers: req.headers, body: readJson(raw) });
    switch (fault) {
      case 'tooMany':
        return send(res, { status: 429, body: { message: 'Slow down' }, headers: { 'Retry-After': '0.05' } });
      case 'broken':
        if (isDone) work();
        return send(res, { status: 500, body: { message: 'Internal server error' } });
      case 'reset':
        if (isDone) work();
        return req.socket.resetAndDestroy();
      case 'late': {
        const answer = work();
        await pause(lateMs, undefined, { signal: ending.signal }).catch(() => {});
        return send(res, answer);
      }
      default:
        return send(res, work());
    }
  };

  const server = await listen((req, res) => {
    handle(req, res).catch(() => res.destroy());
  });
  const state: StandInServer = {
    ...server,
    requests: 0,
    overLimit: 0,
    close() {
      ending.abort();
      return server.close();
    },
  };
  return state;
}

function send(res: ServerResponse, { status, body, headers = {} }: ToolReply): void {
  const isText = typeof body === 'string';
  res.writeHead(status, { 'Content-Type': isText ? 'text/html' : 'application/json', ...headers });
  res.end(isText ? body : JSON.stringify(body));
}

function readJson(raw: string): unknown {
  try {
    return JSON.parse(raw);
  } catch {
    return undefined;
  }
}

/** How a firewall in front of a tool answers programs without a proper User-Agent. */
export const edgePage: ToolReply = {
  status: 403,
  body: '<html><title>Access denied</title>error code: 1010</html>',
  headers: { Server: 'cloudflare' },
};

/** User agents that name only a library, not a product. */
export function isNobody(userAgent: string | undefined): boolean {
  return userAgent === undefined || /^(node|undici|axios|python|curl|got)/i.test(userAgent);
}
