import { type GivenSuppressions, readSuppressions, WrongSuppressions } from '#src/suppressing/read-suppressions.ts';
import { UsageError } from '../command-line.ts';

/** The keys of the suppressions that a command names. Throws UsageError where its options are wrong, Error where its file is. */
export async function readKeys(given: GivenSuppressions): Promise<string[]> {
  try {
    return await readSuppressions(given);
  } catch (error) {
    if (error instanceof WrongSuppressions && error.areOptions) throw new UsageError(error.message);
    throw error;
  }
}
