import { randomBytes } from 'node:crypto';
import { addUpTo, type KeyedKind, type OpenKeyed, removeIf } from '#records/keyed-store.ts';
import { tokenOf } from './pepper.ts';

export const maxSearches = 100;

/** A search that an account saved, as the stores keep it. Times are ISO 8601, UTC. */
export interface SavedSearch {
  id: string;
  /** The hash of the key that it belongs to, which survives rotations and renewals. */
  account: string;
  name: string;
  /** As parameters of an export: several values of one are separated by `|`. */
  filters: Readonly<Record<string, string>>;
  createdAt: string;
  /** Another one makes another token of the feed. */
  feedSalt: string;
  feed: FeedProgress;
}

/** What the feed of a search has come to (see outbound/follow-search.ts). */
export interface FeedProgress {
  /** The version of the feed of changes up to which it was followed. */
  version: number;
  /** The records that met the search for the first time since it was saved, the newest first. */
  entries: readonly { id: string; metAt: string }[];
  /** The marks of all records that have met it, separated by spaces. */
  met: string;
  /** Set if these were too many: records that came in before this time count as having met it. */
  metBefore: string | null;
}

export type SearchHead = Omit<SavedSearch, 'feed'>;

export const savedSearchKind: KeyedKind<SavedSearch> = {
  name: 'saved_searches',
  ownerOf: ({ account }) => account,
  orderOf: ({ name }) => name,
};

/** Saved searches as their accounts see them: never those of others. */
export class SavedSearches {
  readonly #searches;

  constructor(open: OpenKeyed) {
    this.#searches = open(savedSearchKind);
  }

  /** By name. */
  async list(account: string): Promise<SearchHead[]> {
    return (await this.#searches.list({ owner: account, without: 'feed' })).reverse();
  }

  /** Of any account: whoever has the token of its feed may read it. */
  find(id: string): Promise<SavedSearch | null> {
    return this.#searches.find(id);
  }

  /** Stores a new search, unless the account has as many as it may. Returns whether it did. */
  create(search: SavedSearch): Promise<boolean> {
    return addUpTo(this.#searches, [search.id, search], maxSearches, { owner: search.account, without: 'feed' });
  }

  /** Stores and returns what `decide` makes of the search as it is. Returns null if there is no such search. */
  change(id: string, decide: (search: SavedSearch) => SavedSearch): Promise<SavedSearch | null> {
    return this.#searches.change(id, (stored) => stored && decide(stored));
  }

  /** Ends the token of the feed. Returns the search, whose feed has another one; null if the account has no such search. */
  async replaceToken(account: string, id: string): Promise<SearchHead | null> {
    const isOwn = (search: SavedSearch) => search.account === account;
    const changed = await this.change(id, (stored) => (isOwn(stored) ? { ...stored, feedSalt: newSalt() } : stored));
    return changed !== null && isOwn(changed) ? changed : null;
  }

  /** Returns whether the account had this search. */
  remove(account: string, id: string): Promise<boolean> {
    return removeIf(this.#searches, id, (stored) => stored.account === account);
  }
}

export function newSalt(): string {
  return randomBytes(16).toString('base64url');
}

/** What opens the feed of a search, and nothing else. */
export function feedTokenOf({ id, feedSalt }: Pick<SavedSearch, 'id' | 'feedSalt'>, pepper: string): string {
  return tokenOf(`feed:${id}:${feedSalt}`, pepper);
}
