import type { MediaRecord } from './media-record.ts';

/**
 * The date of a change of a record: now. It is later than that of the change before, also where the clock was set back, so
 * that callers who ask what changed since then hear of both.
 */
export function dateOfChange({ updated_at }: Pick<MediaRecord, 'updated_at'>, now: Date): string {
  return new Date(Math.max(now.getTime(), Date.parse(updated_at) + 1)).toISOString();
}

/** The record as of a change that its values do not show, such as being found again. */
export function redated(record: MediaRecord, now: Date): MediaRecord {
  return { ...record, updated_at: dateOfChange(record, now) };
}
