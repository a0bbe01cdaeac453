import type { Logger } from 'pino';
import type { KeyStore } from '#ports/key-store.ts';
import type { SearchIndex } from '#ports/search-index.ts';
import type { RateLimits } from './allowances.ts';

/** All that the HTTP side works with. It reads no environment, no clock and no store but these. */
export interface AppDeps {
  index: SearchIndex;
  keys: KeyStore;
  /** Under which keys are hashed. */
  pepper: string;
  /** Where callers reach the service, without a slash at its end. */
  publicUrl: string;
  rateLimits: RateLimits;
  /** Whose X-Forwarded-For is believed: how many proxies, or which addresses. */
  trustProxy: false | number | readonly string[];
  log: Logger;
  now: () => Date;
  /** What is missing for answering searches, in words; nothing when ready. */
  listMissing: () => Promise<readonly string[]>;
}
