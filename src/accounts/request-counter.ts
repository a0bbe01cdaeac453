/** Requests of one bucket in the current window. */
export interface RequestCount {
  requests: number;
  endsInMs: number;
}

/** Counts in windows that start with a bucket's first request. */
export interface RequestCounter {
  /** Counts one more request of a bucket with this limit. */
  add(id: string, limit: number): Promise<RequestCount>;
  /** Counts nothing; null if there is no current window. */
  read(id: string): Promise<RequestCount | null>;
}

/** How long a window is, in seconds. */
export const windowSeconds = 60;
