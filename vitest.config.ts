import { defineConfig } from 'vitest/config';
import { compiled } from './test/support/processes.ts';

/** Test files that share one MongoDB and one Elasticsearch, where those are to be had (test/support/engines/). */
const filesOnEngines = [
  'test/contract/**/*.test.ts',
  'test/http/{masking,production-smoke,shared-limits}.test.ts',
  'test/relevance/relevance.test.ts',
  'test/indexer/syncing/**/*.test.ts',
  'test/backends/{mongo,elasticsearch}/**/*.test.ts',
  'test/upgrades/**/*.test.ts',
];

/** What a test may take on a machine that does much else: a test fails by its conditions, not by the clock. */
export const limits = {
  testTimeout: 120_000,
  hookTimeout: 300_000,
  // A test that checks nothing fails.
  expect: { requireAssertions: true, poll: { timeout: 60_000, interval: 20 } },
};

/** Test files that need no engines. */
export const alone = {
  extends: true as const,
  test: {
    name: 'alone',
    include: ['{test,trials,clients/typescript/test}/**/*.test.ts'],
    exclude: filesOnEngines,
  },
};

/** Only a run that selects one of these files starts engines. */
export const onEngines = {
  extends: true as const,
  test: { name: 'engines', include: filesOnEngines, globalSetup: ['test/support/global-setup.ts'] },
};

export default defineConfig({
  test: {
    ...limits,
    reporters: ['default', './test/support/counts-reporter.ts'],
    pool: 'threads',
    isolate: false,
    setupFiles: ['test/support/share-search-threads.ts'],
    // Each test waits for engines, processes and threads half of its time: two cores have work for four.
    maxWorkers: 4,
    // For the threads of the embedded store, of which each test that opens one starts some.
    env: { NODE_COMPILE_CACHE: compiled },
    projects: [alone, onEngines],
  },
});
