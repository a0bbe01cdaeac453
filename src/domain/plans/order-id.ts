import { randomBytes } from 'node:crypto';

/**
 * A new order's id: `ord_` and 128 random bits in hexadecimal. It appears in URLs, so it is not a secret, but it cannot
 * be guessed.
 */
export function newOrderId(): string {
  return `ord_${randomBytes(16).toString('hex')}`;
}
