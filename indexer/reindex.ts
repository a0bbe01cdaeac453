import type { IndexGenerations } from '#ports/index-generations.ts';
import type { RecordStore } from '#ports/record-store.ts';
import type { DeadLetterFile } from './dead-letter-file.ts';
import { type RebuildSummary, rebuildIndex } from './rebuild-index.ts';
import { createCountDisplay } from './show-count.ts';

export interface ReindexOptions {
  records: RecordStore;
  /** Null where the index is one with the records. */
  generations: IndexGenerations | null;
  /** Holds what the store passed over too: see the store's own report. */
  deadLetters: DeadLetterFile;
  allowsShrink: boolean;
  json: boolean;
}

/** The command `reindex`: rebuilds the index and says how it went; answers whether every record is in. */
export async function reindex({
  records,
  generations,
  deadLetters,
  allowsShrink,
  json,
}: ReindexOptions): Promise<boolean> {
  if (generations === null) {
    console.log(json ? '{"rebuilt":false}' : 'The embedded store searches its records themselves: nothing to rebuild.');
    return true;
  }
  const display = createCountDisplay(await records.count());
  const summary = await rebuildIndex({
    records,
    generations,
    allowsShrink,
    reportDeadLetter: (letter) => deadLetters.add(letter),
    ...(json ? {} : { onProgress: display.show }),
  }).finally(display.stop);
  console.log(
    json ? JSON.stringify({ rebuilt: true, ...asJson(summary, deadLetters) }) : describe(summary, deadLetters),
  );
  return deadLetters.count === 0;
}

function asJson({ index, read, indexed, replaced, seconds }: RebuildSummary, { count, path }: DeadLetterFile) {
  const dead_letters = count === 0 ? { count } : { count, path };
  return { index, read, indexed, dead_letters, replaced: replaced?.index ?? null, seconds };
}

function describe({ index, indexed, replaced, seconds }: RebuildSummary, { count, path }: DeadLetterFile): string {
  const number = new Intl.NumberFormat('en');
  const rate = number.format(Math.round(indexed / seconds));
  return [
    `${number.format(indexed)} records indexed in ${seconds.toFixed(1)} s (${rate}/s). ${index} is searched now.`,
    ...(replaced === null
      ? []
      : [`It replaces ${replaced.index} (${number.format(replaced.records)} records), which is kept.`]),
    ...(count === 0 ? [] : [`${number.format(count)} could not be indexed; why, by id: ${path}`]),
  ].join('\n');
}
