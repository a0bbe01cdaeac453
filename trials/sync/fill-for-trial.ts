import type { Collection, Document } from 'mongodb';

/** How many records nobody changes, and what finds just them. */
export const steady = {
  count: 300,
  query: { text: null, filters: [{ field: 'country', any: ['IS'], none: [] }] },
} as const;

const batchSize = 5_000;

/** Stores records that nobody changes, and every other one of those to be written; returns the ids of the latter. */
export async function fillForTrial(
  { collection }: { collection: Collection<Document & { _id: string }> },
  records: number,
): Promise<string[]> {
  const kept = Array.from({ length: steady.count }, (_, place) => ({
    _id: `steady-${place}`,
    kind: 'outlet',
    name: `Steady ${place}`,
    country: 'IS',
    country_name: 'Iceland',
    continent: 'europe',
  }));
  await collection.insertMany(kept);
  const ids = Array.from({ length: records }, (_, place) => `written-${place}`);
  for (let start = 0; start < records; start += batchSize) {
    const batch = ids.slice(start, start + batchSize).filter((_, place) => place % 2 === 0);
    await collection.insertMany(batch.map((_id) => ({ _id, kind: 'outlet', name: `First of ${_id}` })));
  }
  return ids;
}
