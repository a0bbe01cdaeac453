import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import type { RandomGenerator } from 'pure-rand/types/RandomGenerator';
import { dayMs } from '#text/days.ts';

/** A seeded random generator: the same seed gives the same choices on every machine. */
export class Dice {
  readonly #generator: RandomGenerator;

  constructor(seed: number) {
    this.#generator = xoroshiro128plus(seed);
  }

  /** A number from 0 to 1, excluding 1. */
  fraction(): number {
    return (this.#generator.next() >>> 0) / 2 ** 32;
  }

  /** An integer from 0 to `end`, excluding `end`. */
  below(end: number): number {
    return Math.floor(this.fraction() * end);
  }

  chance(probability: number): boolean {
    return this.fraction() < probability;
  }

  pick<T>(list: readonly T[]): T {
    const item = list[this.below(list.length)];
    if (item === undefined) throw new RangeError('there is nothing to pick from');
    return item;
  }

  /** A normally distributed number with mean 0 and standard deviation 1 (Box–Muller). */
  normal(): number {
    return Math.sqrt(-2 * Math.log(1 - this.fraction())) * Math.cos(2 * Math.PI * this.fraction());
  }
}

/** Returns a function that picks values in proportion to their weights. */
export function weightedPick<T>(values: readonly T[], weightOf: (value: T) => number): (dice: Dice) => T {
  const ends = new Float64Array(values.length);
  let total = 0;
  for (const [place, value] of values.entries()) {
    total += weightOf(value);
    ends[place] = total;
  }
  return (dice) => {
    const target = dice.fraction() * total;
    let low = 0;
    let high = ends.length - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (target < (ends[middle] ?? 0)) high = middle;
      else low = middle + 1;
    }
    return values[low] as T;
  };
}

export function weighted<K extends string>(weights: Readonly<Record<K, number>>): (dice: Dice) => K {
  return weightedPick(Object.keys(weights) as K[], (key) => weights[key]);
}

/** Times are before this moment, so a sample never depends on the day it was generated. */
const latest = Date.UTC(2026, 9, 31);

export function daysBefore(days: number, dice: Dice): string {
  return new Date(latest - days * dayMs - dice.below(86_400) * 1000).toISOString();
}
