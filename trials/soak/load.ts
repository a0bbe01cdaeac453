import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Pool } from 'undici';
import type { Visit } from './mixed-traffic.ts';

/** The results of the requests so far. */
export interface LoadReport {
  /** Milliseconds of each complete 200 answer. */
  times: number[];
  /** Anything else while the service was there, in words. */
  errors: string[];
  /** The ids of requests that were answered whole. */
  answered: Set<string>;
  /** Requests that got no connection, or no byte on one: the service had stopped. */
  turnedAway: number;
}

export interface Load {
  report: LoadReport;
  /** Starts no more requests; resolves when the running ones have ended. */
  end(): Promise<void>;
}

const maxConnections = 256;

/** Keeps `clients` requests running for this many milliseconds; returns how many succeeded per second. */
export async function findCapacity(url: string, next: () => Visit, clients: number, ms: number): Promise<number> {
  const pool = new Pool(url, { connections: clients });
  const report = newReport();
  const start = performance.now();
  const work = async () => {
    while (performance.now() - start < ms) await visit(pool, next(), report);
  };
  await Promise.all(Array.from({ length: clients }, work));
  await pool.close();
  return report.times.length / ((performance.now() - start) / 1_000);
}

/** Begins `perSecond` requests every second, whatever becomes of those before, until it is ended. */
export function startLoad(url: string, next: () => Visit, perSecond: number): Load {
  const pool = new Pool(url, { connections: maxConnections });
  const report = newReport();
  const underWay = new Set<Promise<void>>();
  let isEnding = false;
  const begin = async () => {
    const start = performance.now();
    for (let count = 0; !isEnding; ) {
      for (const due = ((performance.now() - start) / 1_000) * perSecond; count < due && !isEnding; count += 1) {
        const ended = visit(pool, next(), report).finally(() => underWay.delete(ended));
        underWay.add(ended);
      }
      await pause(5);
    }
  };
  const begun = begin();
  return {
    report,
    async end() {
      isEnding = true;
      await begun;
      await Promise.all(underWay);
      await pool.close();
    },
  };
}

function newReport(): LoadReport {
  return { times: [], errors: [], answered: new Set(), turnedAway: 0 };
}

async function visit(pool: Pool, { path, key }: Visit, report: LoadReport): Promise<void> {
  const id = randomUUID();
  const start = performance.now();
  let hasBegun = false;
  try {
    const headers = { 'X-Request-Id': id, ...(key !== null && { Authorization: `Bearer ${key}` }) };
    const { statusCode, body } = await pool.request({ method: 'GET', path, headers });
    hasBegun = true;
    const text = await body.text();
    if (statusCode !== 200) report.errors.push(`${path} gave ${statusCode}: ${text.slice(0, 300)}`);
    else {
      report.times.push(performance.now() - start);
      report.answered.add(id);
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (!hasBegun && isAway(code)) report.turnedAway += 1;
    else report.errors.push(`${path} broke: ${code ?? ''} ${message}`);
  }
}

/** No connection, or one that the service closed before it took the request. */
function isAway(code: string | undefined): boolean {
  return code === 'ECONNREFUSED' || code === 'ECONNRESET' || code === 'UND_ERR_SOCKET';
}
