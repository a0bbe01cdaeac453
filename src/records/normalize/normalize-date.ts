const wholeDate = /^(\d{4})-(\d{2})-(\d{2})$/;
const isoDate = /^(\d{4})-(\d{1,2})-(\d{1,2})$/;
const isoTime = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?\s?(Z|UTC|GMT|[+-]\d{2}:?\d{2})?$/i;
const slashed = /^(\d{1,4})[/.](\d{1,2})[/.](\d{1,4})$/;

/** Longer text is not a date. */
const maxLength = 100;

const earliest = Date.UTC(1900, 0, 1);
const latest = Date.UTC(2100, 0, 1);
/** The years that have four digits. */
const first = Date.parse('0000-01-01T00:00:00Z');
const last = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * A date or time as ISO 8601 in UTC; null if it is none, is ambiguous (`05/06/2024`) or outside 1900–2099. A date means
 * midnight UTC, a time without a zone is UTC.
 */
export function normalizeDate(text: string): string | null {
  const time = text.length > maxLength ? null : readTime(text.replace(/\s+/g, ' ').trim());
  return time === null || Number.isNaN(time) || time < earliest || time >= latest ? null : new Date(time).toISOString();
}

/**
 * A date or time in a form of ISO 8601, as one in UTC with milliseconds; null for other text, and for days that do not
 * exist. A date means midnight UTC, a time without a zone is UTC.
 */
export function readIsoDate(text: string): string | null {
  const [, year, month, day] = wholeDate.exec(text) ?? [];
  const time = year === undefined ? readTimeOfDay(text) : utcDay(Number(year), Number(month), Number(day));
  return time === null || Number.isNaN(time) ? null : new Date(Math.min(Math.max(time, first), last)).toISOString();
}

function readTimeOfDay(text: string): number | null {
  const zone = isoTime.exec(text);
  return zone === null ? null : readIsoTime(text, zone[1]);
}

function readTime(text: string): number | null {
  const date = isoDate.exec(text);
  if (date) return utcDay(Number(date[1]), Number(date[2]), Number(date[3]));
  const time = isoTime.exec(text);
  if (time) return readIsoTime(text, time[1]);
  const parts = slashed.exec(text);
  return parts === null ? null : readSlashed(Number(parts[1]), Number(parts[2]), Number(parts[3]));
}

function readIsoTime(text: string, zone: string | undefined): number | null {
  const [year = 0, month = 0, day = 0] = text.slice(0, 10).split('-').map(Number);
  if (utcDay(year, month, day) === null) return null;
  const clock = text.slice(11).replace(/\s?(?:Z|UTC|GMT|[+-]\d{2}:?\d{2})$/i, '');
  const offset = zone === undefined || /^[A-Z]+$/i.test(zone) ? 'Z' : zone.replace(/(\d{2}):?(\d{2})$/, '$1:$2');
  return Date.parse(`${text.slice(0, 10)}T${clock}${offset}`);
}

/** Year first, or day and month if only one of them can be the day. */
function readSlashed(first: number, second: number, third: number): number | null {
  if (first > 999) return utcDay(first, second, third);
  if (third < 1_000) return null;
  if (first > 12 || first === second) return utcDay(third, second, first);
  return second > 12 ? utcDay(third, first, second) : null;
}

/** Midnight of a calendar day; null for a nonexistent one, such as 30 February. */
function utcDay(year: number, month: number, day: number): number | null {
  // Date.UTC takes the years from 0 to 99 for those after 1900.
  const date = new Date(new Date(0).setUTCFullYear(year, month - 1, day));
  const exists = date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return exists ? date.getTime() : null;
}
