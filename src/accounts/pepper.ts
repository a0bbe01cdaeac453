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

/** No key, claim token or reservation is derived from this text. */
const knownText = 'masthead: the pepper of this store';

/** The proof by which a store recognizes its pepper: HMAC-SHA-256 of a known text under the pepper, base64url. */
export function pepperProofOf(pepper: string): string {
  return createHmac('sha256', pepper).update(knownText).digest('base64url');
}
