import type { DeadLetter, Generation, IndexGenerations } from '#ports/index-generations.ts';
import type { RecordStore } from '#ports/record-store.ts';

export interface RebuildOptions {
  records: Pick<RecordStore, 'count' | 'scan'>;
  generations: IndexGenerations;
  /** Publish also an index that is much smaller than the one searched now, or empty because the store is. */
  allowsShrink: boolean;
  reportDeadLetter: (letter: DeadLetter) => void;
  onProgress?: (read: number) => void;
  now?: () => Date;
}

export interface RebuildSummary {
  index: string;
  /** Records that the store gave. */
  read: number;
  indexed: number;
  /** Records that could not be indexed. */
  deadLetters: number;
  /** What was searched before; null for the first index. */
  replaced: Generation | null;
  seconds: number;
}

/** A new index that is not published, and why; the one that was searched is searched on. */
export class RebuildRefused extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'RebuildRefused';
  }
}

/** An index with less than this share of the one before it looks like a fault. */
const leastShare = 0.8;

/**
 * Builds an index of all records beside the one that is searched and puts it in its place in one step. Of the indices
 * before it the last is kept. A rebuild that fails leaves everything as it was.
 *
 * @throws RebuildRefused where the new index holds too little; Problem where an engine does not answer.
 */
export async function rebuildIndex(options: RebuildOptions): Promise<RebuildSummary> {
  const { records, generations, now = () => new Date() } = options;
  const start = performance.now();
  await generations.findServed();
  const index = await generations.create(now());
  try {
    const { read, deadLetters } = await fill(index, options);
    const built = await generations.finish(index);
    if (built.records !== read - deadLetters) {
      throw new RebuildRefused(`${read - deadLetters} records were written, but the new index holds ${built.records}.`);
    }
    const served = await generations.findServed();
    requireEnough(built, served, { isStoreEmpty: (await records.count()) === 0, allowsShrink: options.allowsShrink });
    await generations.publish(index);
    if (served !== null) await generations.removeOlder(served.index);
    const seconds = (performance.now() - start) / 1000;
    return { index, read, indexed: built.records, deadLetters, replaced: served, seconds };
  } catch (error) {
    await generations.remove(index).catch(() => {});
    throw error;
  }
}

async function fill(index: string, { records, generations, reportDeadLetter, onProgress }: RebuildOptions) {
  let read = 0;
  let deadLetters = 0;
  const writer = generations.openWriter(index, (letter) => {
    deadLetters += 1;
    reportDeadLetter(letter);
  });
  for await (const batch of records.scan()) {
    await writer.add(batch);
    read += batch.length;
    onProgress?.(read);
  }
  await writer.flush();
  return { read, deadLetters };
}

function requireEnough(
  built: Generation,
  served: Generation | null,
  { isStoreEmpty, allowsShrink }: { isStoreEmpty: boolean; allowsShrink: boolean },
): void {
  if (served !== null && served.index > built.index) {
    throw new RebuildRefused(`${served.index}, which was begun later, is searched by now.`);
  }
  if (built.records === 0 && !(isStoreEmpty && (served === null || allowsShrink))) {
    throw new RebuildRefused(
      isStoreEmpty
        ? 'The store holds no records. If that is right, say so with --allow-shrink.'
        : 'Not one record of the store could be indexed.',
    );
  }
  if (served !== null && built.records < leastShare * served.records && !allowsShrink) {
    throw new RebuildRefused(
      `The new index would hold ${built.records} records, the one searched now holds ${served.records}. If that is right, say so with --allow-shrink.`,
    );
  }
}
