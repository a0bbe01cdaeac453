import type { Request as ExpressRequest, Response as ExpressResponse } from 'express';
import type { AppDeps } from '../app-deps.ts';
import { callerOf, type Steps, stateOf } from '../endpoint.ts';
import { invalidRequest } from '../parse/faults.ts';
import { sendCompressed } from '../send.ts';

/** POST /mcp (contract A15, docs/mcp.md). Its library is loaded by the first message: a start does not wait for it. */
export function mcp({ index, mergedIds, lists, now, publicUrl, log }: AppDeps) {
  return {
    access: 'key or none',
    body: { maxKilobytes: 32 },
    async handle(req, res) {
      refuseOddities(req.body);
      const { answerMessage } = await import('../mcp/answer-message.ts');
      const { requestId } = stateOf(res);
      const context = { index, mergedIds, lists, now, publicUrl, log, caller: callerOf(res), requestId };
      await send(res, await answerMessage(toWebRequest(req, res, publicUrl), req.body, context));
    },
  } satisfies Steps;
}

/** Levels of objects and lists in a message; those of real clients have fewer than ten. */
const maxLevels = 100;

/**
 * Refuses batches, since one request against the limit must not be many calls; the protocol has none since 2025-06-18. And
 * what is nested deeply: the library reads messages by recursion, which ends with a fault.
 */
function refuseOddities(body: unknown): void {
  const where = { in: 'body', name: '' } as const;
  if (Array.isArray(body)) {
    const right = 'Send each message in a request of its own.';
    throw invalidRequest({ ...where, code: 'batch', wrong: 'A batch of messages is not supported.', right });
  }
  if (!isDeeper(body, maxLevels)) return;
  const wrong = `The message has more than ${maxLevels} levels of objects and lists.`;
  throw invalidRequest({ ...where, code: 'too_deep', wrong });
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1));
}

/** What the protocol reads of a request besides its body, which is parsed. It never sees a key. */
function toWebRequest(req: Pick<ExpressRequest, 'headers' | 'get'>, res: ExpressResponse, publicUrl: string): Request {
  const gone = new AbortController();
  res.once('close', () => gone.abort());
  const names = Object.keys(req.headers).filter((name) => /^(accept|content-type|mcp-.+)$/.test(name));
  return new Request(`${publicUrl}/mcp`, {
    method: 'POST',
    headers: names.map((name): [string, string] => [name, req.get(name) ?? '']),
    signal: gone.signal,
  });
}

async function send(res: ExpressResponse, answer: Response): Promise<void> {
  const body = Buffer.from(await answer.arrayBuffer());
  res.status(answer.status);
  if (body.length === 0) {
    res.end();
    return;
  }
  res.type(answer.headers.get('Content-Type') ?? 'application/json');
  await sendCompressed(res, body);
}
