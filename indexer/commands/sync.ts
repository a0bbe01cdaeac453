import type { Command } from 'commander';
import { doAudited } from '#accounts/audit.ts';
import { withReadyBackends } from '#indexer/open-indexer.ts';
import { describeRebuildForAudit } from '#search/indexed/index-maintenance.ts';
import { type JsonFlag, printError, printJson, printResult } from '#src/command-line/command-line.ts';
import { loadConfig } from '#src/settings/config.ts';
import { countOf } from '#text/printed.ts';
import { followChanges } from '../syncing/follow-changes.ts';
import { describeOtherForm } from '../syncing/generations.ts';

/** How long a batch may take to end after a signal, in milliseconds. */
const graceMs = 10_000;

export function addTo(program: Command): void {
  program.command('sync').description('keep the search index up to date, until SIGTERM or SIGINT').action(sync);
}

async function sync({ json }: JsonFlag): Promise<void> {
  // Loaded only here, so that `indexer --help` does not wait for the code of a server.
  const { startMetricsServer } = await import('#http/start-server.ts');
  const { createSyncMetrics } = await import('#src/metrics/metrics.ts');
  const logLine = (line: string) => printError(`masthead: ${line}`);
  const report = reportChanges(logLine);
  const metrics = createSyncMetrics();
  let changes = 0;
  let beatAt: number | null = null;
  const listener = await startMetricsServer(loadConfig().metrics, metrics.registry, logLine, () => listMissing(beatAt));
  try {
    await withReadyBackends(async (backends) => {
      const rebuild = (signal?: AbortSignal) =>
        doAudited(backends, {
          action: 'reindex',
          subjects: ['search index, by the sync'],
          work: () => backends.maintenance.rebuild({ allowsShrink: false, ...(signal && { signal }) }),
          describe: describeRebuildForAudit,
        });
      if (backends.syncDeps === null) {
        const live = await backends.maintenance.findLive();
        if (live?.isCurrent === false) {
          logLine(`${describeOtherForm(live)}: rebuilding it.`);
          await rebuild();
        }
        const inSync = 'The embedded index changes with every write. There is nothing to do.';
        printResult({ follows_itself: true, changes: 0 }, () => inSync, json);
        return;
      }
      // Only from here on. While the process waits for engines, a signal ends it at once.
      const stop = new AbortController();
      for (const signal of ['SIGTERM', 'SIGINT'] as const) {
        process.once(signal, () => {
          stop.abort();
          // An engine that does not answer would keep it. The next sync writes again what was under way.
          setTimeout(() => process.exit(), graceMs).unref();
        });
      }
      await followChanges({
        syncDeps: backends.syncDeps,
        signal: stop.signal,
        rebuild,
        logLine,
        onRetry: () => metrics.retries.inc(),
        onWritten(progress) {
          beatAt = performance.now();
          metrics.countWritten(progress);
          report(progress.events, progress.until);
          changes += progress.events;
        },
      });
      if (json) printJson({ follows_itself: false, changes });
    });
  } finally {
    await listener?.drain(0);
  }
}

const betweenLinesMs = 5_000;

/** Reports written changes every few seconds. `until` is the time up to which the index has every change. */
function reportChanges(logLine: (line: string) => void): (events: number, until: Date) => void {
  let since = performance.now();
  let changes = 0;
  return (events, until) => {
    if (changes + events === 0) since = performance.now();
    changes += events;
    const seconds = (performance.now() - since) / 1_000;
    if (changes === 0 || seconds * 1_000 < betweenLinesMs) return;
    const behind = Math.max(0, Date.now() - until.getTime()) / 1_000;
    logLine(`${countOf(changes, 'change')} written, ${Math.round(changes / seconds)}/s; ${behind.toFixed(1)} s behind`);
    changes = 0;
    since = performance.now();
  };
}

/** Seconds without a batch after which the sync counts as stuck. Without changes, it reads two empty ones a second. */
const maxLag = 30;

/** What is wrong if the last batch reached the index at this moment, in words; empty while the sync follows the records. */
function listMissing(beatAt: number | null): string[] {
  if (beatAt === null) return ['up-to-date index: the sync does not follow the records yet'];
  const seconds = Math.round((performance.now() - beatAt) / 1_000);
  return seconds <= maxLag ? [] : [`up-to-date index: nothing has reached it for ${seconds} seconds`];
}
