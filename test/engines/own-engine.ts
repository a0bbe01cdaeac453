import type { Engine, EngineKind } from './engine.ts';
import { type MongodOptions, startLocalMongod } from './local-mongod.ts';
import { EngineMissing, startEngine } from './start-engine.ts';
import { readTestSettings } from './test-settings.ts';

/**
 * An engine for one test file alone, which it may kill and start again, and has to stop; null where there is none to
 * be had or engines are off, so that its tests are skipped.
 *
 * @throws EngineMissing where the run requires engines.
 */
export function startOwnEngine(kind: EngineKind): Promise<Engine | null> {
  return startIfToBeHad(kind, () => startEngine(kind, () => {}));
}

/** The same for a MongoDB of a special kind; only where one is fetched. */
export function startOwnMongod(options: MongodOptions): Promise<Engine | null> {
  return startIfToBeHad('mongodb', () => startLocalMongod(() => {}, options));
}

async function startIfToBeHad(kind: EngineKind, start: () => Promise<Engine>): Promise<Engine | null> {
  const { engines: mode } = readTestSettings();
  if (mode === 'off') return null;
  try {
    return await start();
  } catch (error) {
    const missing = error instanceof EngineMissing ? error : new EngineMissing(kind, [(error as Error).message]);
    if (mode === 'required') throw missing;
    return null;
  }
}
