import type { KeyOperation } from './issue-key.ts';
import type { StoredKey } from './stored-key.ts';

/** `ambiguous`: several keys that are not revoked start with it, and none was touched. */
export type Revocation =
  | { outcome: 'revoked'; key: StoredKey }
  | { outcome: 'already_revoked'; key: StoredKey; revokedAt: string }
  | { outcome: 'ambiguous'; candidates: readonly StoredKey[] }
  | { outcome: 'unknown' };

/** Revokes the one key whose shown prefix starts with this. Processes that cache keys refuse it within five seconds. */
export async function revokeKey(
  { keys, audit, operator }: KeyOperation,
  prefix: string,
  now: Date,
): Promise<Revocation> {
  const matches = await keys.list(prefix);
  const [key, ...others] = matches.filter(({ revokedAt }) => revokedAt === null);
  if (key !== undefined && others.length > 0) return { outcome: 'ambiguous', candidates: [key, ...others] };
  if (key !== undefined) {
    await audit.append({ at: now.toISOString(), operator, action: 'keys revoke', subject: key.prefix, outcome: null });
    await keys.revoke(key.hash, now);
    return { outcome: 'revoked', key };
  }
  const [revoked] = matches;
  if (revoked === undefined || revoked.revokedAt === null) return { outcome: 'unknown' };
  return { outcome: 'already_revoked', key: revoked, revokedAt: revoked.revokedAt };
}
