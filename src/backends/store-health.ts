/** Whether a store can be written to and read whole. */
export interface StoreHealth {
  /**
   * What keeps a purchase, claim, list or export from being stored now, for the operator, such as `disk space: …`; null if
   * nothing does. The answer may be two seconds old.
   */
  findFault(): Promise<string | null>;
  /** Remembers, until the process ends, that the store is damaged, if this error says so. */
  note(error: unknown): void;
  /** Reads the whole store, where that finds damage that no request has met; it is noted. */
  checkWhole(): Promise<void>;
  /** Bytes that are free on the disk of the store; null if the store does not say. */
  findFreeBytes(): Promise<number | null>;
}

/** How long an answer is used again, so that whoever asks often does not wear out the disk. */
const freshMs = 2_000;

/** The same work, but at most once in two seconds; calls meanwhile get the same answer. */
export function atMostOften<Answer>(work: () => Promise<Answer>): () => Promise<Answer> {
  let last: { at: number; answer: Promise<Answer> } | null = null;
  return () => {
    const now = performance.now();
    if (last === null || now - last.at > freshMs) last = { at: now, answer: work() };
    return last.answer;
  };
}
