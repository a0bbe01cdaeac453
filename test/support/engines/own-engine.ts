import type { Engine, EngineCluster, EngineKind } from './engine.ts';
import { startLocalElasticsearchCluster } from './local-elasticsearch.ts';
import { type MongodOptions, startLocalMongod, startLocalReplicaSet } from './local-mongod.ts';
import { EngineMissing, startEngine } from './start-engine.ts';
import { readTestSettings } from './test-settings.ts';

/**
 * A separate engine for one test file, which may kill and restart it, and must stop it; null if unavailable or engines
 * are off, so that its tests are skipped.
 *
 * @throws EngineMissing if the run requires engines.
 */
export function startOwnEngine(kind: EngineKind): Promise<Engine | null> {
  return startIfToBeHad(kind, () => startEngine(kind, () => {}, 'tests'));
}

/** The same for a MongoDB of a special kind; only if it is downloaded. */
export function startOwnMongod(options: MongodOptions): Promise<Engine | null> {
  return startIfToBeHad('mongodb', () => startLocalMongod(() => {}, options));
}

/**
 * A cluster of this many Elasticsearch nodes, or a replica set of this many MongoDB servers, for one test file; only if
 * they are downloaded.
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
