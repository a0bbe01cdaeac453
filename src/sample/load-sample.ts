import type { RecordStore } from '#records/record-store.ts';
import { generateSample } from './generate-sample.ts';

/** The sample of a first start is one batch, so one atomic step: an interrupted start leaves all of it or nothing. */
const batchSize = 5000;

/**
 * Saves `count` generated records; returns how many are new or changed. Saving the same records again changes nothing.
 */
export async function loadSample(records: RecordStore, count: number): Promise<number> {
  let saved = 0;
  for (const batch of inBatches(generateSample({ count }), batchSize)) {
    const outcomes = await records.merge(batch);
    saved += outcomes.filter((outcome) => outcome === 'created' || outcome === 'updated').length;
  }
  return saved;
}

function* inBatches<T>(items: Iterable<T>, size: number): Generator<T[]> {
  let batch: T[] = [];
  for (const item of items) {
    batch.push(item);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
