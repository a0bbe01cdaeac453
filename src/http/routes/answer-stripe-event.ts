import type { RequestHandler } from 'express';
import { receivePayment } from '#usecases/receive-payment.ts';
import type { AppDeps, ReadStripeEvent } from '../app-deps.ts';
import { stateOf } from '../request-state.ts';

/**
 * POST /webhooks/stripe: an event of a payment, kept by its id and applied once. Answered with 200 only when that is
 * done, since Stripe sends again what was answered otherwise.
 */
export function answerStripeEvent({ orders, log, now }: AppDeps, readEvent: ReadStripeEvent): RequestHandler {
  return async (req, res) => {
    const event = readEvent(bytesOf(req.body), req.get('Stripe-Signature') ?? '', now());
    const deps = { orders, log: log.child({ request_id: stateOf(res).requestId }) };
    const outcome = event === null ? 'ignored' : await receivePayment(deps, event, now());
    res.json({ outcome });
  };
}

/** A request without a body has none that could be signed. */
function bytesOf(body: unknown): Buffer {
  return Buffer.isBuffer(body) ? body : Buffer.alloc(0);
}
