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

export const windowSeconds = 60;

/** For the limiters of rate-limiter-flexible, which only count here: who is over the limit is decided from the count. */
export const limiterOptions = { keyPrefix: '', duration: windowSeconds, points: Number.MAX_SAFE_INTEGER };
