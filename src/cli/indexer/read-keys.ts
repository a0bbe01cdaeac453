import { type GivenSuppressions, readSuppressions, WrongSuppressions } from '#src/suppressing/read-suppressions.ts';
import { UsageError } from '../command-line.ts';

/** The suppression keys that a command names. Throws UsageError if its options are wrong, Error if its file is. */
export async function readKeys(given: GivenSuppressions): Promise<string[]> {
  try {
    return await readSuppressions(given);
  } catch (error) {
    if (error instanceof WrongSuppressions && error.areOptions) throw new UsageError(error.message);
    throw error;
  }
}
