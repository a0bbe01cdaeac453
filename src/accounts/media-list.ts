import { addUpTo, type KeyedKind, type OpenKeyed, removeIf } from '#records/keyed-store.ts';
import { Problem } from '#src/problem.ts';

/** How far a pitch to a record has come. */
export const listStatuses = ['to_contact', 'contacted', 'replied', 'declined', 'published', 'none'] as const;
export type ListStatus = (typeof listStatuses)[number];

export const maxLists = 200;
export const maxListed = 10_000;
/** Characters of a note. */
export const maxNote = 1_000;
/** UTF-16 code units of all notes of a list together, because a document of MongoDB holds at most 16 MB. */
const maxNotes = 3_000_000;

/** A list of an account, as the stores keep it. Times are ISO 8601, UTC. */
export interface MediaList {
  id: string;
  /** The hash of the key that it belongs to, which survives rotations and renewals. */
  account: string;
  name: string;
  createdAt: string;
  updatedAt: string;
  version: number;
  entries: readonly ListEntry[];
}

/** What an entry names: a medium, or one contact of it. */
export interface ListSubject {
  id: string;
  /** Absent for the medium itself. */
  contactId?: string | undefined;
}

export interface ListEntry extends ListSubject {
  note: string | null;
  status: ListStatus;
  addedAt: string;
  /** When somebody wrote to the subject. ISO 8601, UTC; null or absent where that is not known. */
  contactedAt?: string | null;
}

export type ListHead = Omit<MediaList, 'entries'> & { count: number };

/** What is written to an entry. What is absent stays as it is; but a status that becomes `contacted` sets the date, unless that is written too. */
export interface WrittenEntry extends ListSubject {
  note?: string | null | undefined;
  status?: ListStatus | undefined;
  contactedAt?: string | null | undefined;
}

export interface ListChange {
  name?: string;
  add?: readonly WrittenEntry[];
  remove?: readonly RemovedSubject[];
}

/** With `isWhole`, all entries of the medium. */
export type RemovedSubject = ListSubject & { isWhole?: true };

/** A list with the number of its entries, so that a head can be read without the entries. */
type StoredList = MediaList & { count: number };

export const listKind: KeyedKind<StoredList> = {
  name: 'media_lists',
  ownerOf: ({ account }) => account,
  orderOf: ({ name }) => name,
};

/** Lists as their accounts see them: never those of others. */
export class ListStore {
  readonly #lists;

  constructor(open: OpenKeyed) {
    this.#lists = open(listKind);
  }

  /** By name. */
  async list(account: string): Promise<ListHead[]> {
    return (await this.#lists.list({ owner: account, without: 'entries' })).reverse();
  }

  async find(account: string, id: string): Promise<MediaList | null> {
    const list = await this.#lists.find(id);
    return list?.account === account ? withoutCount(list) : null;
  }

  /** The entries of all accounts that name one of these subjects, each with the id of its list. Reads one list at a time. */
  async findEntries(keys: ReadonlySet<string>): Promise<(ListEntry & { listId: string })[]> {
    const entries: (ListEntry & { listId: string })[] = [];
    for (const { id: listId } of await this.#lists.list({ without: 'entries' })) {
      const named = (await this.#lists.find(listId))?.entries.filter((entry) => keys.has(subjectKey(entry))) ?? [];
      entries.push(...named.map((entry) => ({ listId, ...entry })));
    }
    return entries;
  }

  /** Stores a new list, unless the account has as many as it may. Returns whether it did. */
  create(list: MediaList): Promise<boolean> {
    const stored = { ...list, count: list.entries.length };
    return addUpTo(this.#lists, [list.id, stored], maxLists, { owner: list.account, without: 'entries' });
  }

  /** Stores and returns what `decide` makes of the list as it is; null leaves it. Returns null if there is no such list. */
  async write(account: string, id: string, decide: (list: MediaList) => MediaList | null): Promise<MediaList | null> {
    let newList = null as MediaList | null;
    await this.#lists.change(id, (stored) => {
      newList = stored?.account === account ? decide(withoutCount(stored)) : null;
      return newList === null ? stored : { ...newList, count: newList.entries.length };
    });
    return newList;
  }

  /** Deletes a list; if `version` is given, only in this version. Returns whether there was one. */
  remove(account: string, id: string, version: number | null): Promise<boolean> {
    return removeIf(this.#lists, id, (list) => list.account === account && list.version === (version ?? list.version));
  }
}

function withoutCount({ count: _, ...list }: StoredList): MediaList {
  return list;
}

export function headOf({ entries, ...list }: MediaList): ListHead {
  return { ...list, count: entries.length };
}

/** The same for entries of the same subject. */
export function subjectKey({ id, contactId }: ListSubject): string {
  return JSON.stringify([id, contactId ?? null]);
}

/** What a write changes of an entry. */
function changesOf(values: Omit<WrittenEntry, 'id'>, before: ListEntry, now: string): Partial<ListEntry> {
  const { note, status } = values;
  const isContactedNow = status === 'contacted' && before.status !== 'contacted';
  const contactedAt = values.contactedAt === undefined && isContactedNow ? now : values.contactedAt;
  return {
    ...(note !== undefined && { note }),
    ...(status !== undefined && { status }),
    ...(contactedAt !== undefined && { contactedAt }),
  };
}

/** The next version of a list. It keeps only entries that are `present`: the index still has them. Throws Problem `list_full`. */
export function changeList(
  list: MediaList,
  presentEntries: readonly ListEntry[],
  { name = list.name, add = [], remove = [] }: ListChange,
  now: Date,
): MediaList {
  const at = now.toISOString();
  const removed = new Set(remove.map(subjectKey));
  const removedWhole = new Set(remove.filter(({ isWhole }) => isWhole).map(({ id }) => id));
  const stay = presentEntries.filter((entry) => !removed.has(subjectKey(entry)) && !removedWhole.has(entry.id));
  const entries = new Map(stay.map((entry) => [subjectKey(entry), entry]));
  for (const { id, contactId, ...values } of add) {
    const key = subjectKey({ id, contactId });
    const before = entries.get(key) ?? { id, ...(contactId && { contactId }), note: null, status: 'none', addedAt: at };
    entries.set(key, { ...before, ...changesOf(values, before, at) });
  }
  if (entries.size > maxListed) {
    throw new Problem(
      'list_full',
      `This list would have ${entries.size} entries, and a list holds at most ${maxListed}. Remove some, or use another list.`,
    );
  }
  const newEntries = [...entries.values()];
  if (newEntries.reduce((sum, { note }) => sum + (note?.length ?? 0), 0) > maxNotes) {
    throw new Problem(
      'list_full',
      'The notes of this list are too long altogether. Shorten some, or use another list.',
    );
  }
  return { ...list, name, updatedAt: at, version: list.version + 1, entries: newEntries };
}
