import { faultOfReason } from '#domain/read-suppression.ts';
import { describeKey, showKey } from '#domain/suppression.ts';
import type { SuppressionSummary, UnsuppressionSummary } from '#ports/index-maintenance.ts';
import type { GivenSuppressions } from '#src/suppressing/read-suppressions.ts';
import { doAudited } from '#usecases/do-audited.ts';
import { print, printError, printJson, UsageError } from '../command-line.ts';
import { printTable } from '../print-table.ts';
import { countRecords, createProgressDisplay } from '../progress.ts';
import { readKeys } from './read-keys.ts';
import { withBackends } from './with-backends.ts';

export interface SuppressFlags extends GivenSuppressions {
  reason?: string;
  dryRun?: boolean;
  json?: boolean;
}

/** `suppress` */
export async function runSuppress({ reason, dryRun = false, json = false, ...given }: SuppressFlags): Promise<void> {
  const fault = reason === undefined ? null : faultOfReason(reason);
  if (fault !== null) throw new UsageError(fault);
  const keys = await readKeys(given);
  await withBackends(async ({ maintenance, whenPrepared }, { auditor }) => {
    await whenPrepared();
    if (dryRun) {
      const hidden = (await maintenance.findVisible(keys)).length;
      if (json) printJson({ hidden });
      else print(`${count(hidden, 'record')} would be hidden.`);
      return;
    }
    const addedAt = new Date().toISOString();
    const summary = await doAudited(auditor, {
      action: 'suppress',
      subjects: keys.map(describeKey),
      work: () => maintenance.suppress(keys.map((key) => ({ key, reason: reason ?? null, addedAt }))),
      describe: describeAdded,
    });
    if (json) printJson(summary);
    else print(describeAdded(summary));
  });
}

function describeAdded({ added, known, hidden }: SuppressionSummary): string {
  const before = known === 0 ? '' : ` (${known} already on the list)`;
  return `${count(added, 'suppression')} added${before}, ${count(hidden, 'record')} hidden.`;
}

function count(number: number, thing: string): string {
  return `${number} ${thing}${number === 1 ? '' : 's'}`;
}

export interface UnsuppressFlags extends GivenSuppressions {
  json?: boolean;
}

/** `unsuppress` */
export async function runUnsuppress({ json = false, ...given }: UnsuppressFlags): Promise<void> {
  const keys = await readKeys(given);
  await withBackends(async ({ maintenance, records, whenPrepared }, { auditor }) => {
    await whenPrepared();
    const display = createProgressDisplay(json);
    const show = countRecords(display, await records.count());
    const onProgress = (read: number) => show('looking', read);
    const summary = await doAudited(auditor, {
      action: 'unsuppress',
      subjects: keys.map(describeKey),
      work: () => maintenance.unsuppress(keys, onProgress).finally(display.stop),
      describe: describeRemoved,
    });
    if (json) printJson(summary);
    else print(describeRemoved(summary));
    const unknown = keys.length - summary.removed;
    if (unknown === 0) return;
    printError(`masthead: ${unknown} of the entries ${unknown === 1 ? 'was' : 'were'} not on the list.`);
    process.exitCode = 1;
  });
}

function describeRemoved({ removed, shown }: UnsuppressionSummary): string {
  return `${count(removed, 'suppression')} removed, ${count(shown, 'record')} can be found again.`;
}

/** `suppressions` */
export async function listSuppressions(json: boolean): Promise<void> {
  await withBackends(async ({ suppressions }) => {
    const rows = (await suppressions.list()).map(({ key, reason, addedAt }) => ({
      ...showKey(key),
      reason,
      added_at: addedAt,
    }));
    if (json) printJson(rows);
    else printTable(rows, 'Nothing is suppressed.');
  });
}
