import { createHmac, timingSafeEqual } from 'node:crypto';
import type { KeyedKind, OpenKeyed } from '#records/keyed-store.ts';
import type { AuditLog } from './audit.ts';

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

function pepperProofOf(pepper: string): string {
  return createHmac('sha256', pepper).update(knownText).digest('base64url');
}

export interface KeptProof {
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
   * Since when the store is used under another pepper; null if this is its pepper. The first one becomes that: of several
   * processes that come first under different peppers, one.
   */
  async findOther(pepper: string, now: Date): Promise<string | null> {
    const given = { proof: pepperProofOf(pepper), since: now.toISOString() };
    const kept = await this.#proofs.change('proof', (known) => known ?? given);
    return kept === null || kept.proof === given.proof ? null : kept.since;
  }

  /** Makes this the pepper of the store, whatever it was before. What was made under another stops working. */
  async replace(pepper: string, { audit, operator }: { audit: AuditLog; operator: string }, now: Date): Promise<void> {
    const since = now.toISOString();
    await audit.append({ at: since, operator, action: 'pepper replace', subject: 'the key pepper', outcome: null });
    await this.#proofs.change('proof', () => ({ proof: pepperProofOf(pepper), since }));
  }
}
