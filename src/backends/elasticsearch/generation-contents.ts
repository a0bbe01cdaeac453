import type { Client, estypes } from '@elastic/elasticsearch';
import type { Appearance } from '#records/change-feed.ts';
import type { MediaRecord } from '#records/media-record.ts';
import { recordOfKey } from '#records/suppression.ts';
import type { Kind } from '#records/vocabularies.ts';
import type { DeadLetter } from '#search/indexed/index-maintenance.ts';
import type { RetryUntil } from './bulk-writer.ts';
import { contactsOf } from './contact-document.ts';
import { runOnElasticsearch } from './elasticsearch-faults.ts';
import {
  countedField,
  documentDigest,
  indexedTerms,
  type KeptDocument,
  keptOf,
  suppressionTerm,
} from './index-document.ts';
import { type IndexChange, type PreparedChange, prepareChange, RecordWriter } from './record-writer.ts';
import type { Clause } from './render-text-query.ts';
import { requireWhole } from './search-requests.ts';

const idsARequest = 10_000;

/** Writes the documents of a generation, and reads what it holds: for the sync, which keeps it as the store is. */
export class GenerationContents {
  protected readonly client: Client;
  readonly #writer: RecordWriter;

  constructor(client: Client) {
    this.client = client;
    this.#writer = new RecordWriter(client);
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

  async refresh(index: string): Promise<void> {
    await runOnElasticsearch(() => this.client.indices.refresh({ index: [index, contactsOf(index)] }));
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
      const answer = await runOnElasticsearch(async () => requireWhole(await this.client.search(body)));
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
