import { setTimeout as pause } from 'node:timers/promises';
import { isWithoutRecord } from '#backends/elasticsearch/generation-contents.ts';
import type { IdRange } from '#backends/mongo/mongo-record-source.ts';
import { deadLetterId } from '#records/normalize/normalize-values.ts';
import type { Difference, Verification, VerifyOptions } from '#search/indexed/index-maintenance.ts';
import type { SyncDeps } from '#src/start/open-backends.ts';
import { GenerationWriter } from './generation-writer.ts';
import { describeOtherForm } from './generations.ts';

/** How an id differed, with the expected and the actual digest; null for none. */
interface Sighting {
  is: Difference['is'];
  wantedDigest: string | null;
  indexedDigest: string | null;
}

interface Suspect {
  range: IdRange;
  sightings: ReadonlyMap<string, Sighting>;
}

/** A limit for reading a range again: it may have grown meanwhile, but never that much. */
const maxInRange = 100_000;
/** How many differences are collected before they are looked at again. */
const maxSuspects = 5_000;
const maxExamples = 100;

type ComparisonSummary = Omit<Verification, 'index'>;

interface ComparisonOptions {
  /** Resolves when every change until now is in the index, or among the dead letters. */
  settle: () => Promise<void>;
  repairs: boolean;
  onProgress?: ((recordCount: number) => void) | undefined;
}

/** Compares all records with a generation. `repairs`: also fixes differences, by writing the records as for any change. */
export async function compareAndRepair(
  syncDeps: SyncDeps,
  writer: GenerationWriter,
  { settle, repairs, onProgress }: ComparisonOptions,
): Promise<ComparisonSummary> {
  const summary: ComparisonSummary = { compared: 0, missing: 0, extra: 0, stale: 0, examples: [] };
  const follow = (recordCount: number) => {
    summary.compared = recordCount;
    onProgress?.(recordCount);
  };
  for await (const differences of compare(syncDeps, writer, settle, follow)) {
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

/**
 * Compares one range of ids after another. Records change meanwhile, so differences are looked at again once the index has
 * every change until then. A difference counts only if the record and the index are both still the same as before.
 */
async function* compare(
  { source, generations, deadLetters }: SyncDeps,
  writer: GenerationWriter,
  settle: () => Promise<void>,
  onProgress: (recordCount: number) => void,
): AsyncGenerator<Difference[]> {
  const compareRange = async (range: IdRange, states: Awaited<ReturnType<typeof source.readRange>>) => {
    const indexedDigests = await generations.readDigests(writer.index, range);
    const sightings = new Map<string, Sighting>();
    const wantedIds = new Set<string>();
    for (const [id, state] of states) {
      const record = writer.recordToFind(state);
      if (record === null) continue;
      wantedIds.add(id);
      const wantedDigest = generations.digestOf(record);
      const has = indexedDigests.get(id) ?? null;
      if (has === wantedDigest) continue;
      const isMissing = has === null || isWithoutRecord(has);
      sightings.set(id, { is: isMissing ? 'missing' : 'stale', wantedDigest, indexedDigest: has });
    }
    for (const [id, digest] of indexedDigests) {
      if (!wantedIds.has(id)) sightings.set(id, { is: 'extra', wantedDigest: null, indexedDigest: digest });
    }
    return sightings;
  };

  const lookAgain = async (suspects: readonly Suspect[]): Promise<Difference[]> => {
    await settle();
    await generations.refresh(writer.index);
    const confirmed: Difference[] = [];
    for (const { range, sightings } of suspects) {
      const again = await compareRange(range, await source.readRange(range, maxInRange));
      for (const [id, { is, wantedDigest, indexedDigest }] of again) {
        const before = sightings.get(id);
        if (before?.wantedDigest === wantedDigest && before.indexedDigest === indexedDigest) confirmed.push({ id, is });
      }
    }
    // A record that is a dead letter is known to be missing.
    const dead = await deadLetters.findAmong(confirmed.map(({ id }) => deadLetterId(id)));
    return confirmed.filter(({ id, is }) => is !== 'missing' || !dead.has(deadLetterId(id)));
  };

  await generations.refresh(writer.index);
  let suspects: Suspect[] = [];
  let recordCount = 0;
  for await (const { range, states } of source.readPages({ after: '', upTo: null })) {
    const sightings = await compareRange(range, states);
    if (sightings.size > 0) suspects.push({ range, sightings });
    recordCount += states.size;
    onProgress(recordCount);
    if (suspects.reduce((sum, suspect) => sum + suspect.sightings.size, 0) >= maxSuspects) {
      yield await lookAgain(suspects);
      suspects = [];
    }
  }
  if (suspects.length > 0) yield await lookAgain(suspects);
}

async function repair(
  { source, generations }: SyncDeps,
  writer: GenerationWriter,
  differences: readonly Difference[],
): Promise<void> {
  if (differences.length === 0) return;
  const { version } = await source.now();
  const versions = new Map(differences.map(({ id }) => [id, version]));
  await writer.write(await writer.prepareStates(versions, await source.read([...versions.keys()])));
  await generations.refresh(writer.index);
  await generations.removeStrayContacts(writer.index, [...versions.keys()], version);
  await generations.refresh(writer.index);
}

const syncTimeoutMs = 30_000;
const pollMs = 100;

/** See IndexMaintenance.verify. Refuses an index of another indexVersion, because every record in it may differ. */
export async function verifyIndex(syncDeps: SyncDeps, { repairs, onProgress }: VerifyOptions): Promise<Verification> {
  const live = await syncDeps.generations.findLive();
  if (live === null) throw new Error('There is no index yet. To build one: npm run indexer -- reindex');
  const { index } = live;
  if (!live.isCurrent) throw new Error(`${describeOtherForm(live)}. To build a new one: npm run indexer -- reindex`);
  const writer = await GenerationWriter.open(syncDeps, index);
  const settle = () => waitForSync(syncDeps, index);
  return { index, ...(await compareAndRepair(syncDeps, writer, { settle, repairs, onProgress })) };
}

/** Resolves when a running sync has written every change until now; at once if none is running. */
async function waitForSync({ source, journal, locks }: SyncDeps, index: string): Promise<void> {
  const { version } = await source.now();
  const deadline = performance.now() + syncTimeoutMs;
  while (performance.now() < deadline) {
    const isFollowed = (await locks.list()).some(({ job }) => job === 'sync');
    const state = await journal.find(index);
    if (!isFollowed || (state !== null && state.position.version >= version)) return;
    await pause(pollMs);
  }
}
