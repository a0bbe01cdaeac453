/** `TRIAL=long` runs what takes minutes and asserts times, which only a quiet machine can keep; otherwise trials are short. */
export const isLong = process.env.TRIAL === 'long';

/** What a trial takes in its short and in its long form. */
export const ofForm = <Value>(short: Value, long: Value): Value => (isLong ? long : short);
