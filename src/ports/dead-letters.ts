/** A record that no search can find, and why; the reason quotes nothing of it. */
export interface DeadLetter {
  id: string;
  reason: string;
}

/** What is known of records that could not be indexed: one letter a record, the last. */
export interface DeadLetters {
  save(letters: readonly DeadLetter[], at: Date): Promise<void>;
  /** Removes the letters of records that are in order again, or gone. */
  remove(ids: readonly string[]): Promise<void>;
  /** Removes all that were saved before. */
  removeBefore(at: Date): Promise<void>;
  /** Those of the ids of which there is a letter. */
  findAmong(ids: readonly string[]): Promise<ReadonlySet<string>>;
  count(): Promise<number>;
  /** In the order of ids, at constant memory. */
  scan(): AsyncIterable<DeadLetter & { at: string }>;
}
