import type { Command } from 'commander';
import { doAudited } from '#accounts/audit.ts';
import { withReadyBackends } from '#indexer/open-indexer.ts';
import type { Verification } from '#search/indexed/index-maintenance.ts';
import { type JsonFlag, printResult } from '#src/command-line/command-line.ts';
import { countRecords } from '#src/command-line/progress.ts';
import { countOf, formatNumber } from '#text/printed.ts';
import { countDifferences } from '../syncing/compare-index.ts';

export function addTo(program: Command): void {
  program
    .command('verify')
    .description('compare the whole search index with the records; exits with 0 only if they match in the end')
    .option('--repair', 'fix the differences')
    .action(verify);
}

async function verify({ repair = false, json }: JsonFlag & { repair?: boolean }): Promise<void> {
  await withReadyBackends(async (backends) => {
    const progress = countRecords(await backends.records.count(), { isSilent: json });
    const onProgress = (recordCount: number) => progress.show('comparing', recordCount);
    const compare = () => backends.maintenance.verify({ repairs: repair, onProgress }).finally(progress.stop);
    const verification = repair
      ? await doAudited(backends, {
          action: 'repair',
          subjects: ['search index'],
          work: compare,
          describe: ({ index, compared: recordCount, missing, extra, stale }) =>
            `${index}: ${recordCount} compared; fixed: ${missing} missing, ${extra} extra, ${stale} stale`,
        })
      : await compare();
    printResult(verification, () => describeComparison(verification, repair), json);
    if (countDifferences(verification) > 0 && !repair) process.exitCode = 1;
  });
}

function describeComparison(verification: Verification, repairs: boolean): string {
  const { index, compared: recordCount, missing, extra, stale, examples } = verification;
  const differenceCount = countDifferences(verification);
  if (differenceCount === 0) return `${index} matches the ${countOf(recordCount, 'record')} in the store.`;
  const kinds = Object.entries({ missing, extra, stale }).filter(([, number]) => number > 0);
  return [
    `${index} differed from the ${countOf(recordCount, 'record')} in the store in ${formatNumber(differenceCount)}: ${kinds.map(([kind, number]) => `${formatNumber(number)} ${kind}`).join(', ')}.`,
    ...examples.map(({ id, is }) => `  ${is} ${id}`),
    ...(examples.length < differenceCount ? ['  …'] : []),
    repairs ? 'They were fixed.' : 'To fix them: npm run indexer -- verify --repair',
  ].join('\n');
}
