import type { Command } from 'commander';
import { withReadyBackends } from '#indexer/open-indexer.ts';
import type { IndexStatus } from '#search/indexed/index-maintenance.ts';
import { type JsonFlag, printJson, printResult } from '#src/command-line/command-line.ts';
import { formatNumber } from '#text/printed.ts';

export function addTo(program: Command): void {
  program
    .command('status')
    .description('show the live index, how far it is behind the records, and which jobs are running')
    .option('--dead-letters', 'print the records that could not be indexed, and why, as NDJSON')
    .action(showStatus);
}

async function showStatus({ deadLetters = false, json }: JsonFlag & { deadLetters?: boolean }): Promise<void> {
  await withReadyBackends(async ({ maintenance }) => {
    if (!deadLetters) return printResult(await maintenance.readStatus(new Date()), describeStatus, json);
    const deadLetterList = [];
    for await (const deadLetter of maintenance.readDeadLetters()) deadLetterList.push(deadLetter);
    if (json) printJson(deadLetterList);
    else for (const deadLetter of deadLetterList) printJson(deadLetter);
  });
}

function describeStatus(status: IndexStatus): string {
  const { index, is_current, kept, outdated, stored, indexed, indexed_contacts, suppressions, dead_letters } = status;
  const { lag_seconds, is_followed, locks } = status;
  return [
    index === null ? 'There is no index yet. To build one: npm run indexer -- reindex' : `Searched:      ${index}`,
    ...(is_current === false ? ['Form:          outdated. To build a new index: npm run indexer -- reindex'] : []),
    `Kept:          ${kept.length === 0 ? 'none' : kept.join(', ')}`,
    ...(outdated.length === 0 ? [] : [`Outdated:      ${outdated.join(', ')}`]),
    `Records:       ${formatNumber(stored)} in the store, ${formatNumber(indexed)} in the index`,
    `Contacts:      ${formatNumber(indexed_contacts)} in the index`,
    `Suppressions:  ${formatNumber(suppressions)}`,
    `Dead letters:  ${formatNumber(dead_letters)}`,
    `Behind:        ${lag_seconds === null ? 'unknown' : `${lag_seconds.toFixed(1)} s`}${is_followed ? '' : ', and no sync is running: npm run indexer -- sync'}`,
    ...locks.map(({ job, holder, since }) => `Running:       ${job}, by ${holder}, since ${since}`),
  ].join('\n');
}
