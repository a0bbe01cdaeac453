import type { MediaRecord } from '#records/media-record.ts';
import { parseTextQuery } from '#search/parse-text-query.ts';
import { madeRecord } from './made-record.ts';

/** Records that each query here finds, for tests in which nobody changes them. */
export const steady = (count: number): MediaRecord[] =>
  Array.from({ length: count }, (_, place) =>
    madeRecord({ id: `s${place}`, name: `Herald ${place}`, country: 'DE', categories: ['arts'], audience: place }),
  );

export const page = { sort: { key: 'name', reversed: false }, offset: 0, limit: 100 } as const;
export const everything = { text: null, filters: [] };
export const inGermany = { text: null, filters: [{ field: 'country', any: ['DE'], none: [] }] } as const;
/** By full text, and by a word that only the vocabulary of the index corrects. */
export const byText = ['herald', 'heralt'].map((typed) => ({ text: parseTextQuery(typed), filters: [] }));
