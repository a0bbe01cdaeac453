import { setImmediate as nextTurn } from 'node:timers/promises';

/** One thing to be timed. */
export type Call = () => unknown;

/**
 * Runs every call once, `atOnce` of them at a time, in order; returns the duration of each in milliseconds. Between
 * calls the event loop turns, so that blocking calls do not starve the connections of others.
 */
export async function timeCalls(calls: readonly Call[], atOnce: number): Promise<number[]> {
  const times: number[] = new Array(calls.length).fill(0);
  const queue = calls.entries();
  const work = async () => {
    for (const [place, call] of queue) {
      const start = performance.now();
      await call();
      times[place] = performance.now() - start;
      await nextTurn();
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return times;
}

/** The value below which this share of the values lies (nearest rank); NaN for none. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

/** The middle value, or the mean of the two in the middle; NaN of none. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  const lower = sorted[Math.ceil(sorted.length / 2) - 1] ?? Number.NaN;
  return (lower + upper) / 2;
}

/**
 * How much longer one side took than the other: the median over rounds of the ratio of their medians in that round, so
 * that a temporarily slow machine, which affects both sides alike, does not matter.
 */
export function medianOfRatios(
  rounds: ReadonlyArray<readonly number[]>,
  base: ReadonlyArray<readonly number[]>,
): number {
  return median(rounds.map((times, round) => median(times) / median(base[round] ?? [])));
}
