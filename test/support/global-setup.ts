import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { type SharedEngines, startSharedEngines } from '#testing/engines/start-engine.ts';
import { dropTestDatabases } from '#testing/mongo-database.ts';
import { removeTestIndexes } from '#testing/open-production.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The file that says where the engines of the run are, once they have started; see engines.ts. */
    enginesFile: string;
  }
}

/** What the file says: the engines' URLs, or why there are none. */
export type EnginesNews = { urls: SharedEngines['urls'] } | { fault: string };

let folder: string;
let starting: Promise<SharedEngines | null>;

/** Starts the engines once per run, and does not wait for them: tests that need none run meanwhile. */
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
