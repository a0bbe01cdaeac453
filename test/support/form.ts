import { setTimeout as pause } from 'node:timers/promises';
import fc from 'fast-check';

/** `TRIAL=long` runs what takes minutes and asserts times, which only a quiet machine can keep; otherwise trials are short. */
export const isLong = process.env.TRIAL === 'long';

/** What a trial takes in its short and in its long form. */
export const ofForm = <Value>(short: Value, long: Value): Value => (isLong ? long : short);

/** Determines the random choices of a trial: `SEED`, or another one each time. It is printed, so a run can be repeated. */
export function readSeed(): number {
  const seed = Number(process.env.SEED ?? Date.now() % 1_000_000);
  if (!Number.isSafeInteger(seed)) throw new Error('SEED is not a whole number. Leave it out, or give one.');
  console.log(`SEED=${seed}`);
  return seed;
}

/**
 * Any character, and halves of one: a `unit` for fc.string. Its own `binary` describes the same, but takes more than a second
 * to be made in each thread of the tests.
 */
export const anyCharacter: fc.Arbitrary<string> = fc.nat(0x10ffff).map((code) => String.fromCodePoint(code));

/** Waits until a check no longer throws: far longer than a busy machine needs, since it promises no time. */
export async function eventually<Result>(check: () => Result | Promise<Result>): Promise<Result> {
  const deadline = performance.now() + 60_000;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await pause(20);
    }
  }
}
