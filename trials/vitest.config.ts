import { defineConfig } from 'vitest/config';
import { limits } from '../vitest.config.ts';

/** The short forms of the trials. Each file starts the engines that it breaks: one after the other, so that they fit. */
export default defineConfig({
  test: {
    ...limits,
    include: ['trials/**/*.trial.ts'],
    reporters: ['default', './test/counts-reporter.ts'],
    fileParallelism: false,
    testTimeout: 600_000,
  },
});
