import type { RequestHandler } from 'express';
import { claimTokenOf } from '#domain/plans/claim-token.ts';
import { startCheckout } from '#usecases/start-checkout.ts';
import type { AppDeps } from '../app-deps.ts';
import { checkoutBody } from '../parse/checkout-body.ts';
import { readIdempotencyKey } from '../parse/read-idempotency-key.ts';
import { readFields } from '../parse/read-json-body.ts';
import { readParameters } from '../parse/read-parameters.ts';
import { noParameters } from '../parse/search-parameters.ts';
import { presentCheckout } from '../present/present-order.ts';

/** POST /checkout: an order, and where to pay it. */
export function answerCheckout(deps: AppDeps): RequestHandler {
  return async (req, res) => {
    readParameters(req.originalUrl, noParameters);
    const idempotencyKey = readIdempotencyKey(req.get('Idempotency-Key'));
    const { tier, email } = readFields(req.body, checkoutBody);
    const order = await startCheckout(deps, { tier, email, idempotencyKey }, deps.now());
    res.json(presentCheckout(order, claimTokenOf(order.id, deps.pepper)));
  };
}
