/** By the first letter of the multiplier. */
const factors: Readonly<Record<string, number>> = { k: 1e3, t: 1e3, m: 1e6, b: 1e9 };

/** A number in a usual spelling, with a multiplier: `12,500`, `~1.2M`, `12 500+`, `1,5 million`. */
const count = /^[~≈<>≥≤]? ?(\d+(?:[.,'’ ]\d+)*) ?(k|thousand|m|mio|mn|million|b|bn|billion)?\.? ?\+?$/i;
const grouped = /^\d{1,3}([.,'’ ])\d{3}(?:\1\d{3})*$/;
const whole = /^\d+(?:\.\d+)?$/;
const decimal = /^\d+(?:[.,]\d+)?$/;

/** No medium has a larger audience: it is a typo or a phone number. */
const maxCount = 10_000_000_000;
/** Longer text is not a number. */
const maxLength = 100;

/** An integer number of people from `12,500`, `12.500`, `1.2M` or `12k`; null if the text is not one. */
export function normalizeCount(text: string): number | null {
  const match = text.length > maxLength ? null : count.exec(text.replace(/\s+/g, ' ').trim());
  if (!match) return null;
  const digits = match[1] ?? '';
  const factor = factors[match[2]?.charAt(0).toLowerCase() ?? ''] ?? 1;
  const number = readNumber(digits, factor);
  // 1.1 million is 1,100,000.0000000001 in floating point; half a person is nobody.
  const product = number === null ? Number.NaN : number * factor;
  const people = Math.round(product);
  if (!(Math.abs(product - people) < 1e-6)) return null;
  return people >= 0 && people <= maxCount ? people : null;
}

/** `1.500` is fifteen hundred; `1.500 M` could be 1.5 or 1,500 million, so it is rejected. */
function readNumber(digits: string, factor: number): number | null {
  if (grouped.test(digits)) return factor === 1 ? Number(digits.replace(/\D/g, '')) : null;
  if (factor > 1) return decimal.test(digits) ? Number(digits.replace(',', '.')) : null;
  const ungrouped = /^\d{1,3}(?:,\d{3})+\.\d+$/.test(digits) ? digits.replaceAll(',', '') : digits;
  return whole.test(ungrouped) ? Number(ungrouped) : null;
}
