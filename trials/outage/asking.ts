import { setTimeout as pause } from 'node:timers/promises';
import type { Pool } from 'undici';
import type { EngineKind } from '../../testing/engines/engine.ts';

export interface Question {
  path: string;
  isKeyed: boolean;
  /** The engines without which it cannot be answered. */
  needs: readonly EngineKind[];
  isRight: (body: Record<string, unknown>) => boolean;
}

export interface Answer {
  question: Question;
  status: number;
  /** Of a problem; null for a 200. */
  code: string | null;
  retryAfter: string | undefined;
  /** For a 200: whether its content is correct. */
  isRight: boolean;
  /** By performance.now(). */
  startedAt: number;
  ms: number;
}

const betweenMs = 20;

/**
 * Sends all queries in turn, `askers` at a time, until it is stopped. A request that gets no answer at all makes `stop`
 * reject.
 */
export function startAsking({
  pool,
  key,
  questions,
  askers,
}: {
  pool: Pool;
  key: string;
  questions: readonly Question[];
  askers: number;
}): { answers: Answer[]; stop(): Promise<void> } {
  const answers: Answer[] = [];
  let isRunning = true;
  let turn = 0;
  const work = async () => {
    while (isRunning) {
      turn += 1;
      answers.push(await ask(pool, key, questions[turn % questions.length] as Question));
      await pause(betweenMs);
    }
  };
  const running = Promise.all(Array.from({ length: askers }, work));
  // Who stops it sees how it ended.
  running.catch(() => {});
  return {
    answers,
    async stop() {
      isRunning = false;
      await running;
    },
  };
}

async function ask(pool: Pool, key: string, question: Question): Promise<Answer> {
  const { path, isKeyed, isRight } = question;
  const startedAt = performance.now();
  const headers = isKeyed ? { authorization: `Bearer ${key}` } : {};
  const { statusCode, headers: received, body } = await pool.request({ method: 'GET', path, headers });
  const answer = (await body.json()) as Record<string, unknown>;
  return {
    question,
    status: statusCode,
    code: statusCode === 200 ? null : String(answer.code),
    retryAfter: received['retry-after']?.toString(),
    isRight: statusCode === 200 && isRight(answer),
    startedAt,
    ms: performance.now() - startedAt,
  };
}
