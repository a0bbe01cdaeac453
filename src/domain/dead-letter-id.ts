import { hash } from 'node:crypto';
import { holdsAddress } from './addresses/scrub-addresses.ts';
import { textLimits } from './normalize/text-limits.ts';

/** An id as dead letters and the audit log show it: other tools may have put an address there. */
export function deadLetterId(id: string): string {
  return id.length > textLimits.id || id.includes('@') || holdsAddress(id)
    ? `sha256 ${hash('sha256', id, 'base64url')}`
    : id;
}
