/** `TRIAL=long` runs what takes minutes and asserts times, which only a quiet machine can keep; otherwise trials are short. */
export const isLong = process.env.TRIAL === 'long';

/** What a trial takes in its short and in its long form. */
export const ofForm = <Value>(short: Value, long: Value): Value => (isLong ? long : short);

/** Determines the random choices of a trial: `SEED`, or another one each time. It is printed, so a run can be repeated. */
export const seed = Number(process.env.SEED ?? Date.now() % 1_000_000);
if (!Number.isSafeInteger(seed)) throw new Error('SEED is not a whole number. Leave it out, or give one.');
console.log(`SEED=${seed}`);
