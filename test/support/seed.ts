/** Determines the random choices of a trial: `SEED`, or another one each time. It is printed, so a run can be repeated. */
export const seed = Number(process.env.SEED ?? Date.now() % 1_000_000);
if (!Number.isSafeInteger(seed)) throw new Error('SEED is not a whole number. Leave it out, or give one.');
console.log(`SEED=${seed}`);
