import type { Request, RequestHandler } from 'express';
import { readOrder } from '#usecases/read-order.ts';
import type { AppDeps } from '../app-deps.ts';
import { orderParameters } from '../parse/order-parameters.ts';
import { readParameters } from '../parse/read-parameters.ts';
import { presentOrder } from '../present/present-order.ts';

/** GET /orders/{id}: the order, and the first time after its payment its key. */
export function answerOrder(deps: AppDeps): RequestHandler<{ id: string }> {
  return async (req, res) => {
    const { claimToken } = readParameters(req.originalUrl, orderParameters).values;
    const request = { orderId: req.params.id, claimToken, mayClaim: isSeen(req) };
    res.json(presentOrder(await readOrder(deps, request, deps.now())));
  };
}

/** What browsers and others send with a request made ahead of need: the standard's header, and the older ones. */
const prefetchHeaders = ['Sec-Purpose', 'Purpose', 'X-Purpose', 'X-Moz'];

/** Whether somebody will see the answer's body. */
function isSeen(req: Request<{ id: string }>): boolean {
  return req.method !== 'HEAD' && !prefetchHeaders.some((name) => /prefetch|preview/i.test(req.get(name) ?? ''));
}
