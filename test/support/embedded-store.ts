import { openIndexer } from '#indexer/open-indexer.ts';
import type { MediaRecord } from '#records/media-record.ts';
import { understand } from '#search/understanding/understand.ts';
import { madeRecord } from './made-record.ts';

/**
 * Creates a data folder with one record, so that a service that starts there does not load the sample: that takes longer than
 * most tests.
 */
export async function makeDataFolder(dataDir: string): Promise<void> {
  const backends = await openIndexer({ dataDir });
  await backends.records.merge([madeRecord({ id: 'only', name: 'The Only Herald', email: 'desk@only.example' })]);
  await backends.close();
}

/** Records that nobody changes during a test, so every query below must always find them. */
export const steady = (count: number): MediaRecord[] =>
  Array.from({ length: count }, (_, place) =>
    madeRecord({ id: `s${place}`, name: `Herald ${place}`, country: 'DE', categories: ['arts'], audience: place }),
  );

export const page = { sort: { key: 'name', reversed: false }, offset: 0, limit: 100 } as const;
export const inGermany = { text: null, filters: [{ field: 'country', any: ['DE'], none: [] }] } as const;
/** A query for the full text, and one with a typo that only the vocabulary of the index can correct. */
export const byText = ['herald', 'heralt'].map((typed) => ({ text: understand(typed), filters: [] }));
