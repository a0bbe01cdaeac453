import { hashText } from '#domain/hash-text.ts';
import { normalizeId } from '#domain/normalize/normalize-id.ts';
import { normalizeRecord } from '#domain/normalize/normalize-record.ts';
import type { Kind } from '#domain/vocabularies.ts';
import type { Input } from './open-input.ts';
import type { Source } from './open-source.ts';
import { readRows } from './read-rows.ts';
import type { Row, RowReader } from './row.ts';

/** For each row's record, in file order, what is known about further rows of it. */
export interface Repeats {
  next(recordId: string): { isRepeat: boolean; isFollowed: boolean };
  /** Whether the file certainly has only one row of the record, so that `next` need not be asked. */
  isAlone(recordId: string): boolean;
  /** Whether there were too many ids to track all. */
  isIncomplete(): boolean;
}

/** Maximum number of ids tracked in a file. */
const maxRepeats = 200_000;
/** Slots of the table of ids at first, and at most: 32 MB, for 3.1 million ids. */
const firstSlots = 1 << 16;
const maxSlots = 1 << 22;
const fullAt = 0.75;

interface Scan {
  /** Where the ids of merged records lead. */
  resolve: (ids: readonly string[]) => Promise<ReadonlyMap<string, string>>;
  onRead: (source: Source) => void;
}

/**
 * Scans a file for repeated ids, and ids that lead to one record, so that only the merged result of their rows is saved and importing the file again
 * changes nothing. Input that can be read only once (standard input, a pipe) is not scanned: there a repeated id is
 * noticed when it appears again. Faults within the file are left to the import.
 *
 * @throws RefusedFile if the input cannot be opened; what `resolve` throws.
 */
export async function findRepeats(input: Input, givenKind: Kind | null, { resolve, onRead }: Scan): Promise<Repeats> {
  if (!input.isRereadable) return repeatsAsTheyCome();
  const seen = new SeenIds();
  const rowsById = new Map<number, number>();
  const source = await input.open();
  let reader: RowReader | null = null;
  const batches = withoutFaults(
    readRows(source, (opened) => {
      reader = opened;
    }),
  );
  try {
    for await (const rows of batches) {
      const kind = givenKind ?? (reader as RowReader | null)?.kind ?? null;
      const ids = rows.map((row) => idOf(row, kind)).filter((id) => id !== null);
      const leads = await resolve(ids);
      for (const id of ids) {
        const hash = hashText(leads.get(id) ?? id);
        const count = rowsById.get(hash) ?? 1;
        if (seen.add(hash) && (count > 1 || rowsById.size < maxRepeats)) rowsById.set(hash, count + 1);
      }
      onRead(source);
    }
  } finally {
    source.close();
  }
  return repeatsOf(rowsById, seen.isFull || rowsById.size === maxRepeats);
}

/** The rows up to the first fault of a file, which the import meets too. */
async function* withoutFaults(batches: AsyncGenerator<Row[]>): AsyncGenerator<Row[]> {
  try {
    yield* batches;
  } catch {
    // It is noted when the file is imported.
  }
}

/** The id under which a row will be saved; null for a row that will not be. */
function idOf(row: Row, kind: Kind | null): string | null {
  if ('fault' in row) return null;
  const given = normalizeId(row.source.id);
  if ('fault' in given) return null;
  if (given.id !== null) return given.id;
  const result = normalizeRecord(row.source, kind);
  return 'patch' in result ? result.patch.id : null;
}

function repeatsOf(rowsById: ReadonlyMap<number, number>, isIncomplete: boolean): Repeats {
  const come = new Map<number, number>();
  return {
    next(id) {
      const hash = rowsById.size === 0 ? 0 : hashText(id);
      const rows = rowsById.get(hash);
      if (rows === undefined) return { isRepeat: false, isFollowed: false };
      const before = come.get(hash) ?? 0;
      come.set(hash, before + 1);
      return { isRepeat: before > 0, isFollowed: before + 1 < rows };
    },
    isAlone: (id) => !isIncomplete && (rowsById.size === 0 || !rowsById.has(hashText(id))),
    isIncomplete: () => isIncomplete,
  };
}

function repeatsAsTheyCome(): Repeats {
  const seen = new SeenIds();
  return {
    next: (id) => ({ isRepeat: seen.add(hashText(id)), isFollowed: false }),
    isAlone: () => false,
    isIncomplete: () => seen.isFull,
  };
}

/**
 * The ids seen so far, in bounded memory: a table of 53-bit hashes. Past its limit no further ids are stored, and
 * `isFull` says so.
 */
class SeenIds {
  #slots = new Float64Array(firstSlots);
  #count = 0;
  isFull = false;

  /** Stores the hash of an id; returns whether it was there before. */
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
