import { Client } from '@elastic/elasticsearch';
import { MongoClient } from 'mongodb';
import { fillIndex } from '../../indexer/syncing/fill-index.ts';
import { GenerationWriter } from '../../indexer/syncing/generation-writer.ts';
import { indexDocument } from '../../src/backends/elasticsearch/index-document.ts';
import { emptyRecord } from '../../src/records/fields.ts';
import type { MediaRecord } from '../../src/records/media-record.ts';
import { openProduction } from '../../src/start/open-backends.ts';
import type { ProductionData } from './load-production.ts';
import { median } from './measure.ts';

export interface IndexFigures {
  /** Records per second from MongoDB to Elasticsearch, by the product and by the bare loop; medians of the rounds. */
  product: number;
  bare: number;
  /** Median over the rounds of product / bare. */
  ratio: number;
  /** Seconds that merging takes after the filling. */
  merging: number;
}

const bulkSize = 1_000;
const inFlight = 2;

/** Fills a new index in turns by the product's writer and by a loop that checks nothing; a first round warms up. */
export async function measureIndexing(data: ProductionData, rounds: number): Promise<IndexFigures> {
  const { mongoUri, elasticsearchUrl, alias, records: count } = data;
  const backends = await openProduction({
    mongoUri,
    elasticsearch: { nodes: [elasticsearchUrl] },
    indexAlias: alias,
  });
  const mongo = await MongoClient.connect(mongoUri);
  const engine = new Client({ node: elasticsearchUrl });
  const { syncDeps } = backends;
  const { generations, source } = syncDeps;

  const byProduct = async (index: string) => {
    const { version } = await source.now();
    const writer = await GenerationWriter.open(syncDeps, index);
    await fillIndex(source, writer, version, { signal: new AbortController().signal });
  };
  const byBareLoop = (index: string) => copyBarely(mongo, engine, index);

  const rates = { product: [] as number[], bare: [] as number[] };
  const merges: number[] = [];
  try {
    for (let round = 0; round <= rounds; round += 1) {
      const sides = [
        ['product', byProduct],
        ['bare', byBareLoop],
      ] as const;
      for (const [side, fill] of round % 2 === 0 ? sides : sides.toReversed()) {
        const index = await generations.create(new Date());
        const start = performance.now();
        await fill(index);
        rates[side].push((count * 1_000) / (performance.now() - start));
        const filled = performance.now();
        await generations.finish(index);
        merges.push((performance.now() - filled) / 1_000);
        const indexed = (await generations.find(index))?.records;
        if (indexed !== count) throw new Error(`${indexed} of ${count} records were indexed`);
        await generations.remove(index, true);
      }
    }
  } finally {
    await Promise.all([backends.close(), mongo.close(), engine.close()]);
  }
  const [own, bare] = [rates.product.slice(1), rates.bare.slice(1)];
  return {
    product: median(own),
    bare: median(bare),
    ratio: median(own.map((rate, round) => rate / (bare[round] ?? Number.NaN))),
    merging: median(merges),
  };
}

async function copyBarely(mongo: MongoClient, engine: Client, index: string): Promise<void> {
  const sending = new Set<Promise<unknown>>();
  const send = async (operations: unknown[]) => {
    while (sending.size >= inFlight) await Promise.race(sending);
    const request = engine.bulk({ index, operations }).finally(() => sending.delete(request));
    sending.add(request);
  };
  let operations: unknown[] = [];
  for await (const document of mongo.db().collection<{ _id: string } & MediaRecord>('records').find()) {
    const record = { ...emptyRecord(document._id, document.kind, document.name), ...document };
    operations.push({ index: { _id: document._id, version: 1, version_type: 'external_gte' } }, indexDocument(record));
    if (operations.length < 2 * bulkSize) continue;
    await send(operations);
    operations = [];
  }
  if (operations.length > 0) await send(operations);
  await Promise.all(sending);
}
