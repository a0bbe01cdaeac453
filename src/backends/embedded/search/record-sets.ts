/** Records by their row numbers: an ascending list, or a bit for each row if there are many. */
export type RecordSet = Uint32Array | Bits;

/** With more than this share of all rows, a list takes more memory than bits. */
const listedShare = 1 / 32;
/** A set so many times as long as a list is searched for each of its rows. */
const lengthWorthSearching = 16;

class Bits {
  readonly words: Uint32Array;
  #size: number | undefined;

  constructor(words: Uint32Array) {
    this.words = words;
  }

  has(row: number): boolean {
    return (((this.words[row >>> 5] ?? 0) >>> (row & 31)) & 1) === 1;
  }

  add(rows: Uint32Array): void {
    for (const row of rows) this.words[row >>> 5] = (this.words[row >>> 5] as number) | (1 << (row & 31));
  }

  get size(): number {
    if (this.#size === undefined) {
      let size = 0;
      for (let at = 0; at < this.words.length; at += 1) size += countBits(this.words[at] as number);
      this.#size = size;
    }
    return this.#size;
  }
}

export const noRecords = new Uint32Array(0);

export function sizeOf(set: RecordSet): number {
  return set instanceof Bits ? set.size : set.length;
}

/** The rows of a set, ascending. */
export function rowsOf(set: RecordSet): Uint32Array {
  if (!(set instanceof Bits)) return set;
  const rows = new Uint32Array(set.size);
  let count = 0;
  for (let at = 0; at < set.words.length; at += 1) {
    for (let left = set.words[at] as number; left !== 0; left &= left - 1) {
      rows[count] = at * 32 + 31 - Math.clz32(left & -left);
      count += 1;
    }
  }
  return rows;
}

/** Unites and intersects sets of rows below `end`. */
export class RecordSets {
  /** All rows are below it. */
  readonly end: number;
  readonly #words: number;
  readonly #maxListed: number;
  /** In how many sets each row is; 0 whenever nothing is counted, so that few rows need no new counters. */
  #counts: Uint8Array | undefined;

  constructor(end: number) {
    this.end = end;
    this.#words = Math.ceil(end / 32);
    this.#maxListed = end * listedShare;
  }

  /** @param rows ascending */
  of(rows: Uint32Array): RecordSet {
    return rows.length > this.#maxListed ? this.#bitsOf([rows]) : rows;
  }

  unite(sets: readonly RecordSet[]): RecordSet {
    const some: RecordSet[] = [];
    for (const set of sets) if (sizeOf(set) > 0 && !some.includes(set)) some.push(set);
    const [only = noRecords] = some;
    if (some.length < 2) return only;
    const lists = some.filter((set) => !(set instanceof Bits)) as Uint32Array[];
    const sum = lists.reduce((sum, { length }) => sum + length, 0);
    // Moving a row from list to list takes as long as a word of bits, which is made, counted and read.
    if (lists.length === some.length && sum * Math.log2(lists.length) < this.#words) return mergeLists(lists);
    return this.#narrow(this.#bitsOf(some));
  }

  intersect(sets: readonly RecordSet[]): RecordSet {
    const [smallest = noRecords, ...others] = sets.length > 2 ? sets.toSorted((a, b) => sizeOf(a) - sizeOf(b)) : sets;
    return others.reduce((left, set) => this.#both(left, set), smallest);
  }

  subtract(from: RecordSet, set: RecordSet): RecordSet {
    if (sizeOf(from) === 0 || sizeOf(set) === 0) return from;
    if (!(from instanceof Bits)) return keepListed(from, set, 'outside');
    const left = from.words.slice();
    if (set instanceof Bits) {
      for (let at = 0; at < left.length; at += 1) left[at] = (left[at] as number) & ~(set.words[at] as number);
    } else for (const row of set) left[row >>> 5] = (left[row >>> 5] as number) & ~(1 << (row & 31));
    return this.#narrow(new Bits(left));
  }

  /** The records in at least `count` of the sets. */
  atLeast(count: number, sets: readonly RecordSet[]): RecordSet {
    if (sets.length <= count) return sets.length < count ? noRecords : this.intersect(sets);
    this.#counts ??= new Uint8Array(this.#words * 32);
    const counts = this.#counts;
    for (const set of sets) for (const row of rowsOf(set)) counts[row] = (counts[row] as number) + 1;
    const all = rowsOf(this.unite(sets));
    const rows = all.filter((row) => (counts[row] as number) >= count);
    for (const row of all) counts[row] = 0;
    return this.of(rows);
  }

  #both(a: RecordSet, b: RecordSet): RecordSet {
    if (!(b instanceof Bits)) {
      const isShorter = a instanceof Bits || b.length < a.length;
      return isShorter ? keepListed(b, a, 'inside') : keepListed(a, b, 'inside');
    }
    if (!(a instanceof Bits)) return keepListed(a, b, 'inside');
    const words = a.words.slice();
    for (let at = 0; at < words.length; at += 1) words[at] = (words[at] as number) & (b.words[at] as number);
    return this.#narrow(new Bits(words));
  }

  /** The same set as a list, if that takes less memory. */
  #narrow(bits: Bits): RecordSet {
    return bits.size > this.#maxListed ? bits : rowsOf(bits);
  }

  #bitsOf(sets: readonly RecordSet[]): Bits {
    const bits = new Bits(new Uint32Array(this.#words));
    for (const set of sets) {
      if (set instanceof Bits) {
        for (let at = 0; at < this.#words; at += 1) {
          bits.words[at] = (bits.words[at] as number) | (set.words[at] as number);
        }
      } else bits.add(set);
    }
    return bits;
  }
}

/** Where rows are kept until their number is known: two arrays for each of fifty lists of a search would be much garbage. */
let keptRows = new Uint32Array(1_024);

/** The rows of a list that are inside a set, or those outside it. A loop takes a quarter of the time of `filter`. */
function keepListed(list: Uint32Array, set: RecordSet, wanted: 'inside' | 'outside'): Uint32Array {
  const isWanted = wanted === 'inside';
  const isSearched = !(set instanceof Bits) && set.length > list.length * lengthWorthSearching;
  if (keptRows.length < list.length) keptRows = new Uint32Array(list.length);
  let count = 0;
  let at = 0;
  for (let place = 0; place < list.length; place += 1) {
    const row = list[place] as number;
    let isInside: boolean;
    if (set instanceof Bits) isInside = set.has(row);
    else {
      if (isSearched) at = firstFrom(set, row);
      else while (at < set.length && (set[at] as number) < row) at += 1;
      isInside = set[at] === row;
    }
    if (isInside !== isWanted) continue;
    keptRows[count] = row;
    count += 1;
  }
  if (count === 0) return noRecords;
  return count === list.length ? list : keptRows.slice(0, count);
}

/** The place of the first row of a list that is not below this one. */
function firstFrom(list: Uint32Array, row: number): number {
  let [start, end] = [0, list.length];
  while (start < end) {
    const middle = (start + end) >>> 1;
    if ((list[middle] as number) < row) start = middle + 1;
    else end = middle;
  }
  return start;
}

/** Merges the shortest lists first. */
function mergeLists(lists: readonly Uint32Array[]): Uint32Array {
  const open = lists.toSorted((a, b) => a.length - b.length);
  for (;;) {
    const [shortest = new Uint32Array(0), second] = open.splice(0, 2);
    if (second === undefined) return shortest;
    const merged = mergeTwo(shortest, second);
    const place = open.findIndex(({ length }) => length >= merged.length);
    open.splice(place < 0 ? open.length : place, 0, merged);
  }
}

function mergeTwo(a: Uint32Array, b: Uint32Array): Uint32Array {
  const all = new Uint32Array(a.length + b.length);
  let [ofA, ofB, end] = [0, 0, 0];
  for (; ofA < a.length && ofB < b.length; end += 1) {
    const [left, right] = [a[ofA] as number, b[ofB] as number];
    all[end] = Math.min(left, right);
    if (left <= right) ofA += 1;
    if (right <= left) ofB += 1;
  }
  const rest = ofA < a.length ? a.subarray(ofA) : b.subarray(ofB);
  all.set(rest, end);
  return all.slice(0, end + rest.length);
}

function countBits(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
