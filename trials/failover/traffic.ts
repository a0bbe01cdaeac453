import { setTimeout as pause } from 'node:timers/promises';
import { steady } from '../sync/fill-for-trial.ts';
import type { Balancer } from './balancer.ts';

interface Question {
  path: string;
  isKeyed: boolean;
  isRight: (body: Record<string, unknown>) => boolean;
}

const findsSteady = ({ total }: Record<string, unknown>) => total === steady.count;
/** About records that nobody changes, so that only one answer is correct. */
const questions: readonly Question[] = [
  { path: '/api/v1/search?country=IS', isKeyed: false, isRight: findsSteady },
  { path: '/api/v1/search?q=steady&country=IS', isKeyed: true, isRight: (body) => findsSteady(body) && !body.masked },
  { path: '/api/v1/search?q=steady&country=IS&page=7', isKeyed: false, isRight: findsSteady },
  { path: '/api/v1/facets?country=IS', isKeyed: false, isRight: findsSteady },
  { path: '/api/v1/records/steady-7', isKeyed: false, isRight: ({ name }) => name === 'Steady 7' },
  { path: '/api/v1/me', isKeyed: true, isRight: ({ plan }) => plan === 'premium' },
  { path: '/api/v1/plans', isKeyed: false, isRight: ({ plans }) => Array.isArray(plans) && plans.length === 2 },
];

/** What became of the requests of a drill. */
export interface TrafficReport {
  requests: number;
  /** Refused, or not answered at all: path, and what came instead. */
  failed: string[];
  /** When the first and the last of those began, in seconds since the traffic began; null without any. */
  failedBetween: [first: number, last: number] | null;
  /** Answered with 200 and a wrong result. */
  wrong: string[];
  maxMs: number;
  /** Sent to the other process by the balancer. */
  retried: number;
  exports: { whole: number; broken: number };
}

/** Starts this many requests each second, whatever happens to earlier ones, and runs one export after another. */
export class Traffic {
  readonly #balancer: Balancer;
  readonly #headers: Record<string, string>;
  readonly #report: TrafficReport;
  readonly #underWay = new Set<Promise<void>>();
  readonly #stopping = new AbortController();
  readonly #running: Promise<unknown>;
  readonly #begun = performance.now();
  #turn = 0;

  constructor(balancer: Balancer, key: string, perSecond: number) {
    this.#balancer = balancer;
    this.#headers = { authorization: `Bearer ${key}` };
    this.#report = {
      requests: 0,
      failed: [],
      failedBetween: null,
      wrong: [],
      maxMs: 0,
      retried: 0,
      exports: { whole: 0, broken: 0 },
    };
    this.#running = Promise.all([this.#beginRequests(1_000 / perSecond), this.#exportAgainAndAgain()]);
  }

  get requests(): number {
    return this.#report.requests;
  }

  /** Resolves once all that was begun has ended. */
  async stop(): Promise<TrafficReport> {
    this.#stopping.abort();
    await this.#running;
    await Promise.all(this.#underWay);
    return this.#report;
  }

  async #beginRequests(everyMs: number): Promise<void> {
    const { signal } = this.#stopping;
    const begun = performance.now();
    for (let count = 0; !signal.aborted; count += 1) {
      const question = questions[this.#turn++ % questions.length] as Question;
      const asking = this.#ask(question).finally(() => this.#underWay.delete(asking));
      this.#underWay.add(asking);
      const dueMs = begun + (count + 1) * everyMs - performance.now();
      await pause(Math.max(dueMs, 0), undefined, { signal }).catch(() => {});
    }
  }

  async #ask({ path, isKeyed, isRight }: Question): Promise<void> {
    const startedAt = performance.now();
    const report = this.#report;
    report.requests += 1;
    try {
      const { status, body, isRetried } = await this.#balancer.get(path, isKeyed ? this.#headers : {});
      if (isRetried) report.retried += 1;
      if (status !== 200) this.#noteFailure(`${path}: ${status} ${JSON.parse(body).code}`, startedAt);
      else if (!isRight(JSON.parse(body))) report.wrong.push(`${path}: ${body.slice(0, 200)}`);
    } catch (error) {
      this.#noteFailure(`${path}: ${(error as Error).message}`, startedAt);
    }
    report.maxMs = Math.max(report.maxMs, performance.now() - startedAt);
  }

  #noteFailure(line: string, startedAt: number): void {
    const seconds = (startedAt - this.#begun) / 1_000;
    const [first, last] = this.#report.failedBetween ?? [seconds, seconds];
    this.#report.failed.push(line);
    this.#report.failedBetween = [Math.min(first, seconds), Math.max(last, seconds)];
  }

  /** A broken export is restarted by its client: it must break, rather than end short. */
  async #exportAgainAndAgain(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      try {
        const { status, body } = await this.#balancer.get('/api/v1/export?country=IS', this.#headers);
        // The heading and a line for each record.
        const lines = body.split('\r\n').length - 2;
        if (status === 200 && lines !== steady.count) this.#report.wrong.push(`an export of ${lines} rows`);
        if (status === 200) this.#report.exports.whole += 1;
        else this.#report.exports.broken += 1;
      } catch {
        this.#report.exports.broken += 1;
      }
      await pause(500, undefined, { signal }).catch(() => {});
    }
  }
}
