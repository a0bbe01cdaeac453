import { setTimeout as pause } from 'node:timers/promises';
import { Pool } from 'undici';

/** So many that no request waits for a connection: a process that does not answer must not delay requests to others. */
const connections = 256;
/** How often each process is asked whether it is ready, and how long it may take to answer, in milliseconds. */
const checkEveryMs = 500;
const checkAnswerMs = 1_000;
/** How long a process may take to start its answer before the other one is tried. */
const answerMs = 2_500;

interface Target {
  pool: Pool;
  /** The connection for checks. */
  checks: Pool;
  isReady: boolean;
}

/**
 * A load balancer in front of several processes, like nginx or HAProxy. It keeps connections open, and sends requests in turn to
 * processes whose /readyz?for=search is 200. If a connection breaks or no answer starts in time, it retries the request once on the next
 * process. It passes on every answer, including errors. All its requests are GET.
 */
export class Balancer {
  readonly #targets: readonly Target[];
  readonly #checks: Promise<void>[];
  readonly #closing = new AbortController();
  #turn = 0;

  constructor(urls: readonly string[]) {
    this.#targets = urls.map((url) => ({
      pool: new Pool(url, { connections, bodyTimeout: 60_000 }),
      checks: new Pool(url, { connections: 1 }),
      isReady: true,
    }));
    this.#checks = this.#targets.map((target) => this.#check(target));
  }

  /** @throws Error if neither process answers. */
  async get(path: string, headers: Record<string, string>): Promise<{ status: number; body: string }> {
    const first = this.#next(null);
    try {
      return await send(first, path, headers);
    } catch {
      first.isReady = false;
      return send(this.#next(first), path, headers);
    }
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.all(this.#checks);
    await Promise.all(this.#targets.flatMap(({ pool, checks }) => [pool.destroy(), checks.destroy()]));
  }

  #next(except: Target | null): Target {
    const others = this.#targets.filter((target) => target !== except);
    const ready = others.filter(({ isReady }) => isReady);
    const candidates = ready.length > 0 ? ready : others;
    this.#turn += 1;
    return candidates[this.#turn % candidates.length] as Target;
  }

  async #check(target: Target): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      try {
        const options = { method: 'GET', path: '/readyz?for=search', headersTimeout: checkAnswerMs } as const;
        const { statusCode, body } = await target.checks.request(options);
        await body.dump();
        target.isReady = statusCode === 200;
      } catch {
        target.isReady = false;
      }
      await pause(checkEveryMs, undefined, { signal }).catch(() => {});
    }
  }
}

async function send({ pool }: Target, path: string, headers: Record<string, string>) {
  const { statusCode, body } = await pool.request({ method: 'GET', path, headers, headersTimeout: answerMs });
  return { status: statusCode, body: await body.text() };
}
