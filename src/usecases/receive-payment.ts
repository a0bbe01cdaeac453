import type { EventOutcome, PaymentEvent } from '#domain/plans/payment-event.ts';
import type { OrderStore } from '#ports/order-store.ts';

/** Where operators read what became of payments. */
export interface PaymentLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

/**
 * Gives an event of a payment to the orders, from wherever it came, and tells operators what became of it. One that
 * fits no order is kept: money may have been paid for nothing.
 *
 * Throws Problem `store_unavailable` where it could not be kept; then it has to be sent again.
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
