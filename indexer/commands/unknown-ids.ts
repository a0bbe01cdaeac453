import type { MergedIds } from '#records/record-store.ts';
import { reportFault } from '#src/command-line/command-line.ts';

/** Says which ids have no record, and which were merged into another one. */
export async function reportUnknown(mergedIds: Pick<MergedIds, 'resolve'>, ids: readonly string[]): Promise<void> {
  const kept = await mergedIds.resolve(ids);
  for (const [id, keptId] of kept) {
    reportFault(`${id} was merged into ${keptId}. Use ${keptId}, or run unmerge ${id} first.`);
  }
  const unknown = ids.filter((id) => !kept.has(id));
  if (unknown.length > 0) reportFault(`No record has the id ${unknown.join(', ')}.`);
}
