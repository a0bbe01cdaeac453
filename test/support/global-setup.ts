import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { type SharedEngines, startSharedEngines } from '#testing/engines/start-engine.ts';
import { dropTestDatabases } from '#testing/mongo-database.ts';
import { removeTestIndexes } from '#testing/open-production.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The path of a file with the engines of the run, which is written once they have started (engines.ts reads it). */
    enginesFile: string;
  }
}

/** The content of the file: the engines' URLs, or why there are none. */
export type EnginesNews = { urls: SharedEngines['urls'] } | { fault: string };

let folder: string;
let starting: Promise<SharedEngines | null>;

/** Starts the engines once for the run. Does not wait for them, so that tests that need none can begin. */
export async function setup(project: TestProject): Promise<void> {
  folder = await mkdtemp(join(tmpdir(), 'masthead-engines-'));
  const file = join(folder, 'engines.json');
  const tell = async (news: EnginesNews) => {
    await writeFile(`${file}.new`, JSON.stringify(news));
    await rename(`${file}.new`, file);
  };
  project.provide('enginesFile', file);
  starting = startSharedEngines((line) => console.log(`engines: ${line}`)).then(
    async (shared) => {
      await tell({ urls: shared.urls });
      return shared;
    },
    async (error: Error) => {
      await tell({ fault: error.message });
      return null;
    },
  );
}

export async function teardown(): Promise<void> {
  const shared = await starting;
  const { mongodb, elasticsearch } = shared?.urls ?? {};
  if (mongodb) await dropTestDatabases(mongodb);
  if (elasticsearch) await removeTestIndexes(elasticsearch);
  await shared?.stop();
  await rm(folder, { recursive: true });
}
