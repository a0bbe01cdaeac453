import type { Order } from '#domain/plans/order.ts';
import type { PaymentEvent } from '#domain/plans/payment-event.ts';

/** An order before there is a place to pay it. */
export type UnpaidOrder = Pick<Order, 'id' | 'tier' | 'price' | 'currency' | 'days' | 'email' | 'createdAt'>;

/** Where an order is paid, and the provider's id for that. */
export interface Checkout {
  url: string;
  reference: string;
}

/** Takes payments. */
export interface PaymentProvider {
  /**
   * Prepares the payment of an order; for the same order it returns the same. Fails with Problem `payment_failed` if
   * the provider cannot be reached or refuses.
   */
  open(order: UnpaidOrder): Promise<Checkout>;
  /**
   * What happened to the payment of an order: nothing if there is no news, or none within five seconds. A payment has
   * the time it succeeded, or `now` if the provider does not know; never earlier.
   */
  look(order: Order, now: Date): Promise<PaymentEvent[]>;
}
