import type { RequestHandler } from 'express';
import type { AppDeps, ReadStripeEvent } from '../app-deps.ts';
import { stateOf } from '../request-state.ts';

/**
 * POST /webhooks/stripe: an event of a payment, kept by its id and applied once. Answered with 200 only when that is
 * done, since Stripe sends again what was answered otherwise.
 */
export function answerStripeEvent({ orders, log, now }: AppDeps, readEvent: ReadStripeEvent): RequestHandler {
  return async (req, res) => {
    const event = readEvent(bytesOf(req.body), req.get('Stripe-Signature') ?? '', now());
    const outcome = event === null ? 'ignored' : await orders.receive(event, now());
    if (event !== null) {
      const { id, effect, orderId } = event;
      const fields = { request_id: stateOf(res).requestId, event: id, effect, order: orderId, outcome };
      if (outcome === 'held') log.warn(fields, 'a payment event belongs to no known order: it is kept');
      else log.info(fields, 'payment event');
    }
    res.json({ outcome });
  };
}

/** A request without a body has none that could be signed. */
function bytesOf(body: unknown): Buffer {
  return Buffer.isBuffer(body) ? body : Buffer.alloc(0);
}
