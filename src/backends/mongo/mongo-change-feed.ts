import type { AnyBulkWriteOperation, Collection } from 'mongodb';
import {
  type Appearance,
  appearanceOf,
  type FeedEntry,
  type FeedPage,
  type FeedQuery,
  type LeftKinds,
  leftBy,
} from '#records/change-feed.ts';
import type { KeyedKind, KeyedStore, OpenKeyed } from '#records/keyed-store.ts';
import type { Kind } from '#records/vocabularies.ts';
import { CollectionStore } from './collection-store.ts';
import type { Position } from './mongo-index-journal.ts';
import type { MergedIdDocument } from './mongo-merged-ids.ts';

/** What was last shown of a record, and since which version. */
export interface FeedDocument {
  /** The record's id. */
  _id: string;
  version: number;
  /** Null if it is gone. */
  kind: Kind | null;
  shown_at: string | null;
  /** The id of the record that it was merged into, if it was. */
  leads_to: string | null;
  left_kinds: LeftKinds;
  noted_at: Date;
}

/** How far the feed has come with an index: searches of it show every change before the position, up to this version. */
export interface FeedState {
  index: string;
  /** Of this very index (GenerationState). */
  identity: string;
  position: Position;
  version: number;
}

type StoredState = Omit<FeedState, 'position'> & { token: string; position: string };

export const feedStateKind: KeyedKind<StoredState> = { name: 'change_feed_state', orderOf: () => '' };

/** The key of the only value. */
const stateKey = 'feed';

/**
 * The feed in MongoDB. Only the sync writes it, one at a time: a change of what an index shows is always one of the history of the
 * records, because it also sets their date.
 */
export class MongoChangeFeed extends CollectionStore<FeedDocument> {
  readonly #states: KeyedStore<StoredState>;
  readonly #mergedIds: Collection<MergedIdDocument>;

  constructor(feed: Collection<FeedDocument>, mergedIds: Collection<MergedIdDocument>, open: OpenKeyed) {
    super(feed);
    this.#mergedIds = mergedIds;
    this.#states = open(feedStateKind);
  }

  /** Null before the first sync. */
  async findState(): Promise<FeedState | null> {
    const stored = await this.#states.find(stateKey);
    if (stored === null) return null;
    const { token, position, ...state } = stored;
    return { ...state, position: { token, version: BigInt(position) } };
  }

  /** Lets callers read up to a version. A sync that was replaced by another one meanwhile changes nothing. */
  async confirm({ position: { token, version: position }, ...state }: FeedState): Promise<void> {
    await this.#states.change(stateKey, (before) =>
      before !== null && before.version > state.version ? before : { ...state, token, position: String(position) },
    );
  }

  async read({ after, since, upTo, kinds, limit }: FeedQuery): Promise<FeedPage> {
    const concerned = [
      { kind: { $in: [...kinds] } },
      ...kinds.map((kind) => ({ [`left_kinds.${kind}`]: { $gt: since } })),
    ];
    const documents = await this.run((feed) =>
      feed.find({ version: { $gt: after, $lte: upTo }, $or: concerned }, { sort: { version: 1 }, limit }).toArray(),
    );
    const later = { version: { $gt: upTo }, left_kinds: { $ne: {} } };
    const hasLater = (await this.run((feed) => feed.findOne(later))) !== null;
    return { entries: documents.map(entryOf), since: hasLater ? since : upTo };
  }

  async purge(before: Date): Promise<number> {
    const outdated = { kind: null, noted_at: { $lt: before } };
    return this.run(async (feed) => (await feed.deleteMany(outdated)).deletedCount);
  }

  async openWriter(): Promise<FeedWriter> {
    const [last] = await this.run((feed) => feed.find({}, { sort: { version: -1 }, limit: 1 }).toArray());
    const state = await this.findState();
    return new FeedWriter(this, Math.max(last?.version ?? 0, state?.version ?? 0));
  }

  /** The same, with where the ids of those that are gone lead. */
  async withLeads(appearances: readonly Appearance[]): Promise<Appearance[]> {
    const goneIds = appearances.flatMap(({ id, kind }) => (kind === null ? [id] : []));
    const merged =
      goneIds.length === 0 ? [] : await this.run(() => this.#mergedIds.find({ _id: { $in: goneIds } }).toArray());
    const leads = new Map(merged.map(({ _id, kept_id }) => [_id, kept_id]));
    return appearances.map((appearance) => ({ ...appearance, leadsTo: leads.get(appearance.id) ?? null }));
  }

  /** What is noted of these records. */
  findNoted(ids: readonly string[]): Promise<FeedDocument[]> {
    return this.run((feed) => feed.find({ _id: { $in: [...ids] } }).toArray());
  }

  /** The ids of records that are not gone, after one id and up to another. */
  async findShown(after: string, upTo: string | null): Promise<string[]> {
    const within = { $gt: after, ...(upTo !== null && { $lte: upTo }) };
    const options = { projection: { _id: 1 } } as const;
    const documents = await this.run((feed) => feed.find({ _id: within, kind: { $ne: null } }, options).toArray());
    return documents.map(({ _id }) => _id);
  }

  /** Writes documents, but none in place of a later one. */
  async write(documents: readonly FeedDocument[]): Promise<void> {
    const writes = documents.map(({ _id, ...document }): AnyBulkWriteOperation<FeedDocument> => {
      const isLater = { $gt: [document.version, { $ifNull: ['$version', -1] }] };
      const replacement = { $mergeObjects: [{ _id: '$_id' }, { $literal: document }] };
      const steps = [{ $replaceWith: { $cond: [isLater, replacement, '$$ROOT'] } }];
      return { updateOne: { filter: { _id }, update: steps, upsert: true } };
    });
    if (writes.length > 0) await this.run((feed) => feed.bulkWrite(writes, { ordered: false }));
  }
}

function entryOf({ _id: id, kind, version, leads_to: leadsTo, noted_at: notedAt }: FeedDocument): FeedEntry {
  return { id, kind, version, leadsTo, notedAt };
}

/** Writes the feed for the sync that has the lock. Entries get rising versions, in the order of the calls. */
export class FeedWriter {
  readonly #feed: MongoChangeFeed;
  #version: number;
  #earlier: Promise<unknown> = Promise.resolve();

  constructor(feed: MongoChangeFeed, version: number) {
    this.#feed = feed;
    this.#version = version;
  }

  /** Notes what records look like from now on: an entry for each that looked otherwise before. Returns the last version by then. */
  note(appearances: readonly Appearance[]): Promise<number> {
    const noted = this.#earlier.then(() => this.#note(appearances));
    this.#earlier = noted.catch(() => {});
    return noted;
  }

  async #note(appearancesSeen: readonly Appearance[]): Promise<number> {
    if (appearancesSeen.length === 0) return this.#version;
    const appearances = await this.#feed.withLeads(appearancesSeen);
    const before = new Map(
      (await this.#feed.findNoted(appearances.map(({ id }) => id))).map((document) => [document._id, document]),
    );
    const changed = appearances.filter(({ id, updatedAt, leadsTo }) => {
      const { shown_at = null, leads_to = null } = before.get(id) ?? {};
      return shown_at !== updatedAt || leads_to !== leadsTo;
    });
    await this.#feed.write(changed.map((appearance) => this.#documentOf(appearance, before.get(appearance.id))));
    return this.#version;
  }

  #documentOf({ id, kind, updatedAt, leadsTo }: Appearance, before: FeedDocument | undefined): FeedDocument {
    this.#version += 1;
    const version = this.#version;
    const left_kinds = leftBy(version, kind, { kind: before?.kind ?? null, left: before?.left_kinds ?? {} });
    return { _id: id, version, kind, shown_at: updatedAt, leads_to: leadsTo, left_kinds, noted_at: new Date() };
  }

  /** Notes what records of one range of ids look like, and that all others in it are gone. */
  async noteRange(
    { after, upTo }: { after: string; upTo: string | null },
    present: readonly Appearance[],
  ): Promise<number> {
    const presentIds = new Set(present.map(({ id }) => id));
    const goneIds = (await this.#feed.findShown(after, upTo)).filter((id) => !presentIds.has(id));
    return this.note([...present, ...goneIds.map((id) => appearanceOf(id, null))]);
  }
}
