import { Problem } from '#src/problem.ts';
import { generateApiKey, identifyKey } from './api-key.ts';
import type { KeyStore } from './key-store.ts';
import { endOfSecret, rotateSecret, type StoredKey } from './stored-key.ts';

export interface Rotation {
  /** To be shown once: it is never stored. */
  key: string;
  stored: StoredKey;
  /** When the secret that was sent stops working, ISO 8601. */
  sentEndsAt: string;
}

/**
 * Gives a key a new secret; the one before goes on for the overlap (contract A15). If the holder sends the new one within
 * an overlap that runs, that one ends at once.
 *
 * @param sent the HMAC of the secret that the holder sent
 * @throws Problem `key_invalid` if that secret was replaced or revoked meanwhile
 */
export async function rotateKey(
  { keys, pepper }: { keys: KeyStore; pepper: string },
  { hash }: StoredKey,
  sent: string,
  overlapHours: number,
  now: Date,
): Promise<Rotation> {
  const key = generateApiKey();
  const next = identifyKey(key, pepper);
  const stored = await keys.rotate(hash, (current) => rotateSecret(current, sent, next, overlapHours, now));
  if (stored === null) throw new Problem('key_invalid', 'This key was replaced or revoked a moment ago.');
  return { key, stored, sentEndsAt: endOfSecret(stored, sent) ?? now.toISOString() };
}
