import type { Order } from '#domain/plans/order.ts';
import type { PaymentEvent } from '#domain/plans/payment-event.ts';

/** An order before there is a place to pay it. */
export type UnpaidOrder = Pick<Order, 'id' | 'tier' | 'price' | 'currency' | 'days' | 'email' | 'createdAt'>;

/** Where an order is paid, and what the provider calls that. */
export interface Checkout {
  url: string;
  reference: string;
}

/** Takes payments. */
export interface PaymentProvider {
  /**
   * Prepares the payment of an order; asked again for the same order, it answers the same.
   * Fails with Problem `payment_failed` when the provider cannot be reached or refuses.
   */
  open(order: UnpaidOrder): Promise<Checkout>;
  /**
   * What became of the payment of an order: nothing where there is no news, or none to be had within five seconds.
   * A payment is dated when it succeeded, or at `now` where the provider does not know; never earlier.
   */
  look(order: Order, now: Date): Promise<PaymentEvent[]>;
}
