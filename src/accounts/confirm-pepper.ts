import { pepperProofOf } from './pepper.ts';
import type { KeptProof, PepperDependents, PepperRecord } from './pepper-record.ts';

/**
 * `confirmed`: it is the pepper of this store, recorded earlier or, if nothing was made under any, now. `trusted`: an
 * earlier version made keys or orders without recording a pepper, so this one was recorded as theirs, unproven.
 * `unproven`: the same, but it was not to be recorded. `different`: the store has been used under another pepper.
 */
export type PepperConfirmation =
  | { outcome: 'confirmed' }
  | { outcome: 'trusted'; dependents: PepperDependents }
  | { outcome: 'unproven'; dependents: PepperDependents }
  | { outcome: 'different'; kept: KeptProof; dependents: PepperDependents };

/**
 * Compares the pepper with the one that the store was used under before. A store that has recorded none yet records this
 * one; of processes that do so at once under different peppers, one has it confirmed.
 *
 * @param mayTrust whether the pepper may be recorded for keys and orders that an earlier version made
 */
export async function confirmPepper(
  record: PepperRecord,
  pepper: string,
  { mayTrust, now }: { mayTrust: boolean; now: Date },
): Promise<PepperConfirmation> {
  const given = { proof: pepperProofOf(pepper), since: now.toISOString() };
  const known = await record.find();
  const dependents = await record.countDependents();
  const hasDependents = dependents.keys + dependents.orders > 0;
  if (known === null && hasDependents && !mayTrust) return { outcome: 'unproven', dependents };
  const kept = known ?? (await record.keep(given));
  if (kept.proof !== given.proof) return { outcome: 'different', kept, dependents };
  return known === null && hasDependents ? { outcome: 'trusted', dependents } : { outcome: 'confirmed' };
}
