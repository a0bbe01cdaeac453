import type { OrderStore } from './order-store.ts';
import type { EventOutcome, PaymentEvent } from './payment-event.ts';

/** Where operators read what happened to payments. */
export interface PaymentLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

/**
 * Passes a payment event from any source to the orders, and logs what happened to it. One that matches no order is
 * held: money may have been paid for nothing.
 *
 * Throws Problem `store_unavailable` if it could not be stored; then it must be sent again.
 */
export async function receivePayment(
  { orders, log }: { orders: Pick<OrderStore, 'receive'>; log: PaymentLog },
  event: PaymentEvent,
  now: Date,
): Promise<EventOutcome> {
  const outcome = await orders.receive(event, now);
  const { id, effect, orderId: order, checkout, payment } = event;
  const fields = { event: id, effect, order, checkout, payment, outcome };
  if (outcome === 'held') log.warn(fields, 'a payment event matches no order: it is held');
  else log.info(fields, 'payment event');
  return outcome;
}
