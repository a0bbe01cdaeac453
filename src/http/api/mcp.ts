import type { Request as ExpressRequest, Response as ExpressResponse } from 'express';
import type { AppDeps } from '../app-deps.ts';
import type { Steps } from '../endpoint.ts';
import { toProblem } from '../parse/faults.ts';
import { callerOf, stateOf } from '../request-state.ts';
import { sendCompressed } from '../send.ts';

/** POST /mcp (contract A15, docs/mcp.md). Its library is loaded by the first message: a start does not wait for it. */
export function mcp(deps: AppDeps) {
  return {
    access: 'key or none',
    scope: 'any',
    body: { maxKilobytes: 32 },
    async handle(req, res) {
      refuseBatch(req.body);
      const { answerMessage } = await import('../mcp/answer-message.ts');
      const { requestId } = stateOf(res);
      const context = { ...deps, caller: callerOf(res), requestId };
      await send(res, await answerMessage(toWebRequest(req, res, deps.publicUrl), req.body, context));
    },
  } satisfies Steps;
}

/** One request against the limit must not be many calls; the protocol has no batches since 2025-06-18. */
function refuseBatch(body: unknown): void {
  if (!Array.isArray(body)) return;
  const message = 'A batch of messages is not supported. Send each message in a request of its own.';
  throw toProblem([{ in: 'body', name: '', code: 'batch', message }]);
}

/** What the protocol reads of a request besides its body, which is parsed. It never sees a key. */
function toWebRequest(req: Pick<ExpressRequest, 'headers' | 'get'>, res: ExpressResponse, publicUrl: string): Request {
  const departure = new AbortController();
  res.once('close', () => departure.abort());
  const names = Object.keys(req.headers).filter((name) => /^(accept|content-type|mcp-.+)$/.test(name));
  return new Request(`${publicUrl}/mcp`, {
    method: 'POST',
    headers: names.map((name): [string, string] => [name, req.get(name) ?? '']),
    signal: departure.signal,
  });
}

async function send(res: ExpressResponse, answer: Response): Promise<void> {
  const body = Buffer.from(await answer.arrayBuffer());
  res.status(answer.status);
  if (body.length === 0) return void res.end();
  res.type(answer.headers.get('Content-Type') ?? 'application/json');
  await sendCompressed(res, body);
}
