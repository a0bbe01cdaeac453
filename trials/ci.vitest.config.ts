import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import tests, { alone, onEngines } from '../vitest.config.ts';
import trials from './vitest.config.ts';

/** Trials and small files that take long run before tests: so none of them is left to run by itself at the end. */
class TrialsFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = Object.groupBy(await super.sort(files), ({ project, moduleId }) => {
      if (project.name === alone.test.name) return 'alone';
      return /(?:\.trial|walks\.test|relevance\.test)\.ts$/.test(moduleId) ? 'trials' : 'tests';
    });
    // The first of them run while the engines start.
    return [sorted.alone, sorted.trials, sorted.tests].flatMap((some) => some ?? []);
  }
}

const { include = [], exclude = [], testTimeout = 0 } = trials.test ?? {};

/** All tests and trials as one run, as `.ci/run` makes it: they share the engines, and no core waits for the end of one kind. */
export default defineConfig({
  test: {
    ...tests.test,
    sequence: { sequencer: TrialsFirst },
    projects: [
      alone,
      {
        ...onEngines,
        test: { ...onEngines.test, include: [...onEngines.test.include, ...include], exclude, testTimeout },
      },
    ],
  },
});
