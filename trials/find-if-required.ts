import { readTestSettings } from '../test/support/engines/test-settings.ts';

/** A tool, or null if it is not to be had; a run that requires all its tools fails then. */
export async function findIfRequired<Tool>(what: string, find: () => Promise<Tool>): Promise<Tool | null> {
  const { engines: mode } = readTestSettings();
  if (mode === 'off') return null;
  try {
    return await find();
  } catch (error) {
    if (mode === 'required') throw error;
    console.warn(`${what} skipped: ${error instanceof Error ? error.message : error}`);
    return null;
  }
}
