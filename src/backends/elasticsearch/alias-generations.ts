import type { estypes } from '@elastic/elasticsearch';
import { indexVersion, type LiveIndex } from '#search/indexed/index-maintenance.ts';
import { StartupError } from '#src/problem.ts';
import { type Cluster, sentOnce } from './connect-elasticsearch.ts';
import { contactsMapping, contactsOf } from './contact-document.ts';
import { runOnElasticsearch } from './elasticsearch-faults.ts';
import { finishIndexes } from './finish-indexes.ts';
import { GenerationContents } from './generation-contents.ts';
import { recordsMapping } from './index-document.ts';
import { writingAlias } from './record-writer.ts';

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

/**
 * The builds of the index behind the alias of a form: live, kept or being built. They are named `<alias>-<creation time>`.
 * Every method fails with Problem `search_unavailable` if the engine does not answer.
 */
export class AliasGenerations extends GenerationContents {
  readonly #timeoutMs: number;
  readonly #alias: string;
  readonly #setAlias: string;
  readonly #layout: IndexLayout;

  constructor({ client, timeoutMs }: Cluster, alias: string, layout: IndexLayout) {
    super(client);
    this.#timeoutMs = timeoutMs;
    this.#alias = aliasOfForm(alias);
    this.#setAlias = alias;
    this.#layout = layout;
  }

  /** null before the first. @throws StartupError if INDEX_ALIAS is the name of an index. */
  async findLive(): Promise<Generation | null> {
    const live = await this.find(this.#alias);
    if (live?.index !== this.#alias) return live;
    throw new StartupError(`${this.#alias} is the name of an index. Set an INDEX_ALIAS that begins no index's name.`);
  }

  /** The name of the live one, for callers who wait; null before the first. */
  async findServed(): Promise<string | null> {
    return runOnElasticsearch(async () => {
      const options = { ignore: [404], requestTimeout: this.#timeoutMs };
      const answer = await this.client.indices.getAlias({ name: this.#alias }, options);
      return ('error' in answer ? undefined : Object.keys(answer)[0]) ?? null;
    });
  }

  /** null if there is none with that name. */
  async find(index: string): Promise<Generation | null> {
    return runOnElasticsearch(async () => {
      const answer = await this.client.indices.get({ index, features: ['settings', 'mappings'] }, { ignore: [404] });
      const [name] = 'error' in answer ? [] : Object.keys(answer).toSorted();
      if (name === undefined) return null;
      const { settings, mappings } = answer[name] ?? {};
      const contacts = await this.client.count({ index: contactsOf(name) }, { ignore: [404] });
      return {
        index: name,
        identity: settings?.index?.uuid ?? '',
        isCurrent: mappings?._meta?.version === indexVersion && !('error' in contacts),
        records: (await this.client.count({ index: name })).count,
        contacts: contacts.count ?? 0,
      };
    });
  }

  /** Creates an empty generation with its index of contacts; returns its name. It has no refreshes and no replicas until it is finished. */
  async create(birth: Date): Promise<string> {
    const index = `${this.#alias}-${birth.toISOString().toLowerCase().replaceAll(/[-:.]/g, '')}`;
    const filling = { number_of_shards: this.#layout.shards, number_of_replicas: 0, refresh_interval: '-1' };
    const create = (name: string, { settings, mappings }: typeof recordsMapping | typeof contactsMapping) =>
      this.client.indices.create(
        {
          index: name,
          aliases: { [writingAlias(name)]: {} },
          settings: { index: { ...settings.index, ...filling } as unknown as estypes.IndicesIndexSettings },
          mappings: { ...mappings, _meta: { version: indexVersion } } as unknown as estypes.MappingTypeMapping,
        },
        sentOnce,
      );
    await runOnElasticsearch(async () => {
      await create(index, recordsMapping);
      await create(contactsOf(index), contactsMapping);
    });
    return index;
  }

  /** Makes it ready to be searched and to lose a node: see finishIndexes. */
  async finish(index: string): Promise<void> {
    await runOnElasticsearch(() => finishIndexes(this.client, [index, contactsOf(index)], this.#layout.replicas));
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
    await runOnElasticsearch(() => this.client.indices.putMapping({ index, properties }));
  }

  /** Makes it the live one, in one step. Of two swaps at once the later is refused, because an alias has one write index. */
  async publish(index: string): Promise<void> {
    const aliases = [this.#alias, contactsOf(this.#alias)];
    const actions = [
      { remove: { index: `${this.#alias}-*`, aliases, must_exist: false } },
      { add: { index, alias: this.#alias, is_write_index: true } },
      { add: { index: contactsOf(index), alias: contactsOf(this.#alias), is_write_index: true } },
    ];
    await runOnElasticsearch(() => this.client.indices.updateAliases({ actions }, sentOnce));
  }

  /** Whether an export still reads a generation. */
  async isBeingRead(index: string): Promise<boolean> {
    return runOnElasticsearch(async () => {
      const { _all } = await this.client.indices.stats({ index: [index, contactsOf(index)], metric: 'search' });
      return (_all.total?.search?.open_contexts ?? 0) > 0;
    });
  }

  /** Deletes a generation, even if an export still reads it. */
  async remove(index: string): Promise<void> {
    const indexes = [index, contactsOf(index)];
    await runOnElasticsearch(() => this.client.indices.delete({ index: indexes, ignore_unavailable: true }));
  }

  async list(): Promise<string[]> {
    return runOnElasticsearch(async () => {
      const indices = await this.client.indices.get({ index: `${this.#alias}-*`, features: 'aliases' });
      return Object.keys(indices)
        .filter((name) => /^\d{8}t\d{9}z$/.test(name.slice(this.#alias.length + 1)))
        .toSorted();
    });
  }

  /** The indexes of other forms, which other versions built under the same INDEX_ALIAS. */
  async listOfOtherForms(): Promise<string[]> {
    return runOnElasticsearch(async () => {
      const named = await this.client.indices.get({ index: `${this.#setAlias}-*`, features: 'aliases' });
      return Object.keys(named)
        .filter((name) => /^(?:f\d+-)?\d{8}t\d{9}z$/.test(name.slice(this.#setAlias.length + 1)))
        .filter((name) => !name.startsWith(`${this.#alias}-`))
        .toSorted();
    });
  }
}
