import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, inject } from 'vitest';
import { StartupError } from '#src/problem.ts';
import type { EngineUrls } from '#testing/engines/start-engine.ts';
import type { EnginesNews } from './global-setup.ts';

/**
 * The engines of the run; null for one that is not available. Test files that vitest.config.ts lists as running on engines wait
 * here until the engines have started. For all other files both are null.
 *
 * @throws Error if the run requires engines and has none
 */
export const engines: EngineUrls = await waitForEngines();

async function waitForEngines(): Promise<EngineUrls> {
  const file = inject('enginesFile');
  if (file === undefined) return { mongodb: null, elasticsearch: null };
  for (;;) {
    const news = await readNews(file);
    if (news === null) await pause(50);
    else if ('fault' in news) throw new Error(news.fault);
    else return news.urls;
  }
}

async function readNews(file: string): Promise<EnginesNews | null> {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** The message with which opening an engine fails. Expects that it is one line and does not contain the secret. */
export async function refusalOf(opening: Promise<{ close(): unknown }>, secret: string): Promise<string> {
  const error = await opening.then((opened) => opened.close()).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(StartupError);
  const { message } = error as StartupError;
  expect(message).not.toContain('\n');
  expect(message).not.toContain(secret);
  return message;
}
