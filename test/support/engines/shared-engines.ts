import { type Engine, type EngineKind, type EnginePurpose, engineNames, type LogLine } from './engine.ts';
import { isServing } from './probe-engine.ts';
import { EngineMissing, startEngine } from './start-engine.ts';
import { readTestSettings } from './test-settings.ts';

/** The engines' URLs; null for one that is not to be had, whose tests are skipped. */
export type EngineUrls = Record<EngineKind, string | null>;

export interface SharedEngines {
  urls: EngineUrls;
  stop(): Promise<void>;
}

/**
 * The engines of a test run or a measurement, both started at the same time: those the environment names, else its own.
 *
 * @throws Error when the environment names one that does not answer, or requires one that is not to be had.
 */
export async function startSharedEngines(log: LogLine, purpose: EnginePurpose = 'tests'): Promise<SharedEngines> {
  const { engines: mode, mongodbUri, elasticsearchUrl } = readTestSettings();
  if (mode === 'off') return { urls: { mongodb: null, elasticsearch: null }, stop: async () => {} };

  const started: Engine[] = [];
  const stop = async () => {
    await Promise.all(started.map((engine) => engine.stop()));
  };
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
