import type { DeadLetters } from './dead-letters.ts';
import type { IndexGenerations } from './index-generations.ts';
import type { IndexJournal } from './index-journal.ts';
import type { JobLocks } from './job-locks.ts';
import type { RecordSource } from './record-source.ts';
import type { SuppressionList } from './suppression-list.ts';

/** All that it takes to keep the index equal to the records. */
export interface IndexUpkeep {
  source: RecordSource;
  generations: IndexGenerations;
  journal: IndexJournal;
  deadLetters: DeadLetters;
  locks: JobLocks;
  suppressions: SuppressionList;
}
