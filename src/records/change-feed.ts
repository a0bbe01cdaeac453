import type { MediaRecord } from './media-record.ts';
import type { Kind } from './vocabularies.ts';

/** How long an entry that says that a record is gone is kept, and how old a cursor may be, in days (contract A20). */
export const feedDays = 90;

/** What the API shows of a record, as far as the feed remembers it. Each change of what it shows has another date. */
export interface Appearance {
  id: string;
  /** Null if the API shows no such record. */
  kind: Kind | null;
  updatedAt: string | null;
  /** The id of the record that this one was merged into, if it was. */
  leadsTo: string | null;
}

/** @param visible what suppressions leave of the record; null if the API shows nothing of it */
export function appearanceOf(id: string, visible: MediaRecord | null): Appearance {
  return { id, kind: visible?.kind ?? null, updatedAt: visible?.updated_at ?? null, leadsTo: null };
}

/** The version at which a record left each kind. */
export type LeftKinds = Partial<Record<Kind, number>>;

/**
 * What a record has left when an entry shows it with this kind, null for gone. What is gone has left its kinds again once its id
 * leads elsewhere.
 */
export function leftBy(version: number, kind: Kind | null, before: { kind: Kind | null; left: LeftKinds }): LeftKinds {
  const earlierKinds = Object.keys(before.left) as Kind[];
  const leaving = before.kind !== null ? [before.kind] : kind === null ? earlierKinds : [];
  const left = leaving.filter((kindLeft) => kindLeft !== kind).map((kindLeft) => [kindLeft, version]);
  return { ...before.left, ...Object.fromEntries(left) };
}

/** How far the feed has come: searches of this index show every change up to this version. */
export interface FeedPosition {
  version: number;
  index: string;
}

/** The last change of a record. What it is like now, the index says; it may know of later changes. */
export interface FeedEntry {
  id: string;
  /** Null if it is gone. */
  kind: Kind | null;
  leadsTo: string | null;
  /** Larger than that of every entry before it. */
  version: number;
  notedAt: Date;
}

/** Which entries to read: after one version and up to another, of records that have one of these kinds or have left it since. */
export interface FeedQuery {
  after: number;
  /** Not later than `after`. */
  since: number;
  upTo: number;
  kinds: readonly Kind[];
  limit: number;
}

export interface FeedPage {
  /** By their versions. */
  entries: FeedEntry[];
  /** The `since` of who has read up to the end: not later than a record that has left a kind and has changed again meanwhile. */
  since: number;
}

/** What changed of what the API shows: one entry for each record. It begins empty, with what was shown then as known. */
export interface ChangeFeed {
  /** Null until the feed follows the index that searches use. */
  findPosition(): Promise<FeedPosition | null>;
  read(query: FeedQuery): Promise<FeedPage>;
  /** Forgets records that were gone before this time. Returns how many. */
  purge(before: Date): Promise<number>;
}
