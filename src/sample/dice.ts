import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import type { RandomGenerator } from 'pure-rand/types/RandomGenerator';

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

/** Values, each picked in proportion to its weight. */
export class WeightedList<T> {
  readonly #values: readonly T[];
  readonly #ends: Float64Array;
  readonly #total: number;

  constructor(values: readonly T[], weightOf: (value: T) => number) {
    this.#values = values;
    this.#ends = new Float64Array(values.length);
    let total = 0;
    values.forEach((value, place) => {
      total += weightOf(value);
      this.#ends[place] = total;
    });
    this.#total = total;
  }

  pick(dice: Dice): T {
    const wanted = dice.fraction() * this.#total;
    let low = 0;
    let high = this.#ends.length - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (wanted < (this.#ends[middle] ?? 0)) high = middle;
      else low = middle + 1;
    }
    const value = this.#values[low];
    if (value === undefined) throw new RangeError('there is nothing to pick from');
    return value;
  }
}

/** A weighted list of a table's keys. */
export function weighted<K extends string>(weights: Readonly<Record<K, number>>): WeightedList<K> {
  return new WeightedList(Object.keys(weights) as K[], (key) => weights[key]);
}
