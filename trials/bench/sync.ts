import { setTimeout as pause } from 'node:timers/promises';
import { type Collection, type Document, MongoClient } from 'mongodb';
import type { Position } from '../../src/backends/mongo/mongo-index-journal.ts';
import type { SearchIndex } from '../../src/search/search-index.ts';
import { openProduction, type ProductionBackends } from '../../src/start/open-backends.ts';
import { watchMemory } from '../../test/support/process-figures.ts';
import { type ProgramProcess, startIndexer } from '../../test/support/processes.ts';
import type { FilledEngines } from './load-data.ts';
import { median, percentile } from './measure.ts';

export interface SyncRun {
  rounds: number;
  /** Changes in a backlog. */
  changes: number;
  /** Changes per second during the measurement of how soon they are seen. */
  rate: number;
  /** Number of measured changes. */
  probes: number;
}

type Records = Collection<Document & { _id: string }>;

/** No record has such an audience: an update that changes nothing is not a change. */
const differsAlways = 100_000_000;
const following = /Following the records with/;
const pollMs = 5;

/** Measures how the index of these engines follows their records; the indexer is a separate process. */
export async function measureSync(data: FilledEngines, run: SyncRun) {
  const { mongoUri, elasticsearchUrl, alias } = data;
  const elasticsearch = { nodes: elasticsearchUrl.split(',') };
  const backends = await openProduction({ mongoUri, elasticsearch, indexAlias: alias });
  const mongo = await MongoClient.connect(mongoUri);
  const records: Records = mongo.db().collection('records');
  const settings = { ...data.settings, KEY_PEPPER: 'only for benchmarks, and long enough' };
  try {
    const rebuilding = startIndexer(['reindex'], settings);
    const reindex = await watchMemory(rebuilding.pid, async () => requireSuccess(rebuilding, await rebuilding.ended));
    const ids = await listIds(records, run.changes);
    const rates: number[] = [];
    let sync: number | null = null;
    // The first round warms up.
    for (let round = 0; round <= run.rounds; round += 1) {
      await changeAll(records, ids, round);
      const drained = await drain(backends, settings, await backends.syncDeps.source.now(), ids.length);
      sync = Math.max(sync ?? 0, drained.memory ?? 0);
      if (round > 0) rates.push(drained.rate);
    }
    const times = await measureVisibility(backends, records, settings, ids, run);
    return {
      [`changes per second of a backlog of ${ids.length}`]: median(rates),
      [`ms until seen, at ${run.rate} changes per second`]: { p50: median(times), p99: percentile(times, 0.99) },
      memoryMB: { reindex, sync },
    };
  } finally {
    await Promise.all([backends.close(), mongo.close()]);
  }
}

function requireSuccess({ output }: ProgramProcess, code: number | string): void {
  if (code !== 0) throw new Error(`the indexer ended with ${code}:\n${output()}`);
}

async function listIds(records: Records, count: number): Promise<string[]> {
  const found = await records
    .find({}, { projection: { _id: 1 } })
    .limit(count)
    .toArray();
  return found.map(({ _id }) => _id);
}

async function changeAll(records: Records, ids: readonly string[], round: number): Promise<void> {
  for (let start = 0; start < ids.length; start += 1_000) {
    const batch = ids.slice(start, start + 1_000);
    await records.bulkWrite(
      batch.map((_id) => ({ updateOne: { filter: { _id }, update: { $set: { audience: differsAlways + round } } } })),
      { ordered: false },
    );
  }
}

/** How many changes a second the sync writes from its start on, and its most memory. */
async function drain(
  { syncDeps }: ProductionBackends,
  settings: Record<string, string>,
  { version }: Position,
  changes: number,
): Promise<{ rate: number; memory: number | null }> {
  const sync = startIndexer(['sync'], settings);
  let rate = Number.NaN;
  const memory = await watchMemory(sync.pid, async () => {
    await untilItFollows(sync);
    const start = performance.now();
    const { index } = (await syncDeps.generations.findLive()) ?? { index: '' };
    while (((await syncDeps.journal.find(index))?.position.version ?? 0n) < version) await pause(pollMs);
    rate = (changes * 1_000) / (performance.now() - start);
  });
  sync.kill('SIGTERM');
  requireSuccess(sync, await sync.ended);
  return { rate, memory };
}

async function untilItFollows(sync: ProgramProcess): Promise<void> {
  let hasEnded = false;
  void sync.ended.then(() => {
    hasEnded = true;
  });
  while (!following.test(sync.output())) {
    if (hasEnded) throw new Error(`the sync ended:\n${sync.output()}`);
    await pause(pollMs);
  }
}

async function measureVisibility(
  { index }: ProductionBackends,
  records: Records,
  settings: Record<string, string>,
  ids: readonly string[],
  { rate, probes }: SyncRun,
): Promise<number[]> {
  const sync = startIndexer(['sync'], settings);
  await untilItFollows(sync);
  const writing = new AbortController();
  const writer = writeSteadily(records, ids.slice(1), rate, writing.signal);
  const probed = ids[0] ?? '';
  const times: number[] = [];
  for (let probe = 0; probe < probes; probe += 1) {
    const audience = 5_000_000 + probe;
    await records.updateOne({ _id: probed }, { $set: { audience } });
    const start = performance.now();
    while ((await audienceOf(index, probed)) !== audience) await pause(pollMs);
    times.push(performance.now() - start);
  }
  writing.abort();
  await writer;
  sync.kill('SIGTERM');
  requireSuccess(sync, await sync.ended);
  return times;
}

async function audienceOf(index: SearchIndex, id: string): Promise<number | null> {
  return (await index.find(id, 'masked'))?.audience ?? null;
}

async function writeSteadily(records: Records, ids: readonly string[], rate: number, signal: AbortSignal) {
  const start = performance.now();
  for (let done = 0; !signal.aborted; ) {
    const due = Math.floor(((performance.now() - start) * rate) / 1_000) - done;
    const batch = Array.from({ length: due }, (_, place) => ids[(done + place) % ids.length] ?? '');
    done += due;
    if (due > 0) {
      const changes = batch.map((_id) => ({ updateOne: { filter: { _id }, update: { $inc: { audience: 1 } } } }));
      await records.bulkWrite(changes, { ordered: false });
    }
    await pause(20);
  }
}
