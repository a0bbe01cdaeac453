import { Worker } from 'node:worker_threads';
import type { IndexMaintenance } from '#search/index-maintenance.ts';
import { Problem } from '#src/problem.ts';
import { StartupError } from '#src/startup-error.ts';
import type { Backends } from './open-backends.ts';

/** The rebuild thread's message, in one line. */
export interface RenewalNews {
  isFault: boolean;
  line: string;
}

export interface Renewal {
  /** Ends a running rebuild; the next start resumes it. */
  stop(): Promise<void>;
}

/** How long a rebuild may take to end by itself, in milliseconds: it checks the signal between two transactions. */
const stopTimeoutMs = 3_000;

const nothingToDo: Renewal = { stop: async () => {} };

/**
 * Checks whether the live index has the form that this version writes, for example after an upgrade. The embedded one
 * is rebuilt in place, in a thread beside the service, which keeps answering; in production the sync does that, and a
 * line says so.
 */
export async function renewIndex(
  { kind, maintenance }: Pick<Backends, 'kind' | 'maintenance'>,
  dataDir: string,
  logLine: (news: RenewalNews) => void,
): Promise<Renewal> {
  const outdated = await findOutdated(maintenance);
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
async function findOutdated(maintenance: IndexMaintenance): Promise<string | null> {
  try {
    const live = await maintenance.findLive();
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
