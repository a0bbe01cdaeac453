import { doAudited } from '#accounts/do-audited.ts';
import { withBackends, withNewBackends, withReadyBackends } from '#indexer/open-indexer.ts';
import type { MergedIds } from '#records/record-store.ts';
import { describeKey, faultOfReason, showKey, suppressionKey } from '#records/suppression.ts';
import type { SuppressionSummary, UnsuppressionSummary } from '#search/index-maintenance.ts';
import {
  countOf,
  type JsonFlag,
  printJson,
  printResult,
  reportFault,
  UsageError,
} from '#src/command-line/command-line.ts';
import { printTable } from '#src/command-line/output.ts';
import { countRecords } from '#src/command-line/progress.ts';
import { type GivenSuppressions, readSuppressions } from './read-suppressions.ts';

interface SuppressFlags extends GivenSuppressions, JsonFlag {
  reason?: string;
  dryRun?: boolean;
}

/** `suppress` */
export async function suppress({ reason, dryRun = false, json, ...given }: SuppressFlags): Promise<void> {
  const fault = reason === undefined ? null : faultOfReason(reason);
  if (fault !== null) throw new UsageError(fault);
  const named = await readSuppressions(given);
  await withNewBackends(async (backends) => {
    const { records, maintenance, mergedIds } = backends;
    await backends.whenPrepared();
    const merged = await mergedIds.resolve(recordsOf(named));
    for (const [id, keptId] of merged) {
      reportFault(`${id} was merged into ${keptId}. Suppress ${keptId}, which hides both, or run unmerge ${id} first.`);
    }
    if (merged.size > 0) return;
    const keys = await withMergedIds(mergedIds, named);
    const found = await Promise.all(recordsOf(named).map(async (id) => ({ id, record: await records.find(id) })));
    const unknown = found.flatMap(({ id, record }) => (record === null ? [id] : []));
    if (dryRun) {
      const hidden = (await maintenance.findVisible(keys)).length;
      const would = `${countOf(hidden, 'record')} would be hidden.`;
      printResult({ hidden, unknown }, () => [would, ...describeUnknown(unknown)].join('\n'), json);
      return;
    }
    const addedAt = new Date().toISOString();
    const summary = await doAudited(backends, {
      action: 'suppress',
      subjects: keys.map(describeKey),
      work: () => maintenance.suppress(keys.map((key) => ({ key, reason: reason ?? null, addedAt }))),
      describe: describeAdded,
    });
    const lines = [describeAdded(summary), ...describeUnknown(unknown), ...(summary.hidden > 0 ? [whatStays] : [])];
    printResult({ ...summary, unknown }, () => lines.join('\n'), json);
  });
}

const whatStays =
  'Hidden records stay in the store with all their values. To delete one: npm run indexer -- delete ID --for-good';

function describeUnknown(ids: readonly string[]): string[] {
  return ids.length === 0 ? [] : [`No record has the id ${ids.join(', ')} so far. It is hidden if it is imported.`];
}

/** The ids of records among keys of suppressions. */
function recordsOf(keys: readonly string[]): string[] {
  return keys.flatMap((key) => {
    const { kind, value } = showKey(key);
    return kind === 'record' ? [value] : [];
  });
}

/** The keys, and those of the ids that were merged into one of their records: an undo must not show them again. */
async function withMergedIds(mergedIds: Pick<MergedIds, 'listLeadingTo'>, keys: readonly string[]): Promise<string[]> {
  const leading = await mergedIds.listLeadingTo(recordsOf(keys));
  return [...new Set([...keys, ...leading.map((id) => suppressionKey('record', id))])];
}

function describeAdded({ added, known, hidden }: SuppressionSummary): string {
  const before = known === 0 ? '' : ` (${known} already on the list)`;
  return `${countOf(added, 'suppression')} added${before}, ${countOf(hidden, 'record')} hidden.`;
}

/** `unsuppress` */
export async function unsuppress({ json, ...given }: GivenSuppressions & JsonFlag): Promise<void> {
  const named = await readSuppressions(given);
  await withReadyBackends(async (backends) => {
    const keys = await withMergedIds(backends.mergedIds, named);
    const progress = countRecords(await backends.records.count(), json);
    const onProgress = (read: number) => progress.show('looking', read);
    const summary = await doAudited(backends, {
      action: 'unsuppress',
      subjects: keys.map(describeKey),
      work: () => backends.maintenance.unsuppress(keys, onProgress).finally(progress.stop),
      describe: describeRemoved,
    });
    printResult(summary, describeRemoved, json);
    const unknown = keys.length - summary.removed;
    if (unknown > 0) reportFault(`${unknown} of the entries ${unknown === 1 ? 'was' : 'were'} not on the list.`);
  });
}

function describeRemoved({ removed, shown }: UnsuppressionSummary): string {
  return `${countOf(removed, 'suppression')} removed, ${countOf(shown, 'record')} can be found again.`;
}

/** `suppressions` */
export async function listSuppressions({ json }: JsonFlag): Promise<void> {
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
