import { createHmac, timingSafeEqual } from 'node:crypto';
import type { KeyedKind, OpenKeyed } from '#records/keyed-store.ts';
import type { AuditLog } from './audit.ts';

/** What opens one thing, such as an order, for whoever has it. Derived under the pepper and never stored. */
export function tokenOf(text: string, pepper: string): string {
  return createHmac('sha256', pepper).update(text).digest('base64url');
}

/** Whether two tokens are the same; compares in constant time. */
export function isToken(text: string, token: string): boolean {
  const [sent, expected] = [Buffer.from(text), Buffer.from(token)];
  return sent.length === expected.length && timingSafeEqual(sent, expected);
}

/** What a buyer needs to read an order (contract A7). */
export function claimTokenOf(orderId: string, pepper: string): string {
  return tokenOf(`claim:${orderId}`, pepper);
}

/** Its HMAC shows whether two peppers are the same. Nothing else is derived from this text. */
const knownText = 'masthead: the pepper of this store';

interface KeptProof {
  proof: string;
  since: string;
}

export const proofKind: KeyedKind<KeptProof> = { name: 'key_pepper', orderOf: ({ since }) => since };

/** Which pepper made the keys and orders of a store. */
export class PepperRecord {
  readonly #proofs;

  constructor(open: OpenKeyed) {
    this.#proofs = open(proofKind);
  }

  find(): Promise<KeptProof | null> {
    return this.#proofs.find('proof');
  }

  /**
   * Since when the store has used another pepper; null if it uses this one. A store without a pepper takes this one. If several
   * processes bring different ones at once, one process wins.
   */
  async findOther(pepper: string, now: Date): Promise<string | null> {
    const ownProof = { proof: tokenOf(knownText, pepper), since: now.toISOString() };
    const storedProof = await this.#proofs.change('proof', (stored) => stored ?? ownProof);
    return storedProof === null || storedProof.proof === ownProof.proof ? null : storedProof.since;
  }

  /** Makes this the pepper of the store. Keys and orders made with another one stop working. */
  async replace(pepper: string, { audit, operator }: { audit: AuditLog; operator: string }, now: Date): Promise<void> {
    const since = now.toISOString();
    await audit.append({ at: since, operator, action: 'pepper replace', subject: 'the key pepper', outcome: null });
    await this.#proofs.change('proof', () => ({ proof: tokenOf(knownText, pepper), since }));
  }
}
