import type { MediaRecord } from '#domain/media-record.ts';
import type { DeadLetter } from './dead-letters.ts';
import type { IdRange } from './record-source.ts';

/** One build of the search index. */
export interface Generation {
  /** Its name; names sort by age. */
  index: string;
  /** Another for each index there ever was, of whatever name. */
  identity: string;
  /** Whether it was made in the form that this version writes: its mapping and settings, and what becomes of records. */
  isCurrent: boolean;
  records: number;
}

/** What a search is to find under an id as of a version; null: nothing. */
export interface IndexChange {
  id: string;
  version: bigint;
  record: MediaRecord | null;
}

/** A change as an engine takes it: bytes, so that many of them may wait their turn and nothing has to look after them. */
export interface PreparedChange {
  id: string;
  version: bigint;
  /** What the engine keeps of the record, in its own form; null: nothing is to be found. */
  document: Uint8Array | null;
}

/** How long to go on trying. */
export interface Patience {
  /** Until then. */
  signal: AbortSignal;
  /** Told of each try that was in vain. */
  onRetry?: () => void;
}

/**
 * The builds of the search index: the one that is searched, those before it that are kept, and those being built.
 * Every method fails with Problem `search_unavailable` when the engine does not answer.
 */
export interface IndexGenerations {
  /** The generation that is searched; null before the first. */
  findLive(): Promise<Generation | null>;
  /** null where there is none of that name. */
  find(index: string): Promise<Generation | null>;
  /** Makes an empty generation for filling; answers its name. */
  create(birth: Date): Promise<string>;
  /** Puts a change into the engine's form; asks nothing of the engine. */
  prepare(change: IndexChange): PreparedChange;
  /**
   * Writes changes, each unless a later version of its record is there, and answers those that the engine will not
   * have, of which it then finds nothing. Resolves when all are safe. While the engine is overloaded or away it goes on
   * trying, as long as the patience says or, without any, for two minutes.
   */
  write(index: string, changes: readonly PreparedChange[], patience?: Patience): Promise<DeadLetter[]>;
  /** Makes a filled generation fast to search, and lets it be searched. */
  finish(index: string): Promise<void>;
  /** Lets all that was written be found. */
  refresh(index: string): Promise<void>;
  /** Makes the generation the one that is searched, in one step. */
  publish(index: string): Promise<void>;
  /** Removes a generation; one that an export still reads only where that is `forced`. Answers whether it is gone. */
  remove(index: string, forced: boolean): Promise<boolean>;
  /** The names of all generations, oldest first. */
  list(): Promise<string[]>;
  /** For each record in the range that a search can find, by its id, the digest of what is kept of it. */
  readDigests(index: string, range: IdRange): Promise<ReadonlyMap<string, string>>;
  /** What readDigests gives where the index holds this record as it should. */
  digestOf(record: MediaRecord): string;
  /** The ids of the records in it, those just written too, to which one of these suppressions applies. */
  findSuppressed(index: string, keys: readonly string[]): Promise<string[]>;
}
