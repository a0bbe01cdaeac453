import type { Response } from 'express';
import type { Caller, StoredKey } from '#accounts/stored-key.ts';
import { Problem } from '#src/problem.ts';

/** What the guards find out about a request, for the steps after them. */
interface RequestState {
  requestId: string;
  /** The caller, or why it is refused: allowance used up, invalid key, key store down. Absent outside /api/v1. */
  admission?: { caller: Caller } | { refusal: Problem };
  /** The HMAC of the secret that the caller sent. Absent without a valid key. */
  secret?: string;
  speaksJsonRpc?: true;
}

export function stateOf(res: Response): RequestState {
  return res.locals as RequestState;
}

/** Throws why the caller is refused: 429, 401 or 503. */
export function requireAdmission(res: Response): void {
  const { admission } = stateOf(res);
  if (admission && 'refusal' in admission) throw admission.refusal;
}

export function callerOf(res: Response): Caller {
  const { admission } = stateOf(res);
  if (admission === undefined || 'refusal' in admission) throw new Error('The caller was not admitted.');
  return admission.caller;
}

/** The caller's key. Throws Problem `key_missing` if there is none. */
export function keyOf(res: Response): StoredKey {
  const { key } = callerOf(res);
  if (key !== null) return key;
  throw new Problem('key_missing', 'This request needs a key. Send it in the header `Authorization: Bearer <key>`.');
}

/** The HMAC of the secret that the caller sent: the key's current one, or the one before it. */
export function secretOf(res: Response): string {
  const { secret } = stateOf(res);
  if (secret === undefined) throw new Error('The route does not require a key.');
  return secret;
}
