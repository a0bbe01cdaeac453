import type { Client, estypes } from '@elastic/elasticsearch';
import type { Appearance } from '#records/change-feed.ts';
import type { MediaRecord } from '#records/media-record.ts';
import { recordOfKey } from '#records/suppression.ts';
import type { Kind } from '#records/vocabularies.ts';
import { type DeadLetter, indexVersion, type LiveIndex } from '#search/index-maintenance.ts';
import { StartupError } from '#src/problem.ts';
import type { RetryUntil } from './bulk-writer.ts';
import { type Cluster, sentOnce } from './connect-elasticsearch.ts';
import { contactsMapping, contactsOf } from './contact-document.ts';
import { runOnElasticsearch } from './elasticsearch-faults.ts';
import { finishIndexes } from './finish-indexes.ts';
import {
  countedField,
  documentDigest,
  indexedTerms,
  type KeptDocument,
  keptOf,
  recordsMapping,
  suppressionTerm,
} from './index-document.ts';
import { type IndexChange, type PreparedChange, prepareChange, RecordWriter, writingAlias } from './record-writer.ts';
import type { Clause } from './render-text-query.ts';
import { requireWhole } from './search-requests.ts';

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

/**
 * The builds of the index behind the alias of a form: live, kept or being built. They are named `<alias>-<creation time>`.
 * Every method fails with Problem `search_unavailable` if the engine does not answer.
 */
export class AliasGenerations {
  readonly #client: Client;
  readonly #timeoutMs: number;
  readonly #alias: string;
  readonly #setAlias: string;
  readonly #layout: IndexLayout;
  readonly #writer: RecordWriter;

  constructor({ client, timeoutMs }: Cluster, alias: string, layout: IndexLayout) {
    this.#client = client;
    this.#timeoutMs = timeoutMs;
    this.#alias = aliasOfForm(alias);
    this.#setAlias = alias;
    this.#layout = layout;
    this.#writer = new RecordWriter(client);
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
      const answer = await this.#client.indices.getAlias({ name: this.#alias }, options);
      return ('error' in answer ? undefined : Object.keys(answer)[0]) ?? null;
    });
  }

  /** null if there is none with that name. */
  async find(index: string): Promise<Generation | null> {
    return runOnElasticsearch(async () => {
      const answer = await this.#client.indices.get({ index, features: ['settings', 'mappings'] }, { ignore: [404] });
      const [name] = 'error' in answer ? [] : Object.keys(answer).toSorted();
      if (name === undefined) return null;
      const { settings, mappings } = answer[name] ?? {};
      const contacts = await this.#client.count({ index: contactsOf(name) }, { ignore: [404] });
      return {
        index: name,
        identity: settings?.index?.uuid ?? '',
        isCurrent: mappings?._meta?.version === indexVersion && !('error' in contacts),
        records: (await this.#client.count({ index: name })).count,
        contacts: contacts.count ?? 0,
      };
    });
  }

  /** Creates an empty generation with its index of contacts; returns its name. It has no refreshes and no replicas until it is finished. */
  async create(birth: Date): Promise<string> {
    const index = `${this.#alias}-${birth.toISOString().toLowerCase().replaceAll(/[-:.]/g, '')}`;
    const filling = { number_of_shards: this.#layout.shards, number_of_replicas: 0, refresh_interval: '-1' };
    const create = (name: string, { settings, mappings }: typeof recordsMapping | typeof contactsMapping) =>
      this.#client.indices.create(
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

  /** Converts a change to the engine's format, without a request to the engine. */
  prepare(change: IndexChange): PreparedChange {
    return prepareChange(change);
  }

  /**
   * Returns what the engine rejects, which is then not found; later versions stay. Resolves when all others are stored.
   * While the engine is overloaded or down, retries until the signal aborts, by default for two minutes.
   */
  async write(index: string, changes: readonly PreparedChange[], until?: RetryUntil): Promise<DeadLetter[]> {
    return runOnElasticsearch(() => this.#writer.write(index, changes, until));
  }

  /** Makes it ready to be searched and to lose a node: see finishIndexes. */
  async finish(index: string): Promise<void> {
    await runOnElasticsearch(() => finishIndexes(this.#client, [index, contactsOf(index)], this.#layout.replicas));
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
    await runOnElasticsearch(() => this.#client.indices.refresh({ index: [index, contactsOf(index)] }));
  }

  /** Makes it the live one, in one step. Of two swaps at once the later is refused, because an alias has one write index. */
  async publish(index: string): Promise<void> {
    const aliases = [this.#alias, contactsOf(this.#alias)];
    const actions = [
      { remove: { index: `${this.#alias}-*`, aliases, must_exist: false } },
      { add: { index, alias: this.#alias, is_write_index: true } },
      { add: { index: contactsOf(index), alias: contactsOf(this.#alias), is_write_index: true } },
    ];
    await runOnElasticsearch(() => this.#client.indices.updateAliases({ actions }, sentOnce));
  }

  /** Whether an export still reads a generation. */
  async isBeingRead(index: string): Promise<boolean> {
    return runOnElasticsearch(async () => {
      const { _all } = await this.#client.indices.stats({ index: [index, contactsOf(index)], metric: 'search' });
      return (_all.total?.search?.open_contexts ?? 0) > 0;
    });
  }

  /** Deletes a generation, even if an export still reads it. */
  async remove(index: string): Promise<void> {
    const indexes = [index, contactsOf(index)];
    await runOnElasticsearch(() => this.#client.indices.delete({ index: indexes, ignore_unavailable: true }));
  }

  async list(): Promise<string[]> {
    return runOnElasticsearch(async () => {
      const indices = await this.#client.indices.get({ index: `${this.#alias}-*`, features: 'aliases' });
      return Object.keys(indices)
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
   * The digests of what is stored, by the ids of searchable records: those after one id and up to another (null: the end). With
   * each is how many documents of its contacts were made with it, and how many of others are there. The first range also has
   * documents without an id, under their document names.
   */
  async readDigests(
    index: string,
    { after, upTo }: { after: string; upTo: string | null },
  ): Promise<ReadonlyMap<string, string>> {
    const digests = new Map<string, string>();
    const within = { range: { 'order.id': { gt: after, ...(upTo !== null && { lte: upTo }) } } };
    const withoutId = { bool: { must_not: [{ exists: { field: 'order.id' } }] } };
    const query = after === '' ? { bool: { should: [within, withoutId] } } : within;
    for await (const { _id, _source, fields } of this.#readByIds(index, query, { _source: true })) {
      const id = fields?.['order.id']?.[0] ?? _id;
      digests.set(String(id), documentDigest(_source as KeptDocument));
    }
    const contacts = new Map<string, string[]>();
    const ofContacts = { _source: false, docvalue_fields: ['order.id', 'of'] };
    for await (const { _id, fields } of this.#readByIds(contactsOf(index), query, ofContacts)) {
      const id = String(fields?.['order.id']?.[0] ?? _id);
      contacts.set(id, [...(contacts.get(id) ?? []), String(fields?.of?.[0])]);
    }
    return new Map(
      [...new Set([...digests.keys(), ...contacts.keys()])].map((id) => {
        const digest = digests.get(id) ?? noRecord;
        const contactDigests = contacts.get(id) ?? [];
        const ownCount = contactDigests.filter((contactDigest) => contactDigest === digest).length;
        return [id, digestWith(digest, ownCount, contactDigests.length - ownCount)];
      }),
    );
  }

  /** What its searchable records look like, in the order of their ids; `after` and `upTo` say which ids a page covers. */
  async *readAppearances(index: string): AsyncGenerator<{ after: string; upTo: string | null; shown: Appearance[] }> {
    let [after, shown]: [string, Appearance[]] = ['', []];
    const columns = ['order.id', 'order.updated_at', countedField('kind')];
    const columnsOnly = { _source: false, docvalue_fields: columns };
    for await (const { fields } of this.#readByIds(index, { exists: { field: 'order.id' } }, columnsOnly)) {
      const [id = '', updatedAt, kind] = columns.map((column) => fields?.[column]?.[0] as string);
      shown.push({ id, kind: kind as Kind, updatedAt: String(updatedAt), leadsTo: null });
      if (shown.length < idsARequest) continue;
      yield { after, upTo: id, shown };
      [after, shown] = [id, []];
    }
    yield { after, upTo: null, shown };
  }

  /** What readDigests returns if the index holds this record and its contacts correctly. */
  digestOf(record: MediaRecord): string {
    return digestWith(documentDigest(keptOf(record)), record.contacts.length, 0);
  }

  /** Deletes documents of contacts that these records do not have, of those that can be searched, up to the version. */
  async removeStrayContacts(index: string, ids: readonly string[], version: bigint): Promise<void> {
    const contactsOfRecord = new Map<string, string[]>();
    const ofContacts = { _source: false, docvalue_fields: ['order.id', 'order.contact'] };
    const query = { terms: { 'order.id': indexedTerms(ids) } };
    for await (const { fields } of this.#readByIds(contactsOf(index), query, ofContacts)) {
      const [id, contact] = [fields?.['order.id'], fields?.['order.contact']].map((values) => String(values?.[0]));
      if (id !== undefined && contact !== undefined)
        contactsOfRecord.set(id, [...(contactsOfRecord.get(id) ?? []), contact]);
    }
    const versions = [...contactsOfRecord.keys()].map((id) => ({ id, version }));
    await runOnElasticsearch(() => this.#writer.removeStrays(index, contactsOfRecord, versions));
  }

  /** The ids of its records, including those just written, to which one of these suppressions may apply. */
  async findSuppressed(index: string, keys: readonly string[]): Promise<string[]> {
    const ids: string[] = [];
    if (keys.length === 0) return ids;
    await this.refresh(index);
    const records = keys.flatMap((key) => recordOfKey(key) ?? []);
    const byKey = { terms: { 'find.suppression_keys': keys.map(suppressionTerm) } };
    const query = { bool: { should: [byKey, { terms: { 'order.id': indexedTerms(records) } }] } };
    for await (const { _source } of this.#readByIds(index, query, { _source: ['record.id'] })) {
      ids.push((_source as Pick<KeptDocument, 'record'>).record.id);
    }
    return ids;
  }

  /** The results of a query in the order of ids, and of the ids of contacts where there are any. */
  async *#readByIds(
    index: string,
    query: Clause,
    fields: Pick<estypes.SearchRequest, '_source' | 'docvalue_fields'>,
  ): AsyncGenerator<estypes.SearchHit> {
    let last: estypes.SortResults | undefined;
    for (;;) {
      const body: estypes.SearchRequest = {
        index,
        query,
        docvalue_fields: ['order.id'],
        ...fields,
        sort: [{ 'order.id': 'asc' }, { 'order.contact': { order: 'asc', unmapped_type: 'keyword' } }],
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
}

/** Stands for the digest of a record where only contacts of it are there. */
const noRecord = 'no record';

export function isWithoutRecord(digest: string): boolean {
  return digest.startsWith(`${noRecord} `);
}

/** A record's digest with its contacts: how many documents of them were made with it, and how many others there are. */
function digestWith(digest: string, contacts: number, strays: number): string {
  return strays === 0 ? `${digest} ${contacts}` : `${digest} ${contacts}+${strays}`;
}
