import { randomBytes } from 'node:crypto';

/** A new order's id: `ord_` and 128 random bits in hexadecimal. It stands in URLs, so it is no secret, but no guess. */
export function newOrderId(): string {
  return `ord_${randomBytes(16).toString('hex')}`;
}
