import { defineConfig } from 'vitest/config';
import { isLong } from '../test/support/form.ts';
import { compiled } from '../test/support/process-environment.ts';
import { limits } from '../vitest.config.ts';

/** Trials that need a machine of their own for minutes: two clusters, Docker that builds the image, a test run for each mutation. */
const onlyLong = ['drills', 'compose', 'mutations', 'lighthouse'].map((name) => `trials/*/${name}.trial.ts`);

/** `npm run trials [name]`: what takes long, in the short form that CI runs or, with TRIAL=long, in the long one (form.ts). */
export default defineConfig({
  test: {
    ...limits,
    reporters: ['default', './test/support/counts-reporter.ts'],
    pool: 'threads',
    isolate: false,
    env: { NODE_COMPILE_CACHE: compiled },
    projects: [
      {
        extends: true,
        test: {
          name: 'beside',
          include: ['{test,clients/typescript/test}/**/*.trial.ts'],
          globalSetup: ['test/support/global-setup.ts'],
          maxWorkers: 3,
          sequence: { groupOrder: 0 },
        },
      },
      // One file after another in one thread: they break engines that they share.
      {
        extends: true,
        test: {
          name: 'alone',
          include: ['trials/**/*.trial.ts'],
          exclude: isLong ? [] : onlyLong,
          testTimeout: 600_000,
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
