import { Worker } from 'node:worker_threads';
import { Problem } from '#src/problem.ts';
import { StartupError } from '#src/startup-error.ts';
import type { Backends } from './open-backends.ts';
import type { RenewalNews } from './renew-index-worker.ts';

export interface Renewal {
  /** Ends a running rebuild; the next start begins again. */
  stop(): Promise<void>;
}

/** How long a rebuild may take to end by itself, in milliseconds: it checks the signal between two transactions. */
const stopTimeoutMs = 3_000;

const nothingToDo: Renewal = { stop: async () => {} };

/**
 * Checks whether the live index has this version's indexVersion, for example after an upgrade. The embedded one
 * is rebuilt in place, in a thread beside the service, which keeps answering; in production the sync does that, and a
 * line says so.
 */
export async function renewIndex(
  { kind, findLive }: Pick<Backends, 'kind' | 'findLive'>,
  dataDir: string,
  logLine: (news: RenewalNews) => void,
): Promise<Renewal> {
  const outdated = await findOutdated(findLive);
  if (outdated === null) return nothingToDo;
  const line = `the search index ${outdated} was built by other rules than this version's`;
  if (kind === 'production') {
    logLine({ isFault: true, line: `${line}. To build a new one, run this version of: npm run indexer -- sync` });
    return nothingToDo;
  }
  logLine({ isFault: false, line: `${line}: rebuilding it` });
  return startRebuild(dataDir, logLine);
}

/** Null if the index has the right form, if there is none, and if the engine does not answer. */
async function findOutdated(findLive: Backends['findLive']): Promise<string | null> {
  try {
    const live = await findLive();
    return live === null || live.isCurrent ? null : live.index;
  } catch (error) {
    if (error instanceof Problem || error instanceof StartupError) return null;
    throw error;
  }
}

function startRebuild(dataDir: string, logLine: (news: RenewalNews) => void): Renewal {
  const worker = new Worker(new URL('./renew-index-worker.ts', import.meta.url), { workerData: dataDir });
  const ended = new Promise((resolve) => worker.once('exit', resolve));
  worker.on('message', logLine);
  worker.on('error', ({ message }) =>
    logLine({ isFault: true, line: `the search index could not be built: ${message}` }),
  );
  return {
    async stop() {
      worker.postMessage('stop');
      const timer = setTimeout(() => worker.terminate(), stopTimeoutMs);
      await ended;
      clearTimeout(timer);
    },
  };
}
