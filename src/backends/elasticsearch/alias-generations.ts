import { setTimeout as pause } from 'node:timers/promises';
import type { Client, estypes } from '@elastic/elasticsearch';
import type { MediaRecord } from '#records/media-record.ts';
import { type DeadLetter, indexVersion, type LiveIndex } from '#search/index-maintenance.ts';
import { StartupError } from '#src/problem.ts';
import { BulkWriter, type PreparedChange, type RetryUntil } from './bulk-writer.ts';
import { maxTimeoutMs, sentOnce } from './connect-elasticsearch.ts';
import { runOnElasticsearch } from './elasticsearch-faults.ts';
import {
  documentDigest,
  indexDocument,
  indexedTerms,
  type KeptDocument,
  keptOf,
  recordsMapping,
} from './index-document.ts';
import type { Clause } from './render-text-query.ts';
import { requireWhole } from './search-requests.ts';

/** In a smaller index, a merge can drop too little to be worth the wait. */
const worthWaiting = 100_000;
const maxWaitMs = 60_000;
const betweenLooksMs = 1_000;
/** How long a new index waits for its replicas, in milliseconds. */
const maxCopyMs = 10 * 60_000;

const idsARequest = 10_000;

/** The alias of indexes of this version's form: each version searches and builds its own, beside those of others. */
export function aliasOfForm(alias: string): string {
  return `${alias}-f${indexVersion}`;
}

/** How an index is distributed over the nodes of its cluster. */
export interface IndexLayout {
  shards: number;
  /** Replicas: a number, or a range such as 0-1 that depends on the number of other nodes. */
  replicas: string;
  /** Up to so many records, a search by meaning compares with each; default 100,000. */
  exactUpTo?: number;
}

const defaultExactUpTo = 100_000;

export const defaultLayout: IndexLayout = { shards: 1, replicas: '0-1' };

/** One build of the search index; names sort by age. */
export interface Generation extends LiveIndex {
  /** Unique for each index that ever existed, even under the same name. */
  identity: string;
}

/** What a search should find under an id as of a version; null for nothing. */
export interface IndexChange {
  id: string;
  version: bigint;
  record: MediaRecord | null;
}

/**
 * The builds of the index behind the alias of a form: live, kept or being built. They are named `<alias>-<creation time>`.
 * Every method fails with Problem `search_unavailable` if the engine does not answer.
 */
export class AliasGenerations {
  readonly #client: Client;
  readonly #alias: string;
  readonly #setAlias: string;
  readonly #layout: IndexLayout;
  readonly #writer: BulkWriter;

  constructor(client: Client, alias: string, layout: IndexLayout) {
    this.#client = client;
    this.#alias = aliasOfForm(alias);
    this.#setAlias = alias;
    this.#layout = layout;
    this.#writer = new BulkWriter(client);
  }

  /** null before the first. @throws StartupError if INDEX_ALIAS is the name of an index. */
  async findLive(): Promise<Generation | null> {
    const live = await this.find(this.#alias);
    if (live?.index !== this.#alias) return live;
    throw new StartupError(`${this.#alias} is the name of an index. Set an INDEX_ALIAS that begins no index's name.`);
  }

  /** null if there is none with that name. */
  async find(index: string): Promise<Generation | null> {
    return runOnElasticsearch(async () => {
      const answer = await this.#client.indices.get({ index, features: ['settings', 'mappings'] }, { ignore: [404] });
      const [name] = 'error' in answer ? [] : Object.keys(answer).toSorted();
      if (name === undefined) return null;
      const { settings, mappings } = answer[name] ?? {};
      return {
        index: name,
        identity: settings?.index?.uuid ?? '',
        isCurrent: mappings?._meta?.version === indexVersion,
        records: (await this.#client.count({ index: name })).count,
      };
    });
  }

  /** Creates an empty generation; returns its name. It has no refreshes and no replicas until it is finished. */
  async create(birth: Date): Promise<string> {
    const index = `${this.#alias}-${birth.toISOString().toLowerCase().replaceAll(/[-:.]/g, '')}`;
    const { settings, mappings } = recordsMapping;
    const filling = { number_of_shards: this.#layout.shards, number_of_replicas: 0, refresh_interval: '-1' };
    await runOnElasticsearch(() =>
      this.#client.indices.create(
        {
          index,
          aliases: { [writingAlias(index)]: {} },
          settings: { index: { ...settings.index, ...filling } as unknown as estypes.IndicesIndexSettings },
          mappings: { ...mappings, _meta: { version: indexVersion } } as estypes.MappingTypeMapping,
        },
        sentOnce,
      ),
    );
    return index;
  }

  /** Converts a change to the engine's format, without a request to the engine. */
  prepare({ id, version, record }: IndexChange): PreparedChange {
    return { id, version, document: record && Buffer.from(`${JSON.stringify(indexDocument(record))}\n`) };
  }

  /**
   * Returns what the engine rejects, which is then not found; later versions stay. Resolves when all others are stored.
   * While the engine is overloaded or down, retries until the signal aborts, by default for two minutes.
   */
  async write(index: string, changes: readonly PreparedChange[], until?: RetryUntil): Promise<DeadLetter[]> {
    return runOnElasticsearch(async () => {
      const refused = await this.#writer.write(writingAlias(index), changes, until);
      if (refused.length === 0) return [];
      // The old content is not the record's current state.
      const ids = new Set(refused.map(({ id }) => id));
      const removals = changes.filter(({ id }) => ids.has(id)).map((change) => ({ ...change, document: null }));
      await this.#writer.write(writingAlias(index), removals, until);
      return refused;
    });
  }

  /**
   * Merges the index into one segment (searches are up to 45 % faster), replicates it to other nodes so that losing a
   * node does not lose it, and turns refreshes on.
   */
  async finish(index: string): Promise<void> {
    const { refresh_interval } = recordsMapping.settings.index;
    await runOnElasticsearch(async () => {
      await this.#client.indices.flush({ index });
      await this.#client.indices.refresh({ index });
      const { count } = await this.#client.count({ index });
      if (count >= worthWaiting) await this.#untilSpareCopiesCanGo(index);
      await this.#client.indices.forcemerge({ index, max_num_segments: 1 }, { requestTimeout: maxTimeoutMs });
      await this.#client.indices.putSettings({
        index,
        settings: { refresh_interval, ...replicaSettings(this.#layout) },
      });
      await this.#untilCopied(index);
      await this.#client.indices.refresh({ index });
    });
  }

  /**
   * Adds a graph of neighbors to an index of many records, by which a search by meaning finds nearly all of the nearest. To
   * compare with each record is exact and needs no graph, but takes 9 ms for 100,000. Segments get a graph when they are
   * written or merged.
   */
  async linkMeanings(index: string, records: number): Promise<void> {
    if (records <= (this.#layout.exactUpTo ?? defaultExactUpTo)) return;
    const meaning = { ...recordsMapping.mappings.properties.find.properties.meaning, index_options: { type: 'hnsw' } };
    const properties = { find: { properties: { meaning } } } as Record<string, estypes.MappingProperty>;
    await runOnElasticsearch(() => this.#client.indices.putMapping({ index, properties }));
  }

  async refresh(index: string): Promise<void> {
    await runOnElasticsearch(() => this.#client.indices.refresh({ index }));
  }

  /** Makes it the live one, in one step. Of two swaps at once the later is refused, because an alias has one write index. */
  async publish(index: string): Promise<void> {
    const actions = [
      { remove: { index: `${this.#alias}-*`, alias: this.#alias, must_exist: false } },
      { add: { index, alias: this.#alias, is_write_index: true } },
    ];
    await runOnElasticsearch(() => this.#client.indices.updateAliases({ actions }, sentOnce));
  }

  /** Whether an export still reads a generation. */
  async isBeingRead(index: string): Promise<boolean> {
    return runOnElasticsearch(async () => {
      const { _all } = await this.#client.indices.stats({ index, metric: 'search' });
      return (_all.total?.search?.open_contexts ?? 0) > 0;
    });
  }

  /** Deletes a generation, even if an export still reads it. */
  async remove(index: string): Promise<void> {
    await runOnElasticsearch(() => this.#client.indices.delete({ index }, { ignore: [404] }));
  }

  async list(): Promise<string[]> {
    return runOnElasticsearch(async () => {
      const found = await this.#client.indices.get({ index: `${this.#alias}-*`, features: 'aliases' });
      return Object.keys(found)
        .filter((name) => /^\d{8}t\d{9}z$/.test(name.slice(this.#alias.length + 1)))
        .toSorted();
    });
  }

  /** The indexes of other forms, which other versions built under the same INDEX_ALIAS. */
  async listOfOtherForms(): Promise<string[]> {
    return runOnElasticsearch(async () => {
      const named = await this.#client.indices.get({ index: `${this.#setAlias}-*`, features: 'aliases' });
      return Object.keys(named)
        .filter((name) => /^(?:f\d+-)?\d{8}t\d{9}z$/.test(name.slice(this.#setAlias.length + 1)))
        .filter((name) => !name.startsWith(`${this.#alias}-`))
        .toSorted();
    });
  }

  /**
   * The digests of what is stored, by the ids of searchable records: those after one id and up to another (null: the end).
   * The first range also has documents without an id, under their document names.
   */
  async readDigests(
    index: string,
    { after, upTo }: { after: string; upTo: string | null },
  ): Promise<ReadonlyMap<string, string>> {
    const digests = new Map<string, string>();
    const within = { range: { 'order.id': { gt: after, ...(upTo !== null && { lte: upTo }) } } };
    const withoutId = { bool: { must_not: [{ exists: { field: 'order.id' } }] } };
    const query = after === '' ? { bool: { should: [within, withoutId] } } : within;
    for await (const { _id, _source, fields } of this.#readByIds(index, query, true)) {
      const id = fields?.['order.id']?.[0] ?? _id;
      digests.set(String(id), documentDigest(_source as KeptDocument));
    }
    return digests;
  }

  /** What readDigests returns if the index holds this record correctly. */
  digestOf(record: MediaRecord): string {
    return documentDigest(keptOf(record));
  }

  /** The ids of its records, including those just written, to which one of these suppressions applies. */
  async findSuppressed(index: string, keys: readonly string[]): Promise<string[]> {
    const ids: string[] = [];
    if (keys.length === 0) return ids;
    await this.refresh(index);
    const query = { terms: { 'find.suppression_keys': indexedTerms(keys) } };
    for await (const { _source } of this.#readByIds(index, query, ['record.id'])) {
      ids.push((_source as Pick<KeptDocument, 'record'>).record.id);
    }
    return ids;
  }

  /** The results of a query in the order of ids. */
  async *#readByIds(index: string, query: Clause, _source: boolean | string[]): AsyncGenerator<estypes.SearchHit> {
    let last: estypes.SortResults | undefined;
    for (;;) {
      const body: estypes.SearchRequest = {
        index,
        query,
        _source,
        docvalue_fields: ['order.id'],
        sort: [{ 'order.id': 'asc' }],
        size: idsARequest,
        track_total_hits: false,
        ...(last && { search_after: last }),
      };
      const answer = await runOnElasticsearch(async () => requireWhole(await this.#client.search(body)));
      yield* answer.hits.hits;
      if (answer.hits.hits.length < idsARequest) return;
      last = answer.hits.hits.at(-1)?.sort;
    }
  }

  /**
   * Elasticsearch keeps a second copy of every write for replicas that may need it, and every half minute reports the
   * point it still needs. A merge drops what is older, which is 40 % of the index.
   */
  async #untilSpareCopiesCanGo(index: string): Promise<void> {
    const deadline = performance.now() + maxWaitMs;
    while (performance.now() < deadline) {
      const { indices } = await this.#client.indices.stats({ index, level: 'shards' });
      const shards = Object.values(indices?.[index]?.shards ?? {}).flat();
      const isDone = shards.every(({ seq_no, retention_leases }) =>
        retention_leases?.leases.every(({ retaining_seq_no }) => retaining_seq_no > (seq_no?.max_seq_no ?? 0)),
      );
      if (isDone) return;
      await pause(betweenLooksMs);
    }
  }

  async #untilCopied(index: string): Promise<void> {
    const deadline = performance.now() + maxCopyMs;
    for (let isCopying = true; isCopying && performance.now() < deadline; ) {
      const within = { wait_for_status: 'green', timeout: '5s' } as const;
      const { status, initializing_shards: copying } = await this.#client.cluster.health(
        { index, ...within },
        { ignore: [408] },
      );
      isCopying = status !== 'green' && copying > 0;
    }
  }
}

/** Writes use this alias of the index, so they never recreate a deleted index. */
function writingAlias(index: string): string {
  return `${index}.write`;
}

function replicaSettings({ replicas }: IndexLayout): estypes.IndicesIndexSettings {
  return replicas.includes('-') ? { auto_expand_replicas: replicas } : { number_of_replicas: Number(replicas) };
}
