import { UsageError } from '#src/command-line.ts';
import { type GivenSuppressions, readSuppressions, WrongSuppressions } from '../suppress/read-suppressions.ts';

/** The keys of the suppressions that a command names. Throws UsageError where its options are wrong, Error where its file is. */
export async function readKeys(given: GivenSuppressions): Promise<string[]> {
  try {
    return await readSuppressions(given);
  } catch (error) {
    if (error instanceof WrongSuppressions && error.areOptions) throw new UsageError(error.message);
    throw error;
  }
}
