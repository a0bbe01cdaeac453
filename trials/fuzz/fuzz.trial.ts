import { expect, it } from 'vitest';
import { readTestSettings } from '../../testing/engines/test-settings.ts';
import { findSchemathesis, type Schemathesis } from './find-schemathesis.ts';
import { runFuzz } from './run-fuzz.ts';

const schemathesis = await findIfToBeHad();

it.skipIf(schemathesis === null)('answers generated requests as the API description says', async () => {
  const plan = { backend: 'embedded', cases: 20, workers: 1, seed: 1, further: [], isShown: false } as const;
  const { code, output } = await runFuzz(schemathesis as Schemathesis, plan);
  expect(code, output).toBe(0);
});

/** Null if there is no Python to download it; fails then if a run requires all its tools. */
async function findIfToBeHad(): Promise<Schemathesis | null> {
  const { engines: mode } = readTestSettings();
  if (mode === 'off') return null;
  try {
    return await findSchemathesis((line) => console.log(line));
  } catch (error) {
    if (mode === 'required') throw error;
    console.warn(`The fuzzing is skipped: ${error instanceof Error ? error.message : error}`);
    return null;
  }
}
