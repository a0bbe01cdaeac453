import { holdsAddress } from '#domain/addresses/scrub-addresses.ts';
import { normalForm } from '#domain/normal-form.ts';
import { isPlaceholder } from './placeholders.ts';
import { textLimits } from './text-limits.ts';

export type IdFault = 'unreadable' | 'too_long' | 'control_characters' | 'address_in_id';

const unprintable =
  /[\p{Cc}\p{Zl}\p{Zp}\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufdd0-\ufdef\ufffe\uffff\u{e0000}-\u{e007f}]/u;

/**
 * An id as it is kept: trimmed, NFC, its case kept; a whole number becomes its digits, so that 7 and "7" are one.
 * null where there is none (empty, `N/A`, …). An id is shown to every caller, so it may hold no address.
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
