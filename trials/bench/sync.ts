import { setTimeout as pause } from 'node:timers/promises';
import { type Collection, type Document, MongoClient } from 'mongodb';
import type { SearchIndex } from '../../src/search/search-index.ts';
import { openProduction, type ProductionBackends } from '../../src/start/open-backends.ts';
import { startIndexer } from '../../test/support/processes.ts';
import type { FilledEngines } from './load-data.ts';
import { median, percentile } from './measure.ts';

export interface SyncRun {
  rounds: number;
  /** Changes in a backlog. */
  changes: number;
  /** Changes per second, while it is measured how soon searches find them. */
  rate: number;
  /** Number of measured changes. */
  probes: number;
}

type Records = Collection<Document & { _id: string }>;

/** An audience that no record has, because an update to the same value would not be a change. */
const differsAlways = 100_000_000;
const following = /Following the records with/;
const pollMs = 5;

/** Measures how fast the index follows the records. The sync is a separate process. */
export async function measureSync(data: FilledEngines, { rounds, changes, rate, probes }: SyncRun) {
  const { mongoUri, elasticsearchUrl, alias } = data;
  const elasticsearch = { nodes: elasticsearchUrl.split(',') };
  const backends = await openProduction({ mongoUri, elasticsearch, indexAlias: alias });
  const mongo = await MongoClient.connect(mongoUri);
  const records: Records = mongo.db().collection('records');
  const settings = { ...data.settings, KEY_PEPPER: 'only for benchmarks, and long enough' };
  const listed = records.find({}, { projection: { _id: 1 } }).limit(changes);
  const ids = (await listed.toArray()).map(({ _id }) => _id);
  try {
    const rates: number[] = [];
    // The first round warms up.
    for (let round = 0; round <= rounds; round += 1) {
      await change(records, ids, { $set: { audience: differsAlways + round } });
      const { version } = await backends.syncDeps.source.now();
      const ms = await whileSyncing(settings, () => untilWritten(backends, version));
      if (round > 0) rates.push((ids.length * 1_000) / ms);
    }
    const times: number[] = [];
    await whileSyncing(settings, async () => {
      const writing = new AbortController();
      const writer = writeSteadily(records, ids.slice(1), rate, writing.signal);
      for (let probe = 0; probe < probes; probe += 1) {
        times.push(await timeUntilSeen(backends.index, records, ids[0] ?? '', 5_000_000 + probe));
      }
      writing.abort();
      await writer;
    });
    return {
      [`changes per second of a backlog of ${ids.length}`]: median(rates),
      [`ms until seen, at ${rate} changes per second`]: { p50: median(times), p99: percentile(times, 0.99) },
    };
  } finally {
    await Promise.all([backends.close(), mongo.close()]);
  }
}

async function change(records: Records, ids: readonly string[], update: Document): Promise<void> {
  for (let start = 0; start < ids.length; start += 1_000) {
    const updates = ids.slice(start, start + 1_000).map((_id) => ({ updateOne: { filter: { _id }, update } }));
    await records.bulkWrite(updates, { ordered: false });
  }
}

/** Runs the sync during the work. Returns how long the work took since the sync began to follow, in milliseconds. */
async function whileSyncing(settings: Record<string, string>, work: () => Promise<void>): Promise<number> {
  const sync = startIndexer(['sync'], settings);
  let hasEnded = false;
  const ended = sync.ended.finally(() => {
    hasEnded = true;
  });
  while (!hasEnded && !following.test(sync.output())) await pause(pollMs);
  const start = performance.now();
  if (!hasEnded) await work();
  const ms = performance.now() - start;
  sync.kill('SIGTERM');
  if ((await ended) !== 0) throw new Error(`the sync ended:\n${sync.output()}`);
  return ms;
}

async function untilWritten({ syncDeps }: ProductionBackends, version: bigint): Promise<void> {
  const { index } = (await syncDeps.generations.findLive()) ?? { index: '' };
  while (((await syncDeps.journal.find(index))?.position.version ?? 0n) < version) await pause(pollMs);
}

async function timeUntilSeen(index: SearchIndex, records: Records, id: string, audience: number): Promise<number> {
  await records.updateOne({ _id: id }, { $set: { audience } });
  const start = performance.now();
  while ((await index.findMany([id], 'masked'))[0]?.audience !== audience) await pause(pollMs);
  return performance.now() - start;
}

async function writeSteadily(records: Records, ids: readonly string[], rate: number, signal: AbortSignal) {
  const start = performance.now();
  for (let done = 0; !signal.aborted; await pause(20)) {
    const due = Math.floor(((performance.now() - start) * rate) / 1_000) - done;
    const some = Array.from({ length: due }, (_, place) => ids[(done + place) % ids.length] ?? '');
    await change(records, some, { $inc: { audience: 1 } });
    done += due;
  }
}
