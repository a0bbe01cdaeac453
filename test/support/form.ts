import fc from 'fast-check';

/** With `TRIAL=long`, trials take minutes and also check times, for which the machine must be quiet. Otherwise they are short. */
export const isLong = process.env.TRIAL === 'long';

/** Chooses a value for the short or for the long form of a trial. */
export const ofForm = <Value>(short: Value, long: Value): Value => (isLong ? long : short);

/** The seed of a trial's random choices: `SEED`, or a new one each time. It is printed, so that the run can be repeated. */
export function readSeed(): number {
  const seed = Number(process.env.SEED ?? Date.now() % 1_000_000);
  if (!Number.isSafeInteger(seed)) throw new Error('SEED must be a whole number. Change it, or leave it out.');
  console.log(`SEED=${seed}`);
  return seed;
}

/**
 * A `unit` for fc.string: any character, and also half of one (a lone surrogate). The library's own `binary` is the same, but
 * each thread needs more than a second to create it.
 */
export const anyCharacter: fc.Arbitrary<string> = fc.nat(0x10ffff).map((code) => String.fromCodePoint(code));
