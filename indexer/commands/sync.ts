import { print, printError, printJson } from '#src/command-line.ts';
import { loadConfig } from '#src/config.ts';
import { createSyncMetrics } from '#src/metrics/create-sync-metrics.ts';
import { serveMetrics } from '#src/serve-metrics.ts';
import { doAudited } from '../audited.ts';
import { describeRebuildForAudit } from '../upkeep/describe-upkeep.ts';
import { followChanges } from '../upkeep/follow-changes.ts';
import { rebuildIndex } from '../upkeep/rebuild-index.ts';
import { describeOtherForm } from '../upkeep/require-current.ts';
import { ChangeDisplay } from '../upkeep/show-changes.ts';
import { SyncPulse } from '../upkeep/sync-pulse.ts';
import { withUpkeep } from './with-backends.ts';

/** `sync` */
export async function runSync(json: boolean): Promise<void> {
  const say = (line: string) => printError(`masthead: ${line}`);
  const display = new ChangeDisplay(say);
  const metrics = createSyncMetrics();
  let changes = 0;
  const pulse = new SyncPulse();
  const listener = await serveMetrics(loadConfig().metrics, metrics.registry, say, () => pulse.listMissing());
  try {
    await withUpkeep(async (upkeep, { followsItself, auditor }) => {
      const rebuild = (signal?: AbortSignal) =>
        doAudited(auditor, {
          action: 'reindex',
          subjects: ['search index, by the sync'],
          work: () => rebuildIndex(upkeep, { allowsShrink: false, ...(signal && { signal }) }),
          describe: describeRebuildForAudit,
        });
      if (followsItself) {
        const served = await upkeep.generations.findServed();
        if (served?.isCurrent === false) {
          say(`${describeOtherForm(served)}: building a new one.`);
          await rebuild();
        }
        if (json) printJson({ follows_itself: true, changes: 0 });
        else print('The embedded index follows every write in the same transaction: there is nothing to do.');
        return;
      }
      // Until here, while engines are waited for, a signal ends the process at once.
      const stop = new AbortController();
      for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stop.abort());
      await followChanges({
        upkeep,
        signal: stop.signal,
        rebuild,
        say,
        onRetry: () => metrics.retries.inc(),
        onWritten(written) {
          pulse.beat();
          metrics.countWritten(written);
          display.note(written.events, written.until);
          changes += written.events;
        },
      });
      if (json) printJson({ follows_itself: false, changes });
    });
  } finally {
    await listener?.drain(0);
  }
}
