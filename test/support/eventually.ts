import { vi } from 'vitest';

/** Waits until a check no longer throws: far longer than a busy machine needs, since it promises no time. */
export function eventually<Result>(check: () => Result | Promise<Result>): Promise<Result> {
  return vi.waitFor(check, { timeout: 60_000, interval: 20 });
}
