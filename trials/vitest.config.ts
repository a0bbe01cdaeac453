import { defineConfig } from 'vitest/config';
import { limits } from '../vitest.config.ts';

/** The short forms of the trials: one file after the other in one thread, so that they share the engines that they break. */
export default defineConfig({
  test: {
    ...limits,
    include: ['trials/**/*.trial.ts'],
    reporters: ['default', './test/counts-reporter.ts'],
    pool: 'threads',
    isolate: false,
    maxWorkers: 1,
    testTimeout: 600_000,
  },
});
