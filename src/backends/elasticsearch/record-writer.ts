import type { Client } from '@elastic/elasticsearch';
import type { MediaRecord } from '#records/media-record.ts';
import type { DeadLetter } from '#search/indexed/index-maintenance.ts';
import { BulkWriter, type DocumentWrite, type RetryUntil, readPatiently } from './bulk-writer.ts';
import { contactDocuments, contactsOf } from './contact-document.ts';
import { contactDocumentId, documentId, indexDocument, type KeptDocument } from './index-document.ts';

/** What a search should find under an id as of a version; null for nothing. */
export interface IndexChange {
  id: string;
  version: bigint;
  record: MediaRecord | null;
  /** Whether the index has nothing of it yet and nobody else writes it, as while an index is filled. */
  isFirst?: boolean;
}

export type PreparedChange = ReturnType<typeof prepareChange>;

/**
 * Converts a change to the engine's format, without a request to the engine. Bytes, so that many changes can wait without work for
 * the garbage collector.
 */
export function prepareChange({ id, version, record, isFirst = false }: IndexChange) {
  const document = record && indexDocument(record);
  const contacts = record?.contacts.length && document ? [...contactDocuments(record, document)] : [];
  return {
    id,
    version,
    isFirst: record !== null && isFirst,
    /** Null if nothing should be found. */
    document: document && toLine(document),
    /** The documents of its contacts, by their ids. */
    contacts: new Map(contacts.map(([contact, contactDocument]) => [contact, toLine(contactDocument)] as const)),
  };
}

function toLine(document: object): Uint8Array {
  return Buffer.from(`${JSON.stringify(document)}\n`);
}

/** Writes use this alias of an index, so they never recreate a deleted one. */
export function writingAlias(index: string): string {
  return `${index}.write`;
}

/**
 * Writes records together with the documents of their contacts: those that it has, and deletes those that it had. Which it had is
 * in the record's document. Where others write the same record, the later version wins in both; whoever comes too late with a
 * record takes away what its contacts would leave.
 */
export class RecordWriter {
  readonly #client: Client;
  readonly #bulk: BulkWriter;
  readonly #underWay = new Set<readonly PreparedChange[]>();

  constructor(client: Client) {
    this.#client = client;
    this.#bulk = new BulkWriter(client);
  }

  /** Returns what the engine rejects, of which nothing is found then. A record is written after its contacts. */
  async write(index: string, changes: readonly PreparedChange[], until?: RetryUntil): Promise<DeadLetter[]> {
    // Before anything is read: whatever ends later is not in what is read.
    const otherChanges = [...this.#underWay].flat();
    this.#underWay.add(changes);
    try {
      const laterChanges = changes.filter(({ isFirst }) => !isFirst);
      const contactsBefore = await this.#listContacts(index, laterChanges, until);
      for (const { id, contacts } of otherChanges)
        contactsBefore.set(id, [...(contactsBefore.get(id) ?? []), ...contacts.keys()]);
      const { refused, outdated } = await this.#bulk.write(
        changes.flatMap((change) => writesOf(index, change, contactsBefore.get(change.id) ?? [])),
        until,
      );
      // What the index had of a refused record is not its current state.
      const dead = new Set(refused.map(({ id }) => id));
      const removals = changes.filter(({ id }) => dead.has(id));
      await this.#bulk.write(
        removals.flatMap(({ id, version, contacts }) => {
          const removal = prepareChange({ id, version, record: null });
          return writesOf(index, removal, [...(contactsBefore.get(id) ?? []), ...contacts.keys()]);
        }),
        until,
      );
      const late = new Set(outdated.filter(({ alias }) => alias === writingAlias(index)).map(({ record }) => record));
      const tooLate = changes.filter(({ id }) => late.has(id));
      await this.removeStrays(
        index,
        new Map(tooLate.map((change) => [change.id, [...change.contacts.keys()]])),
        tooLate,
        until,
      );
      return refused;
    } finally {
      this.#underWay.delete(changes);
    }
  }

  /** Deletes those of these documents of contacts, by the id of the record, that the record does not have, up to these versions. */
  async removeStrays(
    index: string,
    contactsFound: ReadonlyMap<string, readonly string[]>,
    versions: readonly Pick<IndexChange, 'id' | 'version'>[],
    until?: RetryUntil,
  ): Promise<void> {
    if (versions.length === 0) return;
    const contactsNow = await this.#listContacts(index, versions, until);
    const strays = versions.flatMap(({ id, version }) => {
      const strayIds = (contactsFound.get(id) ?? []).filter((contact) => !contactsNow.get(id)?.includes(contact));
      return strayIds.map((contact) => contactWrite(index, { id, version }, contact, null));
    });
    await this.#bulk.write(strays, until);
  }

  /** The ids of the contacts of records as their documents have them at this moment. */
  async #listContacts(
    index: string,
    changes: readonly Pick<IndexChange, 'id'>[],
    until?: RetryUntil,
  ): Promise<Map<string, readonly string[]>> {
    const ids = changes.map(({ id }) => documentId(id));
    if (ids.length === 0) return new Map();
    const request = { index: writingAlias(index), ids, _source_includes: ['record.contacts.id'] };
    const { docs } = await readPatiently(() => this.#client.mget<Pick<KeptDocument, 'record'>>(request), until);
    return new Map(
      changes.map(({ id }, place) => {
        const answer = docs[place];
        const contacts = answer && '_source' in answer ? answer._source?.record?.contacts : undefined;
        return [id, contacts?.map((contact) => contact.id) ?? []];
      }),
    );
  }
}

function writesOf(index: string, change: PreparedChange, contactsBefore: readonly string[]): DocumentWrite[] {
  const { id, version, document, contacts } = change;
  const goneIds = contactsBefore.filter((contact) => !contacts.has(contact));
  return [
    ...[...contacts].map(([contact, contactDocument]) => contactWrite(index, change, contact, contactDocument)),
    ...[...new Set(goneIds)].map((contact) => contactWrite(index, change, contact, null)),
    { record: id, alias: writingAlias(index), id: documentId(id), version, document },
  ];
}

function contactWrite(
  index: string,
  { id: record, version }: Pick<IndexChange, 'id' | 'version'>,
  contact: string,
  document: Uint8Array | null,
): DocumentWrite {
  // No id of a contact has a space.
  return { record, alias: writingAlias(contactsOf(index)), id: contactDocumentId(record, contact), version, document };
}
