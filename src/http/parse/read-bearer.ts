import { isWellFormedApiKey } from '#domain/plans/api-key.ts';
import { Problem } from '#domain/problem.ts';

/**
 * The key that an Authorization header holds; null without a header. The scheme's case does not matter.
 * Throws Problem `key_invalid` for another scheme and for what cannot be a key, which no store is asked about.
 */
export function readBearer(header: string | undefined): string | null {
  if (header === undefined) return null;
  const key = /^Bearer +(\S+)$/i.exec(header.trim())?.[1];
  if (key === undefined) {
    throw new Problem(
      'key_invalid',
      'The Authorization header must be `Bearer <key>`. Other schemes are not supported.',
    );
  }
  if (!isWellFormedApiKey(key)) {
    throw new Problem('key_invalid', 'This key is incomplete or mistyped. Copy it again.');
  }
  return key;
}
