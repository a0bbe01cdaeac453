/** A kind of values with keys, such as sessions: JSON of at most 15 MB. A new kind needs only a row in `keyedKinds`, no migration. */
export interface KeyedKind<Value> {
  /** Its name in both backends: the MongoDB collection, and `kind` in the embedded store. Snake case. */
  name: string;
  /** The owner of a value. `list` can find values by it. */
  ownerOf?: (value: Value) => string;
  /** What `list` sorts by, such as a time in ISO 8601; equal ones are sorted by their keys. */
  orderOf: (value: Value) => string;
  /** How long a value lives after each write, in milliseconds; if absent, until it is removed. */
  livesMs?: number;
  /** Whether it says who calls. `find` then works for a while where nothing can be written (decisions/0056). */
  isOfCaller?: true;
}

export interface KeyedQuery {
  owner?: string;
  /** Only values whose `orderOf` is at least this. */
  from?: string;
  limit?: number;
  /** A large property that is left out of the values. */
  without?: string;
}

/** Values by key. Expired ones are absent. All methods fail with Problem `store_unavailable` if the store cannot be reached. */
export interface KeyedStore<Value> {
  find(key: string): Promise<Value | null>;
  /** The values of these keys, at most 1,000. Keys without a value are absent. */
  findMany(keys: readonly string[]): Promise<Map<string, Value>>;
  /** Values by `orderOf`, the last first. */
  list(query?: KeyedQuery): Promise<Value[]>;
  /** Writes and returns what `decide` returns: null removes, the same object changes nothing. Calls it again if others wrote meanwhile. */
  change(key: string, decide: (value: Value | null) => Value | null): Promise<Value | null>;
}

export type OpenKeyed = <Value extends object>(kind: KeyedKind<Value>) => KeyedStore<Value>;

/**
 * Stores a new value under its key, unless more than `most` values then meet `query`. Returns whether it did. They are counted last,
 * because others may add values at the same time.
 */
export async function addUpTo<Value>(
  store: KeyedStore<Value>,
  [key, value]: readonly [key: string, value: Value],
  most: number,
  query: KeyedQuery,
): Promise<boolean> {
  await store.change(key, () => value);
  if ((await store.list(query)).length <= most) return true;
  await store.change(key, () => null);
  return false;
}

/** Removes the value of a key if it is one that `mayGo`. Returns whether it did. */
export async function removeIf<Value>(
  store: KeyedStore<Value>,
  key: string,
  mayGo: (value: Value) => boolean,
): Promise<boolean> {
  let isGone = false;
  await store.change(key, (stored) => {
    isGone = stored !== null && mayGo(stored);
    return isGone ? null : stored;
  });
  return isGone;
}

let madeKeys = 0;

/** A new key. Keys sort by their time, and with the same time in the order in which this process made them. */
export function newOrderedKey(at: string): string {
  madeKeys += 1;
  return `${at} ${String(madeKeys).padStart(12, '0')} ${crypto.randomUUID()}`;
}
