import { homedir } from 'node:os';
import { join } from 'node:path';

/** What the environment says about engines for tests. The only reader of `process.env` in the tests' tooling. */
export interface TestSettings {
  /** `required`: a missing engine fails the run; `off`: none is looked for, engine tests are skipped. */
  engines: 'auto' | 'required' | 'off';
  /** An engine that already runs, by its URL. */
  mongodbUri: string | null;
  elasticsearchUrl: string | null;
  /** Heap of Elasticsearch, in the JVM's notation. */
  heap: string;
  /** Folder under which users' programs keep what can be fetched again. */
  cacheHome: string;
  javaHome: string | null;
  path: string;
}

const engineModes = ['auto', 'required', 'off'] as const;

export function readTestSettings(): TestSettings {
  const env = process.env;
  const engines = env.MASTHEAD_TEST_ENGINES || 'auto';
  const mode = engineModes.find((known) => known === engines);
  if (mode === undefined) throw new Error(`MASTHEAD_TEST_ENGINES must be one of ${engineModes.join(', ')}`);
  return {
    engines: mode,
    mongodbUri: env.MASTHEAD_TEST_MONGODB_URI || null,
    elasticsearchUrl: env.MASTHEAD_TEST_ELASTICSEARCH_URL || null,
    heap: env.MASTHEAD_TEST_ELASTICSEARCH_HEAP || '1g',
    cacheHome: env.XDG_CACHE_HOME || join(homedir(), '.cache'),
    javaHome: env.JAVA_HOME || null,
    path: env.PATH ?? '',
  };
}
