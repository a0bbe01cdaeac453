import { fields } from '#domain/fields.ts';
import type { MediaRecord } from '#domain/media-record.ts';

const keys = fields.map((field) => field.key);

/** The record with exactly the registry's keys, in their order. */
export function presentRecord(record: MediaRecord): MediaRecord {
  // A loop, since it takes a quarter of the time of Object.fromEntries, and a page holds up to a hundred records.
  const presented: Record<string, unknown> = {};
  for (const key of keys) presented[key] = record[key];
  return presented as unknown as MediaRecord;
}
