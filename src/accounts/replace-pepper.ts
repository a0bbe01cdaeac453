import { countOf } from '#text/printed.ts';
import type { AuditLog } from './audit-log.ts';
import { pepperProofOf } from './pepper.ts';
import type { PepperDependents, PepperRecord } from './pepper-record.ts';

/** Dependencies of the work on peppers, and the operator. */
export interface PepperOperation {
  pepper: PepperRecord;
  audit: AuditLog;
  operator: string;
}

/** Makes this the pepper of the store, whatever it was before; returns what was made under the old one. */
export async function replacePepper(
  { pepper: record, audit, operator }: PepperOperation,
  pepper: string,
  now: Date,
): Promise<PepperDependents> {
  const at = now.toISOString();
  const dependents = await record.countDependents();
  const subject = `${countOf(dependents.keys, 'key')}, ${countOf(dependents.orders, 'order')}`;
  await audit.append({ at, operator, action: 'pepper replace', subject, outcome: null });
  await record.replace({ proof: pepperProofOf(pepper), since: at });
  return dependents;
}
