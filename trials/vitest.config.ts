import { defineConfig } from 'vitest/config';
import { isLong } from '../test/support/form.ts';
import { compiled } from '../test/support/processes.ts';
import { limits } from '../vitest.config.ts';

/**
 * Trials that need a machine of their own for minutes: two clusters, Docker that builds images, a test run for each mutation,
 * generators of clients in four languages.
 */
const onlyLong = [
  'test/upgrades/compose-upgrade',
  ...['clients/generators', 'compose/compose', 'drills/clusters', 'mutations/mutations'].map(
    (name) => `trials/${name}`,
  ),
].map((name) => `${name}.trial.ts`);

/**
 * `npm run trials [name]`: what takes long, in the short form that CI runs or, with TRIAL=long, in the long one (form.ts).
 * Those that break an engine start one of their own, so that files run side by side; in the long form one after another.
 */
export default defineConfig({
  test: {
    ...limits,
    testTimeout: 600_000,
    reporters: ['default', './test/support/counts-reporter.ts'],
    pool: 'threads',
    isolate: false,
    maxWorkers: isLong ? 1 : 4,
    env: { NODE_COMPILE_CACHE: compiled },
    include: ['{trials,test,clients/typescript/test}/**/*.trial.ts'],
    exclude: isLong ? [] : onlyLong,
    globalSetup: ['test/support/global-setup.ts'],
  },
});
