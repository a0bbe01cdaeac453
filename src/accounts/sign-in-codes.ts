import { createHmac, randomInt } from 'node:crypto';
import type { KeyedKind, OpenKeyed } from '#records/keyed-store.ts';
import { isClaimable } from './change-order.ts';
import type { OrderStore } from './order.ts';
import { currentSecretOf, type KeyStore, opens, type StoredKey } from './stored-key.ts';

/**
 * What a code opens: the account of a key, for as long as the secret with this HMAC works; or a paid order, for its buyer: to
 * claim its key, and once that is given out, to sign in to its account.
 */
export type SignInTarget = { account: string; secret: string } | { orderId: string };

/** What it opens now. */
type Opened = { orderId: string } | { key: StoredKey; secret: string };

/** A code that works once, until its end, and as long as it has tries left. Times are ISO 8601, UTC. */
interface SignInCode {
  /** HMAC-SHA-256 of the whole code under KEY_PEPPER, hex. The code itself is stored nowhere. */
  hash: string;
  target: SignInTarget;
  triesLeft: number;
  expiresAt: string;
}

/** A code that a person types from one device into another. */
export const typedCode = { length: 10, minutes: 10 };
/** A code in a link that was mailed. */
export const mailedCode = { length: 32, minutes: 15 };
/** How often a code may be entered wrong, including the last time. */
export const maxTries = 5;

export const signInCodeKind: KeyedKind<SignInCode> = {
  name: 'sign_in_codes',
  orderOf: ({ expiresAt }) => expiresAt,
  livesMs: mailedCode.minutes * 60_000,
};

/** Crockford's base 32: no letters that look like digits. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
/** The first characters of a code tell which one is tried. The others are its secret: 25 random bits or more. */
const nameLength = 5;

/** The code as it was made, from what somebody typed. */
function readCode(typed: string): string {
  return typed.toUpperCase().replace(/[\s-]/g, '').replace(/O/g, '0').replace(/[IL]/g, '1');
}

/** Codes that sign in another device without showing a key. */
export class SignInCodes {
  readonly #codes;

  constructor(open: OpenKeyed) {
    this.#codes = open(signInCodeKind);
  }

  /** A new code for this target. It is shown once. */
  async make(
    target: SignInTarget,
    { length, minutes }: typeof typedCode,
    pepper: string,
    now: Date,
  ): Promise<{ code: string; expiresAt: string }> {
    const expiresAt = new Date(now.getTime() + minutes * 60_000).toISOString();
    for (;;) {
      const code = Array.from({ length }, () => alphabet.charAt(randomInt(alphabet.length))).join('');
      const signInCode = { hash: digest(code, pepper), target, triesLeft: maxTries, expiresAt };
      const stored = await this.#codes.change(nameOf(code, pepper), (other) =>
        other !== null && isAlive(other, now) ? other : signInCode,
      );
      if (stored?.hash === signInCode.hash) return { code, expiresAt };
    }
  }

  /** Uses a code, in capitals or not, with dashes or not. Null for one that is wrong, used, over or out of tries. */
  async use(typed: string, pepper: string, now: Date): Promise<SignInTarget | null> {
    const code = readCode(typed);
    const hash = digest(code, pepper);
    let target: SignInTarget | null = null;
    await this.#codes.change(nameOf(code, pepper), (stored) => {
      target = null;
      if (stored === null || !isAlive(stored, now)) return null;
      if (stored.hash !== hash) return stored.triesLeft === 1 ? null : { ...stored, triesLeft: stored.triesLeft - 1 };
      target = stored.target;
      return null;
    });
    return target;
  }
}

/** What the target of a code opens now; null if that has ended. */
export async function openTarget(
  { orders, keys }: { orders: Pick<OrderStore, 'find'>; keys: Pick<KeyStore, 'find'> },
  target: SignInTarget,
  now: Date,
): Promise<Opened | null> {
  if ('account' in target) {
    const key = await keys.find(target.account);
    return key !== null && opens(key, target.secret, now) ? { key, secret: target.secret } : null;
  }
  const order = await orders.find(target.orderId);
  if (order === null || isClaimable(order)) return order && target;
  const hash = order.keyHash ?? order.renewsHash;
  const key = hash === null ? null : await keys.find(hash);
  return key !== null && key.revokedAt === null ? { key, secret: currentSecretOf(key) } : null;
}

function isAlive({ expiresAt }: SignInCode, now: Date): boolean {
  return now.toISOString() < expiresAt;
}

function nameOf(code: string, pepper: string): string {
  return digest(code.slice(0, nameLength), pepper);
}

function digest(text: string, pepper: string): string {
  return createHmac('sha256', pepper).update(`sign-in code: ${text}`).digest('hex');
}
