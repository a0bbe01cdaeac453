import type { Visibility } from '#domain/masking.ts';
import { isActive } from './plan.ts';
import type { StoredKey } from './stored-key.ts';

/** The caller: anonymous, or the holder of an existing key that is not revoked. */
export type Caller = { key: null } | { key: StoredKey };

export const anonymous: Caller = { key: null };

/** Full addresses require an active plan. */
export function visibilityFor(caller: Caller, now: Date): Visibility {
  return caller.key !== null && isActive(caller.key.plan, now) ? 'full' : 'masked';
}
