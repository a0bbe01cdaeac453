import { withBackends } from '#indexer/open-indexer.ts';
import { type JsonFlag, printResult, reportFault } from '#src/command-line/command-line.ts';
import { describeField, describeSource, type ShownChange, showHistory } from './change-sets.ts';

/** Changes that `history` prints at most. */
const maxChanges = 1_000;

/** `history` */
export async function printHistory(given: string, { json }: JsonFlag): Promise<void> {
  const id = given.trim();
  await withBackends(async ({ changes, records }) => {
    const history = await showHistory(changes, id, maxChanges);
    if (history.length === 0 && (await records.find(id)) === null) {
      reportFault('No record has this id, and no change of it is kept.');
      return;
    }
    printResult(history, describeHistory, json);
  });
}

function describeHistory(history: readonly ShownChange[]): string {
  if (history.length === 0) return 'No change of it is kept.';
  return history
    .flatMap((change) => [
      describeSource(change),
      ...Object.entries(change.fields).map((field) => `  ${describeField(field)}`),
    ])
    .join('\n');
}
