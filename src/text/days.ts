/** A day of UTC, in milliseconds. */
export const dayMs = 24 * 60 * 60 * 1000;

/** The ISO 8601 time so many days after another; before it, if negative. */
export function daysAfter(time: string | Date, days: number): string {
  return new Date(new Date(time).getTime() + days * dayMs).toISOString();
}
