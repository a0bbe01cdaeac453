import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { doAudited } from '#accounts/audit.ts';
import { describeRebuildForAudit } from '#search/index-maintenance.ts';
import { Problem, StartupError } from '#src/problem.ts';
import { countOf } from '#text/printed.ts';
import { type Backends, operatorName } from './open-backends.ts';

type LogLine = (level: 'info' | 'warn', line: string) => void;

/** How long a rebuild may take to end by itself, in milliseconds: it checks the signal between two transactions. */
const stopTimeoutMs = 3_000;

/**
 * Checks whether the live index has this version's indexVersion, for example after an upgrade. The embedded one is
 * rebuilt in place, in a thread beside the service, which keeps answering; in production the sync does that, and a line
 * says so. Returns what ends a running rebuild; the next start begins again.
 */
export async function renewIndex(
  { kind, findLive }: Pick<Backends, 'kind' | 'findLive'>,
  dataDir: string,
  logLine: LogLine,
): Promise<() => Promise<void>> {
  const live = await findLive().catch((error) => {
    if (error instanceof Problem || error instanceof StartupError) return null;
    throw error;
  });
  if (live === null || live.isCurrent) return async () => {};
  const line = `the search index ${live.index} was built by other rules than this version's`;
  if (kind === 'production') {
    logLine('warn', `${line}. To build a new one, run this version of: npm run indexer -- sync`);
    return async () => {};
  }
  logLine('info', `${line}: rebuilding it`);
  const worker = new Worker(new URL(import.meta.url), { workerData: dataDir });
  const ended = new Promise((resolve) => worker.once('exit', resolve));
  worker.on('message', ([level, news]: Parameters<LogLine>) => logLine(level, news));
  worker.on('error', ({ message }) => logLine('warn', `the search index could not be built: ${message}`));
  return async () => {
    worker.postMessage('stop');
    const timer = setTimeout(() => worker.terminate(), stopTimeoutMs);
    await ended;
    clearTimeout(timer);
  };
}

if (!isMainThread && parentPort !== null && typeof workerData === 'string') {
  const stop = new AbortController();
  const port = parentPort;
  port.once('message', () => stop.abort());
  await rebuild(workerData, stop.signal, (...news) => port.postMessage(news)).finally(() => port.close());
}

/** Rebuilds the index of an embedded store, on connections of its own, until it is done or told to stop. */
async function rebuild(dataDir: string, signal: AbortSignal, logLine: LogLine): Promise<void> {
  const { openEmbedded } = await import('#backends/embedded/open-embedded.ts');
  const backends = openEmbedded({ dataDir, logLine: (line) => logLine('info', line) });
  try {
    const { indexed } = await doAudited(
      { audit: backends.audit, operator: operatorName() },
      {
        action: 'reindex',
        subjects: ['search index, at the start of the service'],
        work: () => backends.maintenance.rebuild({ allowsShrink: false, signal }),
        describe: describeRebuildForAudit,
      },
    );
    logLine('info', `rebuilt the search index: ${countOf(indexed, 'record')}`);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    if (!signal.aborted) logLine('warn', `the search index was not rebuilt: ${reason} Run: npm run indexer -- reindex`);
  } finally {
    await backends.close();
  }
}
