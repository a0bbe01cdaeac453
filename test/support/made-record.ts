import { emptyRecord } from '#records/fields.ts';
import type { MediaRecord } from '#records/media-record.ts';
import five from './five-media.json' with { type: 'json' };
import known from './known-media.json' with { type: 'json' };
import few from './media.json' with { type: 'json' };

const madeDates = { updated_at: '2026-01-01T00:00:00.000Z', created_at: '2026-01-01T00:00:00.000Z' };

type Given = Partial<MediaRecord> & { id: string };

/** A record for a test: an outlet with only the values that the test sets. */
export function madeRecord(given: Given): MediaRecord {
  const base = emptyRecord(given.id, given.kind ?? 'outlet', given.name ?? `Outlet ${given.id}`);
  return { ...base, ...madeDates, ...given };
}

/** What a record says, without the dates that the service sets. */
export function contentOf(record: MediaRecord | null): Partial<MediaRecord> | null {
  if (record === null) return null;
  const { updated_at, created_at, ...content } = record;
  return content;
}

const madeRecords = (given: object): readonly MediaRecord[] => (given as Given[]).map(madeRecord);

/** Invented media among which the queries of test/relevance/expectations.tsv search. */
export const knownMedia = madeRecords(known);

/** A few media of every kind, most with an address that no masked caller may see. */
export const media = madeRecords(few);

/** All addresses of these media. */
export const addresses = media.flatMap(({ email }) => email ?? []);

/** Five media: at least one of each kind, with values in many fields, of which some are equal and some unknown. */
export const fiveMedia = madeRecords(five);
