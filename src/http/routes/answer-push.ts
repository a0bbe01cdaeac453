import type { RequestHandler } from 'express';
import { Problem } from '#domain/problem.ts';
import { pushLeads } from '#usecases/push-leads.ts';
import { ProcessRoom } from '#usecases/take-slot.ts';
import type { AppDeps } from '../app-deps.ts';
import { readPushBody } from '../parse/push-body.ts';
import { readIdempotencyKey } from '../parse/read-idempotency-key.ts';
import { readParameters } from '../parse/read-parameters.ts';
import { noParameters } from '../parse/search-parameters.ts';
import { presentPush } from '../present/present-push.ts';
import { keyOf } from '../request-state.ts';

/** POST /export/push: the leads of an export, into a campaign of an outbound tool. */
export function answerPush(deps: AppDeps): RequestHandler {
  const room = new ProcessRoom(deps.pushMaxAtOnce);
  return async (req, res) => {
    readParameters(req.originalUrl, noParameters);
    const idempotencyKey = readIdempotencyKey(req.get('Idempotency-Key'));
    const push = await pushLeads({ ...deps, room }, { ...readPushBody(req.body), idempotencyKey }, keyOf(res));
    const answer = presentPush(push);
    if (push.failure !== null) throw new Problem(push.failure.code, push.failure.detail, { push: answer });
    res.json(answer);
  };
}
