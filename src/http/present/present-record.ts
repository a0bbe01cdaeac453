import { fields } from '#domain/fields.ts';
import type { MediaRecord } from '#domain/media-record.ts';

const keys = fields.map((field) => field.key);

/** The record with exactly the registry's keys, in their order. */
export function presentRecord(record: MediaRecord): MediaRecord {
  return Object.fromEntries(keys.map((key) => [key, record[key]])) as unknown as MediaRecord;
}
