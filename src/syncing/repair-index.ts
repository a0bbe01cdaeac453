import type { Difference, Verification } from '#ports/index-maintenance.ts';
import { compareIndex } from './compare-index.ts';
import type { GenerationWriter } from './generation-writer.ts';
import type { SyncDeps } from './sync-deps.ts';

/** The result of the comparison. */
export type ComparisonSummary = Omit<Verification, 'index'>;

export interface ComparisonOptions {
  /** See compareIndex. */
  settle: () => Promise<void>;
  /** Whether differences are fixed. */
  repairs: boolean;
  onProgress?: ((compared: number) => void) | undefined;
}

const maxExamples = 100;

/** Compares all records with a generation, and fixes differences if requested, with the same writes as any change. */
export async function compareAndRepair(
  syncDeps: SyncDeps,
  writer: GenerationWriter,
  { settle, repairs, onProgress }: ComparisonOptions,
): Promise<ComparisonSummary> {
  const summary: ComparisonSummary = { compared: 0, missing: 0, extra: 0, stale: 0, examples: [] };
  const follow = (compared: number) => {
    summary.compared = compared;
    onProgress?.(compared);
  };
  for await (const differences of compareIndex(syncDeps, writer, settle, follow)) {
    for (const difference of differences) {
      summary[difference.is] += 1;
      if (summary.examples.length < maxExamples) summary.examples.push(difference);
    }
    if (repairs) await repair(syncDeps, writer, differences);
  }
  return summary;
}

export function countDifferences({ missing, extra, stale }: ComparisonSummary): number {
  return missing + extra + stale;
}

async function repair(
  { source, generations }: SyncDeps,
  writer: GenerationWriter,
  differences: readonly Difference[],
): Promise<void> {
  if (differences.length === 0) return;
  const { version } = await source.now();
  const versions = new Map(differences.map(({ id }) => [id, version]));
  await writer.write(writer.prepareStates(versions, await source.read([...versions.keys()])));
  await generations.refresh(writer.index);
}
