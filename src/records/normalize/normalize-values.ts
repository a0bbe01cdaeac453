import { hash } from 'node:crypto';
import { normalForm } from '#text/fold.ts';
import { holdsAddress } from '../addresses/scrub-addresses.ts';
import { isPlaceholder, textLimits } from './clean-text.ts';
import { findFactor } from './source-words.ts';

/** Maximum length of a number or date. */
const maxLength = 100;

/** A number in a usual spelling, with a multiplier: `12,500`, `~1.2M`, `12 500+`, `1,5 million`, `5万部`. */
const count = /^[~≈<>≥≤約约]? ?(\d+(?:[.,'’ ]\d+)*) ?(?![部份人名])(\p{L}+?)?\.? ?[部份人名]?\+?$/iu;
/** In India `1,20,000`. */
const grouped = /^\d{1,3}([.,'’ ])\d{3}(?:\1\d{3})*$|^\d{1,2}(?:,\d{2})+,\d{3}$/;
const wholeNumber = /^\d+(?:\.\d+)?$/;
const decimal = /^\d+(?:[.,]\d+)?$/;

/** No medium has a larger audience: it is a typo or a phone number. */
const maxCount = 10_000_000_000;

/** An integer number of people from `12,500`, `12.500`, `1.2M` or `12k`; null if the text is not one. */
export function normalizeCount(text: string): number | null {
  const match = text.length > maxLength ? null : count.exec(text.replace(/\s+/g, ' ').trim());
  if (!match) return null;
  const digits = match[1] ?? '';
  const word = match[2];
  const factor = word === undefined ? 1 : Number(findFactor(word) ?? Number.NaN);
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
  return wholeNumber.test(ungrouped) ? Number(ungrouped) : null;
}

const calendarDate = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/;
const dayOrMonthFirst = /^(\d{1,2})[/.](\d{1,2})[/.](\d{4})$/;
const isoForm = /^\d{4}-\d{2}-\d{2}(?:$|[T ])/i;
const time = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)\s?(?:Z|UTC|GMT|([+-]\d{2}):?(\d{2}))?$/i;

const earliest = Date.UTC(1900, 0, 1);
const latest = Date.UTC(2100, 0, 1);
/** The years that have four digits. */
const first = Date.parse('0000-01-01T00:00:00Z');
const last = Date.parse('9999-12-31T23:59:59.999Z');

/** ISO 8601 in UTC. A date means midnight. Null for other text, an ambiguous date (`05/06/2024`), or a year not in 1900–2099. */
export function normalizeDate(text: string): string | null {
  const moment = text.length > maxLength ? Number.NaN : readTime(text.replace(/\s+/g, ' ').trim());
  return moment >= earliest && moment < latest ? new Date(moment).toISOString() : null;
}

/** Reads only forms of ISO 8601, but any year with four digits. */
export function readIsoDate(text: string): string | null {
  const moment = isoForm.test(text) ? readTime(text) : Number.NaN;
  return Number.isNaN(moment) ? null : new Date(Math.min(Math.max(moment, first), last)).toISOString();
}

/** In milliseconds; NaN if it is not a date, or a day that does not exist. */
function readTime(text: string): number {
  const [, day = '', clock, hours = '+00', minutes = '00'] = time.exec(text) ?? [];
  if (clock !== undefined && !Number.isNaN(readTime(day))) return Date.parse(`${day}T${clock}${hours}:${minutes}`);
  const [, year, month, date] = calendarDate.exec(text) ?? [];
  if (year !== undefined) return utcDay(Number(year), Number(month), Number(date));
  const [firstNumber, secondNumber, ofYear] = (dayOrMonthFirst.exec(text) ?? []).slice(1).map(Number);
  if (firstNumber === undefined || secondNumber === undefined || ofYear === undefined) return Number.NaN;
  // Only one of them can be the day, or they are the same.
  if (firstNumber > 12 || firstNumber === secondNumber) return utcDay(ofYear, secondNumber, firstNumber);
  return secondNumber > 12 ? utcDay(ofYear, firstNumber, secondNumber) : Number.NaN;
}

/** Midnight of a calendar day; NaN for a nonexistent one, such as 30 February. */
function utcDay(year: number, month: number, day: number): number {
  // Date.UTC takes the years from 0 to 99 for those after 1900.
  const date = new Date(new Date(0).setUTCFullYear(year, month - 1, day));
  const exists = date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return exists ? date.getTime() : Number.NaN;
}

export type IdFault = 'unreadable' | 'too_long' | 'control_characters' | 'address_in_id';

const unprintable =
  /[\p{Cc}\p{Zl}\p{Zp}\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufdd0-\ufdef\ufffe\uffff\u{e0000}-\u{e007f}]/u;

/** Trimmed, NFC, case kept; 7 becomes "7"; null if empty or `N/A`. Every caller sees ids, so they hold no address. */
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
