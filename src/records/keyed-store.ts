/**
 * What is kept under keys: audit entries, pushes, lists, leases, sessions. A new kind needs no table, no collection and
 * no migration, only its place in `keyedKinds` (backends/stores.ts). A value is JSON of at most 15 MB.
 */
export interface KeyedKind<Value> {
  /** Its name in both backends: the MongoDB collection, and `kind` in the embedded store. Snake case. */
  name: string;
  /** The owner of a value, by which `list` finds values. */
  ownerOf?: (value: Value) => string;
  /** What `list` sorts by, such as a time in ISO 8601; equal ones are sorted by their keys. */
  orderOf: (value: Value) => string;
  /** How long it lives after each write, in milliseconds, by the store's clock; absent: until it is removed. */
  livesMs?: number;
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
  /**
   * Writes what `decide` makes of the current value, and returns it. Null stands for no value, and nothing is written if
   * `decide` returns the same object. If another change comes in between, `decide` is called again.
   */
  change(key: string, decide: (value: Value | null) => Value | null): Promise<Value | null>;
}

export type OpenKeyed = <Value extends object>(kind: KeyedKind<Value>) => KeyedStore<Value>;

let madeKeys = 0;

/** A new key that sorts by this time, and within it in the order in which this process made them. */
export function newOrderedKey(at: string): string {
  madeKeys += 1;
  return `${at} ${String(madeKeys).padStart(12, '0')} ${crypto.randomUUID()}`;
}
