import type { Engine, EngineCluster, EngineKind } from './engine.ts';
import { startLocalElasticsearchCluster } from './local-elasticsearch.ts';
import { type MongodOptions, startLocalMongod, startLocalReplicaSet } from './local-mongod.ts';
import { EngineMissing, startEngine } from './start-engine.ts';
import { readTestSettings } from './test-settings.ts';

/**
 * An engine for one test file alone, which it may kill and start again, and has to stop; null where there is none to
 * be had or engines are off, so that its tests are skipped.
 *
 * @throws EngineMissing where the run requires engines.
 */
export function startOwnEngine(kind: EngineKind): Promise<Engine | null> {
  return startIfToBeHad(kind, () => startEngine(kind, () => {}, 'tests'));
}

/** The same for a MongoDB of a special kind; only where one is fetched. */
export function startOwnMongod(options: MongodOptions): Promise<Engine | null> {
  return startIfToBeHad('mongodb', () => startLocalMongod(() => {}, options));
}

/**
 * A cluster of so many Elasticsearch nodes, or a replica set of so many MongoDB servers, for one test file alone; only
 * where they are fetched.
 */
export function startOwnCluster(kind: EngineKind, size: number): Promise<EngineCluster | null> {
  const start = kind === 'mongodb' ? startLocalReplicaSet : startLocalElasticsearchCluster;
  return startIfToBeHad(kind, () => start(() => {}, size));
}

async function startIfToBeHad<Started>(kind: EngineKind, start: () => Promise<Started>): Promise<Started | null> {
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
