import type { Command } from 'commander';
import { doAudited } from '#accounts/audit.ts';
import { withReadyBackends } from '#indexer/open-indexer.ts';
import { describeRebuildForAudit } from '#search/index-maintenance.ts';
import { countOf, type JsonFlag, printError, printJson, printResult } from '#src/command-line/command-line.ts';
import { loadConfig } from '#src/settings/config.ts';
import { followChanges } from '../syncing/follow-changes.ts';
import { describeOtherForm } from '../syncing/generations.ts';

export function addTo(program: Command): void {
  program.command('sync').description('keep the search index up to date, until SIGTERM or SIGINT').action(sync);
}

async function sync({ json }: JsonFlag): Promise<void> {
  // Loaded only here: `indexer --help` does not wait for what a server takes.
  const { startMetricsServer } = await import('#http/start-metrics-server.ts');
  const { createSyncMetrics } = await import('#src/metrics/create-sync-metrics.ts');
  const logLine = (line: string) => printError(`masthead: ${line}`);
  const report = reportChanges(logLine);
  const metrics = createSyncMetrics();
  let changes = 0;
  const pulse = new SyncPulse();
  const listener = await startMetricsServer(loadConfig().metrics, metrics.registry, logLine, () => pulse.listMissing());
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
      // Until then, while engines are waited for, a signal ends the process at once.
      const stop = new AbortController();
      for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stop.abort());
      await followChanges({
        syncDeps: backends.syncDeps,
        signal: stop.signal,
        rebuild,
        logLine,
        onRetry: () => metrics.retries.inc(),
        onWritten(written) {
          pulse.beat();
          metrics.countWritten(written);
          report(written.events, written.until);
          changes += written.events;
        },
      });
      if (json) printJson({ follows_itself: false, changes });
    });
  } finally {
    await listener?.drain(0);
  }
}

const numbers = new Intl.NumberFormat('en');
const betweenLinesMs = 5_000;

/**
 * Reports every few seconds with changes how many were written, and how far the index is behind.
 *
 * @returns takes what was written, and the time up to which the index has every change
 */
function reportChanges(logLine: (line: string) => void): (events: number, until: Date) => void {
  let since = performance.now();
  let changes = 0;
  return (events, until) => {
    if (changes + events === 0) since = performance.now();
    changes += events;
    const seconds = (performance.now() - since) / 1_000;
    if (changes === 0 || seconds * 1_000 < betweenLinesMs) return;
    const behind = Math.max(0, Date.now() - until.getTime()) / 1_000;
    const rate = numbers.format(Math.round(changes / seconds));
    logLine(`${countOf(changes, 'change')} written, ${rate}/s; ${behind.toFixed(1)} s behind`);
    changes = 0;
    since = performance.now();
  };
}

/**
 * How long the sync may take for one batch before it counts as stuck, in milliseconds. If nothing changes it reads an
 * empty batch twice a second.
 */
const maxLagMs = 30_000;

/** Whether the sync keeps the index up to date, that is, whether batches keep reaching it. */
class SyncPulse {
  readonly #now: () => number;
  #beatAt: number | null = null;

  /** @param now milliseconds since any moment */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** A batch is stored in the index. */
  beat(): void {
    this.#beatAt = this.#now();
  }

  /** What is missing, in words; empty while the sync follows the records. */
  listMissing(): string[] {
    if (this.#beatAt === null) return ['up-to-date index: the sync does not follow the records yet'];
    const seconds = Math.round((this.#now() - this.#beatAt) / 1000);
    return seconds * 1000 <= maxLagMs ? [] : [`up-to-date index: nothing has reached it for ${seconds} seconds`];
  }
}
