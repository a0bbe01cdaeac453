import { createHmac } from 'node:crypto';

/** No key, claim token or reservation is derived from this text. */
const knownText = 'masthead: the pepper of this store';

/** The proof by which a store recognizes its pepper: HMAC-SHA-256 of a known text under the pepper, base64url. */
export function pepperProofOf(pepper: string): string {
  return createHmac('sha256', pepper).update(knownText).digest('base64url');
}
