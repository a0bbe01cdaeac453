import { setImmediate as nextTurn } from 'node:timers/promises';
import { formatTable } from '../../src/command-line/output.ts';

/**
 * Runs every call once, in order, `atOnce` of them at a time. Returns the duration of each in milliseconds. Lets the event loop
 * turn between calls, so that blocking calls do not delay the connections of others.
 */
export async function timeCalls(calls: readonly (() => unknown)[], atOnce: number): Promise<number[]> {
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

/** How many things a second the work does. It must return their number. */
export async function perSecond(work: () => Promise<number>): Promise<number> {
  const start = performance.now();
  const done = await work();
  return (done * 1_000) / (performance.now() - start);
}

/** The value below which this share of the values lies (nearest rank); NaN for none. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

export const median = (values: readonly number[]): number => percentile(values, 0.5);

/** Prints figures, one a line with its path such as `search p50`, or all as JSON. A figure that was not measured is null. */
export function printFigures(figures: object, isJson: boolean): void {
  const lines = (value: unknown, name: string): string[][] => {
    if (typeof value === 'object' && value !== null) {
      return Object.entries(value).flatMap(([key, inner]) => lines(inner, `${name} ${key}`.trim()));
    }
    const isNumber = typeof value === 'number';
    return [[name, isNumber ? value.toLocaleString('en', { maximumSignificantDigits: 4 }) : String(value)]];
  };
  const printed = isJson ? JSON.stringify(figures) : formatTable(lines(figures, '')).join('\n');
  console.log(`${printed}${isJson ? '' : '\n'}`);
}
