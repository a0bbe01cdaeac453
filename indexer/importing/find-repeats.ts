import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { SourceRecord } from '#records/normalize/cell-reader.ts';
import { normalizeId } from '#records/normalize/normalize-id.ts';
import type { Kind } from '#records/vocabularies.ts';
import { nameKey } from '#text/fold.ts';
import { hashText } from '#text/hash-text.ts';
import { once } from '#text/memoize.ts';
import type { Input, Source } from './open-input.ts';
import { readRows } from './read-rows.ts';
import type { Row, RowReader } from './row.ts';

/** What is known of a file's rows by their keys: hashes of their ids, or of the names of rows without one. */
export interface Repeats {
  /** Notes that a row with this key comes; returns whether further ones follow, which may be of the same record. */
  isFollowed(key: number): boolean;
  /** Whether the file certainly has only one row with this key. */
  isAlone(key: number): boolean;
  /** The headings of the file, or all keys of its rows; null if it is read only once. */
  headings: readonly string[] | null;
  /** Whether there were too many keys to track all. */
  isIncomplete: boolean;
}

/** Maximum number of repeated keys tracked in a file. */
const maxRepeats = 200_000;
/** Slots of the table of keys at first, and at most: 32 MB, for 3.1 million keys. */
const firstSlots = 1 << 16;
const maxSlots = 1 << 22;
const fullAt = 0.75;

interface Scan {
  /** Where the ids of merged records lead. */
  resolve: (ids: readonly string[]) => Promise<ReadonlyMap<string, string>>;
  onRead: (source: Source) => void;
}

/**
 * Counts the rows of a file by id or name, so that the import can wait for all that may be of one record, and importing the
 * file again changes nothing. Input that can be read only once (standard input, a pipe) is not scanned. Faults within the
 * file are left to the import.
 *
 * @throws RefusedFile if the input cannot be opened; what `resolve` throws.
 */
export async function findRepeats(input: Input, { resolve, onRead }: Scan): Promise<Repeats> {
  if (!input.isRereadable)
    return { isFollowed: () => false, isAlone: () => false, headings: null, isIncomplete: false };
  const seen = new SeenKeys();
  const counts = new Map<number, number>();
  const source = await input.open();
  const readers: RowReader[] = [];
  try {
    for await (const rows of withoutFaults(readRows(source, (reader) => readers.push(reader)))) {
      const ids = rows.map(idOf);
      const leads = await resolve(ids.filter((id) => id !== null));
      for (const [place, row] of rows.entries()) {
        const id = ids[place] ?? null;
        const key = keyOfRow(row, id === null ? null : (leads.get(id) ?? id));
        if (key === null) continue;
        const count = counts.get(key) ?? 1;
        if (seen.add(key) && (count > 1 || counts.size < maxRepeats)) counts.set(key, count + 1);
      }
      onRead(source);
    }
  } finally {
    source.close();
  }
  const isIncomplete = seen.isFull || counts.size === maxRepeats;
  return {
    isIncomplete,
    headings: readers[0]?.headings ?? null,
    isAlone: (key) => !isIncomplete && !counts.has(key),
    isFollowed(key) {
      const left = (counts.get(key) ?? 1) - 1;
      if (left > 0) counts.set(key, left);
      return left > 0;
    },
  };
}

/** The rows up to the first fault of a file, which the import meets too. */
async function* withoutFaults(batches: AsyncGenerator<Row[]>): AsyncGenerator<Row[]> {
  try {
    yield* batches;
  } catch {
    // It is noted when the file is imported.
  }
}

/** null for a row without a usable id. */
export function idOf(row: Row): string | null {
  const given = 'fault' in row ? null : normalizeId(row.source.id);
  return given !== null && 'id' in given ? given.id : null;
}

/** The key of a row for Repeats, by the id of its record or else by its name as it stands; null for one without both. */
export function keyOfRow(row: Row, recordId: string | null): number | null {
  if (recordId !== null) return hashText(`id ${recordId}`);
  const name = 'fault' in row ? undefined : row.source.name;
  return typeof name === 'string' ? hashText(nameKey(name)) : null;
}

/** 132 bits: no two rows share a digest by chance. */
const digestLength = 22;

/**
 * The digest of what a row says, and of everything that decides what becomes of it: rows with the same digest give the
 * same patch, and merging that into the same record gives the same.
 *
 * @param kind of rows that have none
 */
export function digestRow(source: SourceRecord, kind: Kind | null): string {
  return hash('sha256', formOfImports() + JSON.stringify([kind, source]), 'base64url').slice(0, digestLength);
}

/**
 * The form in which this version reads and merges rows: src/records/ and src/text/ do all of it. Another
 * version, package or Node reads every row again.
 */
const formOfImports = once(() => {
  const root = fileURLToPath(new URL('../../', import.meta.url));
  const files = ['src/records', 'src/text'].flatMap((room) =>
    readdirSync(`${root}${room}`, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(?:ts|json)$/.test(name))
      .map((name) => `${root}${room}/${name}`),
  );
  const texts = files.toSorted().map((path) => readFileSync(path, 'utf8'));
  return hash('sha256', JSON.stringify([process.versions, readFileSync(`${root}package-lock.json`, 'utf8'), texts]));
});

/**
 * The keys seen so far, in bounded memory: a table of 53-bit hashes. Past its limit no further ones are stored, and
 * `isFull` says so.
 */
class SeenKeys {
  #slots = new Float64Array(firstSlots);
  #count = 0;
  isFull = false;

  /** Stores a key; returns whether it was there before. */
  add(hash: number): boolean {
    const slot = slotOf(this.#slots, hash);
    if (this.#slots[slot] === hash) return true;
    if (this.#count >= this.#slots.length * fullAt && !this.#grow()) {
      this.isFull = true;
      return false;
    }
    this.#slots[slotOf(this.#slots, hash)] = hash;
    this.#count += 1;
    return false;
  }

  #grow(): boolean {
    if (this.#slots.length >= maxSlots) return false;
    const larger = new Float64Array(this.#slots.length * 4);
    for (const hash of this.#slots) if (hash !== 0) larger[slotOf(larger, hash)] = hash;
    this.#slots = larger;
    return true;
  }
}

/** The slot that holds the hash, or the free one where it would go. */
function slotOf(slots: Float64Array, hash: number): number {
  let slot = hash % slots.length;
  while (slots[slot] !== 0 && slots[slot] !== hash) slot = (slot + 1) % slots.length;
  return slot;
}
