import { hash } from 'node:crypto';
import { normalForm } from '#text/fold.ts';
import { holdsAddress } from '../addresses/scrub-addresses.ts';
import { isPlaceholder } from './placeholders.ts';
import { textLimits } from './text-limits.ts';

export type IdFault = 'unreadable' | 'too_long' | 'control_characters' | 'address_in_id';

const unprintable =
  /[\p{Cc}\p{Zl}\p{Zp}\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufdd0-\ufdef\ufffe\uffff\u{e0000}-\u{e007f}]/u;

/**
 * An id in stored form: trimmed, NFC, case kept; an integer becomes its digits, so 7 and "7" are the same. null if
 * there is none (empty, `N/A`, …). Every caller sees ids, so they must not contain an address.
 */
export function normalizeId(value: unknown): { id: string | null } | { fault: IdFault } {
  if (value === undefined || value === null) return { id: null };
  if (typeof value !== 'string' && !Number.isSafeInteger(value)) return { fault: 'unreadable' };
  const text = String(value).trim();
  if (text.length > 4 * textLimits.id) return { fault: 'too_long' };
  const id = normalForm(text, 'NFC');
  if (id === '' || isPlaceholder(id)) return { id: null };
  if (id.length > textLimits.id) return { fault: 'too_long' };
  if (unprintable.test(id) || !id.isWellFormed()) return { fault: 'control_characters' };
  return holdsAddress(id) ? { fault: 'address_in_id' } : { id };
}

/** An id as dead letters and the audit log show it: other tools may have put an address there. */
export function deadLetterId(id: string): string {
  return id.length > textLimits.id || id.includes('@') || holdsAddress(id)
    ? `sha256 ${hash('sha256', id, 'base64url')}`
    : id;
}
