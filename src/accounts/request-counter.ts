export type RequestCount = { requests: number; endsInMs: number };

/** Counts the requests of each bucket in windows of a minute. A window starts with the bucket's first request. */
export interface RequestCounter {
  /** Counts one more request of a bucket with this limit per minute. */
  add(id: string, limit: number): Promise<RequestCount>;
  /** Reads the count and adds nothing. Null between windows. */
  read(id: string): Promise<RequestCount | null>;
}

export const windowSeconds = 60;
