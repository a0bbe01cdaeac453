import { createHmac, timingSafeEqual } from 'node:crypto';

/** The buyer's proof for reading an order: derived from its id (contract A7), never stored. */
export function claimTokenOf(orderId: string, pepper: string): string {
  return createHmac('sha256', pepper).update(`claim:${orderId}`).digest('base64url');
}

/** Whether the text is the order's claim token; compares in constant time. */
export function isClaimToken(text: string, orderId: string, pepper: string): boolean {
  const expected = Buffer.from(claimTokenOf(orderId, pepper));
  const given = Buffer.from(text);
  return given.length === expected.length && timingSafeEqual(given, expected);
}
