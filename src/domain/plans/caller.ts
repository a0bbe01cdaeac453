import type { Visibility } from '#domain/masking.ts';
import { isActive } from './plan.ts';
import type { StoredKey } from './stored-key.ts';

/** Who asks: nobody known, or the holder of a key that exists and is not revoked. */
export type Caller = { key: null } | { key: StoredKey };

export const anonymous: Caller = { key: null };

/** Whole addresses only under a plan that runs. */
export function visibilityFor(caller: Caller, now: Date): Visibility {
  return caller.key !== null && isActive(caller.key.plan, now) ? 'full' : 'masked';
}
