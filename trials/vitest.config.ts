import { defineConfig } from 'vitest/config';
import { limits } from '../vitest.config.ts';

/**
 * The short forms of the trials, and the tests of their own code: one file after another in one thread, so that they
 * share the engines that they break.
 */
export default defineConfig({
  test: {
    ...limits,
    include: ['trials/**/*.{trial,test}.ts'],
    reporters: ['default', './testing/counts-reporter.ts'],
    pool: 'threads',
    isolate: false,
    maxWorkers: 1,
    testTimeout: 600_000,
  },
});
