import type { MediaRecord } from '#domain/media-record.ts';

/** A record that the engine will not take, and why; the reason quotes nothing of it. */
export interface DeadLetter {
  id: string;
  reason: string;
}

/** One build of the search index. */
export interface Generation {
  /** Its name; names sort by age. */
  index: string;
  records: number;
}

/** Fills one generation. */
export interface RecordWriter {
  /** Takes records; returns when there is room for more. Fails once an earlier request did. */
  add(records: readonly MediaRecord[]): Promise<void>;
  /** Returns when the engine has answered for all that was added. */
  flush(): Promise<void>;
}

/**
 * The builds of a search index that is kept apart from the records: the one that is searched, the one before it, and
 * those being built. Every method fails with Problem `search_unavailable` when the engine does not answer.
 */
export interface IndexGenerations {
  /** The generation that is searched; null before the first. */
  findServed(): Promise<Generation | null>;
  /** Makes an empty generation for filling; answers its name. */
  create(birth: Date): Promise<string>;
  openWriter(index: string, reportDeadLetter: (letter: DeadLetter) => void): RecordWriter;
  /** Makes what was written fast to search, and counts it. */
  finish(index: string): Promise<Generation>;
  /** Makes the generation the one that is searched, in one step. */
  publish(index: string): Promise<void>;
  remove(index: string): Promise<void>;
  /** Removes every generation that is older than this one, unless a scan still reads it. */
  removeOlder(index: string): Promise<void>;
  /** The names of all generations, oldest first. */
  list(): Promise<string[]>;
}
