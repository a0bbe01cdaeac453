/**
 * What is kept under keys: audit entries, pushes, lists, leases, sessions. A new kind needs no table, no collection and
 * no migration, only its place in `keyedKinds` (backends/stores.ts). A value is JSON of at most 15 MB.
 */
export interface KeyedKind<Value> {
  /** Its name in both backends: the MongoDB collection, and `kind` in the embedded store. Snake case. */
  name: string;
  /** Whose it is: `list` finds values by it. */
  ownerOf?: (value: Value) => string;
  /** What `list` sorts by, such as a time in ISO 8601; equal ones are sorted by their keys. */
  orderOf: (value: Value) => string;
  /** How long it lives after each write, in milliseconds, by the store's clock; absent: until it is removed. */
  livesMs?: number;
}

export interface KeyedQuery {
  owner?: string;
  /** The first value of `orderOf` that counts. */
  from?: string;
  limit?: number;
  /** A large property that is left out of the values. */
  without?: string;
}

/** What has expired is not there. All methods fail with Problem `store_unavailable` if the store cannot be reached. */
export interface KeyedStore<Value> {
  find(key: string): Promise<Value | null>;
  /** Those of these keys that are there, at most 1,000. */
  findMany(keys: readonly string[]): Promise<Map<string, Value>>;
  /** The last in order come first. */
  list(query?: KeyedQuery): Promise<Value[]>;
  /**
   * Writes what `decide` makes of the current value; null for none, before and after. Returned unchanged, nothing is
   * written. No other change happens in between: `decide` is called again if one did. Returns what is there afterwards.
   */
  change(key: string, decide: (value: Value | null) => Value | null): Promise<Value | null>;
}

export type OpenKeyed = <Value extends object>(kind: KeyedKind<Value>) => KeyedStore<Value>;

let madeKeys = 0;

/** A new key for what has this time; those of one time, made one after the other in a process, are in order. */
export function newOrderedKey(at: string): string {
  madeKeys += 1;
  return `${at} ${String(madeKeys).padStart(12, '0')} ${crypto.randomUUID()}`;
}
