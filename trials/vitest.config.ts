import { defineConfig } from 'vitest/config';
import { compiled } from '../testing/process-environment.ts';
import { limits, longTests } from '../vitest.config.ts';

/** What `npm test` leaves to CI: tests that take long, then the short forms of the trials. */
export default defineConfig({
  test: {
    ...limits,
    reporters: ['default', './testing/counts-reporter.ts'],
    pool: 'threads',
    isolate: false,
    env: { NODE_COMPILE_CACHE: compiled },
    projects: [
      {
        extends: true,
        test: {
          name: 'long',
          include: [`{test,trials,clients/typescript/test}/${longTests}`],
          globalSetup: ['test/global-setup.ts'],
          maxWorkers: 3,
          sequence: { groupOrder: 0 },
        },
      },
      // One file after another in one thread: they break engines that they share.
      {
        extends: true,
        test: {
          name: 'trials',
          include: ['trials/**/*.trial.ts'],
          testTimeout: 600_000,
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
