import { Problem } from '#src/problem.ts';

/** What has become of a pitch to a record. */
export const listStatuses = ['to_contact', 'contacted', 'replied', 'declined', 'published', 'none'] as const;
export type ListStatus = (typeof listStatuses)[number];

/** How many lists an account may have, and records a list. */
export const maxLists = 200;
export const maxListed = 10_000;
/** Code units of all notes of a list: a document of MongoDB holds 16 MB. */
const maxNotes = 3_000_000;

/** A list of an account, as the stores keep it. Times are ISO 8601, UTC. */
export interface MediaList {
  id: string;
  /** The hash of the key that it belongs to, which survives rotations and renewals. */
  account: string;
  name: string;
  createdAt: string;
  updatedAt: string;
  /** One more with every write. */
  version: number;
  entries: readonly ListEntry[];
}

/** A record in a list, in the order added. */
export interface ListEntry {
  id: string;
  note: string | null;
  status: ListStatus;
  addedAt: string;
}

/** A list without its entries. */
export type ListHead = Omit<MediaList, 'entries'> & { count: number };

/** What is written to a list. A note or status that is not given stays as it is. */
export interface ListChange {
  name?: string;
  add?: ReadonlyArray<{ id: string; note?: string | null | undefined; status?: ListStatus | undefined }>;
  remove?: readonly string[];
}

/** Lists as their accounts see them: never those of others. Methods fail with Problem `store_unavailable` if the store cannot be reached. */
export interface ListStore {
  /** By name. */
  list(account: string): Promise<ListHead[]>;
  find(account: string, id: string): Promise<MediaList | null>;
  /** Stores a new list, unless the account has as many as it may. Returns whether it did. */
  create(list: MediaList): Promise<boolean>;
  /** Stores the list if the version before it is stored. Returns whether it was. */
  replace(list: MediaList): Promise<boolean>;
  /** Returns whether there was such a list; with a version, only of that. */
  remove(account: string, id: string, version: number | null): Promise<boolean>;
}

/** The list without its entries. */
export function headOf({ entries, ...list }: MediaList): ListHead {
  return { ...list, count: entries.length };
}

/**
 * The next version of a list. Throws Problem `list_full` if it would be too long.
 *
 * @param present the entries that are still records, each under the id of its record
 */
export function changeList(
  list: MediaList,
  present: readonly ListEntry[],
  { name = list.name, add = [], remove = [] }: ListChange,
  now: Date,
): MediaList {
  const at = now.toISOString();
  const entries = new Map(present.map((entry) => [entry.id, entry]));
  for (const id of remove) entries.delete(id);
  for (const { id, note, status } of add) {
    const before = entries.get(id) ?? { id, note: null, status: 'none', addedAt: at };
    entries.set(id, { ...before, ...(note !== undefined && { note }), ...(status !== undefined && { status }) });
  }
  if (entries.size > maxListed) {
    throw new Problem(
      'list_full',
      `This list would have ${entries.size} records, and a list holds at most ${maxListed}. Remove some, or use another list.`,
    );
  }
  const all = [...entries.values()];
  if (all.reduce((sum, { note }) => sum + (note?.length ?? 0), 0) > maxNotes) {
    throw new Problem(
      'list_full',
      'The notes of this list are too long altogether. Shorten some, or use another list.',
    );
  }
  return { ...list, name, updatedAt: at, version: list.version + 1, entries: all };
}
