import type { Engine, EngineKind } from './engine.ts';
import { EngineMissing, startEngine } from './start-engine.ts';
import { readTestSettings } from './test-settings.ts';

/**
 * An engine for one test file alone, which it may kill and start again, and has to stop; null where there is none to
 * be had or engines are off, so that its tests are skipped.
 *
 * @throws EngineMissing where the run requires engines.
 */
export async function startOwnEngine(kind: EngineKind): Promise<Engine | null> {
  const { engines: mode } = readTestSettings();
  if (mode === 'off') return null;
  try {
    return await startEngine(kind, () => {});
  } catch (error) {
    if (!(error instanceof EngineMissing) || mode === 'required') throw error;
    return null;
  }
}
