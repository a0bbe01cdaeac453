import type { Command } from 'commander';
import { doAudited } from '#accounts/audit.ts';
import { withReadyBackends } from '#indexer/open-indexer.ts';
import { describeRebuildForAudit, type RebuildSummary } from '#search/indexed/index-maintenance.ts';
import { type JsonFlag, printResult, readNumber, reportFault, UsageError } from '#src/command-line/command-line.ts';
import { countRecords } from '#src/command-line/progress.ts';
import { loadConfig } from '#src/settings/config.ts';
import { jobTimeoutMs } from '#src/start/open-backends.ts';
import { countOf, formatNumber } from '#text/printed.ts';

interface ReindexOptions extends JsonFlag {
  allowShrink?: boolean;
  workers: number;
}

export function addTo(program: Command): void {
  program
    .command('reindex')
    .description('build a new search index from the records; exits with 0 only if every record was indexed')
    .option(
      '--workers <n>',
      'fill it in so many threads of 130 MB, for a machine with more than two cores (Elasticsearch)',
      readNumber(1, 64),
      1,
    )
    .option('--allow-shrink', 'publish it even if it has far fewer records than the live index')
    .action(reindex);
}

async function reindex({ allowShrink = false, workers: count, json }: ReindexOptions): Promise<void> {
  const { mongoUri } = loadConfig();
  if (count > 1 && mongoUri === null) {
    throw new UsageError('--workers is for MongoDB and Elasticsearch: the embedded index is written by one thread.');
  }
  const isAhead = mongoUri !== null && (await isOfEarlierVersion(mongoUri));
  await withReadyBackends(
    async (backends) => {
      const progress = countRecords(await backends.records.count(), { isSilent: json });
      const summary = await doAudited(backends, {
        action: 'reindex',
        subjects: ['search index'],
        work: () =>
          backends.maintenance
            .rebuild({
              allowsShrink: allowShrink,
              onProgress: progress.show,
              workers: count > 1 ? { count, isAhead } : undefined,
            })
            .finally(progress.stop),
        describe: describeRebuildForAudit,
      });
      printResult(summary, describeRebuild, json);
      if (summary.deadLetters === 0) return;
      reportFault(
        `${countOf(summary.deadLetters, 'record')} could not be indexed. To see why: npm run indexer -- status --dead-letters`,
      );
    },
    { isAhead, timeoutMs: jobTimeoutMs },
  );
}

/** Whether an earlier version goes on with the store: then this only reads it, and the next start of this version upgrades it. */
async function isOfEarlierVersion(mongoUri: string): Promise<boolean> {
  const { listPendingSteps } = await import('#backends/mongo/upgrade-store.ts');
  return (await listPendingSteps(mongoUri)).length > 0;
}

function describeRebuild(summary: RebuildSummary): string {
  const { index, indexed, replaced, repaired, seconds, read: recordCount, fillSeconds } = summary;
  const rate = formatNumber(Math.round(recordCount / fillSeconds));
  if (replaced?.index === index) {
    return `${countOf(indexed, 'record')} indexed again in place in ${seconds.toFixed(1)} s (${rate}/s). The index held ${countOf(replaced.records, 'record')} before.`;
  }
  return [
    `${countOf(indexed, 'record')} indexed and compared in ${seconds.toFixed(1)} s (filled at ${rate}/s). ${index} is live now.`,
    ...(replaced === null ? [] : [`It replaces ${replaced.index} (${countOf(replaced.records, 'record')}).`]),
    ...(repaired === 0 ? [] : [`${countOf(repaired, 'record')} differed when compared and had to be rewritten.`]),
  ].join('\n');
}
