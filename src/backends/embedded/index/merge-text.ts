import type { DatabaseSync } from 'node:sqlite';

/** Pages merged per transaction. */
const pagesAMerge = 500;
/** Merge after writing a tenth of the records: a merge takes about a fiftieth of the time of writing all of them. */
const worthPart = 10;
const maxSegments = 12;

/** The tables of full text. */
const texts = ['search_text', 'search_tokens', 'contact_text', 'contact_tokens'];

/** Whether to merge the full text of records now. A search looks a word up in each segment, so fewer segments are faster. */
export function isWorthMerging(database: DatabaseSync, writtenCount: number, records: number): boolean {
  const counted = database.prepare('SELECT count(DISTINCT segid) AS count FROM search_text_idx').get();
  const segments = Number(counted?.count);
  return segments > 1 && (segments > maxSegments || writtenCount * worthPart >= records);
}

/** Merges each full text into one segment. Run each step in its own transaction, so that other writers wait only briefly. */
export function* mergeSteps(database: DatabaseSync): Generator<() => void> {
  for (const text of texts) yield* mergeStepsOf(database, text);
}

function* mergeStepsOf(database: DatabaseSync, text: string): Generator<() => void> {
  const merge = database.prepare(`INSERT INTO ${text} (${text}, rank) VALUES ('merge', ?)`);
  const countChanges = database.prepare('SELECT total_changes() AS changes');
  let isDone = false;
  // A negative count starts one merge of all segments, and positive ones continue it. When it is done, nothing
  // changes except the command itself.
  for (let pages = -pagesAMerge; !isDone; pages = pagesAMerge) {
    yield () => {
      const before = Number(countChanges.get()?.changes);
      merge.run(pages);
      isDone = Number(countChanges.get()?.changes) - before < 2;
    };
  }
}
