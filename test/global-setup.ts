import type { TestProject } from 'vitest/node';
import { type EngineUrls, type SharedEngines, startSharedEngines } from '#testing/engines/shared-engines.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Set for the test files that vitest.config.ts lists as running on engines. */
    engines: EngineUrls;
  }
}

let shared: SharedEngines | null = null;

/** Starts the engines once per run, before the first test file that needs them. */
export async function setup(project: TestProject): Promise<void> {
  shared = await startSharedEngines((line) => console.log(`engines: ${line}`));
  project.provide('engines', shared.urls);
}

export async function teardown(): Promise<void> {
  await shared?.stop();
  shared = null;
}
