/** Requests of one bucket in the window that runs. */
export interface RequestCount {
  requests: number;
  endsInMs: number;
}

/** Counts in windows that begin with a bucket's first request. */
export interface RequestCounter {
  /** Counts one more request of a bucket that has this limit. */
  add(id: string, limit: number): Promise<RequestCount>;
  /** Counts nothing; null where no window runs. */
  read(id: string): Promise<RequestCount | null>;
}

/** How long a window is, in seconds. */
export const windowSeconds = 60;
