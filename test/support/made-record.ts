import { emptyRecord } from '#records/fields.ts';
import type { MediaRecord } from '#records/media-record.ts';
import known from './known-media.json' with { type: 'json' };

/** A record for a test: an outlet with only the values that the test sets. */
export function madeRecord(given: Partial<MediaRecord> & { id: string }): MediaRecord {
  const base = emptyRecord(given.id, given.kind ?? 'outlet', given.name ?? `Outlet ${given.id}`);
  return { ...base, updated_at: '2026-01-01T00:00:00.000Z', ...given };
}

/** Invented media among which the queries of test/relevance/expectations.tsv search. */
export const knownMedia = (known as (Partial<MediaRecord> & { id: string })[]).map(madeRecord);
