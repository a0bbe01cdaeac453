import { html } from '../dom.js';
import { date, word, writePrice } from '../words.js';

/**
 * What the API says of an order. `key_claimed_at` and `renews`: only to those who have its claim token.
 * @typedef {{ order_id: string, status: 'pending' | 'paid' | 'refunded' | 'expired' | 'failed', tier: string, price: number, currency: string, created_at: string, paid_at: string | null, key_claimed_at?: string | null, renews?: string | null }} Order
 */

const states = {
  pending: 'not paid yet',
  paid: 'paid',
  refunded: 'refunded',
  expired: 'checkout expired',
  failed: 'payment failed',
};

/** An order as its buyer knows it: plan, price, day and state. @param {{ order: Order }} props */
export function OrderLine({ order: { tier, price, currency, created_at, paid_at, status } }) {
  return html`<strong>${word(tier)}</strong>, ${writePrice(price, currency)}, ${date(paid_at ?? created_at)}, ${states[status]}`;
}
