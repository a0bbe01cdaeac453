import { homedir } from 'node:os';
import { join } from 'node:path';

/** The settings for tests and trials. Only this file of the test tooling reads `process.env`. */
interface TestSettings {
  /** `required`: a missing engine fails the run. `off`: the run uses no engines and skips their tests. */
  engines: 'auto' | 'required' | 'off';
  /** The same for a browser: `required` makes a run without one fail. */
  browser: 'auto' | 'required' | 'off';
  /** Whether engines and the image may run in Docker. */
  docker: 'auto' | 'off';
  /** An engine that already runs, by its URL. */
  mongodbUri: string | null;
  elasticsearchUrl: string | null;
  /** Heap of Elasticsearch, in the JVM's notation. */
  heap: string;
  /** Folder where programs keep files that can be downloaded again. */
  cacheHome: string;
  javaHome: string | null;
  path: string;
  /** A file to which each run appends a line with its counts. */
  countsFile: string | null;
  /** Folder with real records and queries, for the floors of trials/relevance/. */
  relevanceData: string | null;
}

const modes = ['auto', 'required', 'off'] as const;

export function readTestSettings(): TestSettings {
  const env = process.env;
  return {
    engines: readMode('MASTHEAD_TEST_ENGINES', env),
    browser: readMode('MASTHEAD_TEST_BROWSER', env),
    docker: readMode('MASTHEAD_TEST_DOCKER', env, ['auto', 'off']),
    mongodbUri: env.MASTHEAD_TEST_MONGODB_URI || null,
    elasticsearchUrl: env.MASTHEAD_TEST_ELASTICSEARCH_URL || null,
    heap: env.MASTHEAD_TEST_ELASTICSEARCH_HEAP || '1g',
    cacheHome: env.XDG_CACHE_HOME || join(homedir(), '.cache'),
    javaHome: env.JAVA_HOME || null,
    path: env.PATH ?? '',
    countsFile: env.MASTHEAD_TEST_COUNTS || null,
    relevanceData: env.MASTHEAD_RELEVANCE_DATA || null,
  };
}

function readMode(name: string, env: NodeJS.ProcessEnv): (typeof modes)[number];
function readMode<Mode extends string>(name: string, env: NodeJS.ProcessEnv, known: readonly Mode[]): Mode;
function readMode(name: string, env: NodeJS.ProcessEnv, known: readonly string[] = modes): string {
  const mode = env[name] || 'auto';
  if (!known.includes(mode)) throw new Error(`${name} must be one of ${known.join(', ')}`);
  return mode;
}
