import { readFileSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { dimensions, type Meaning, unit } from '#search/meaning/embed.ts';

/** Compares so many meanings at a time. */
const blockSize = 16_384;
const pageSize = 65_536;
/** Where the wanted meaning, the products of a block and the meanings of all records are in the memory. */
const productsAt = 256;
const meaningsAt = productsAt + blockSize * Int32Array.BYTES_PER_ELEMENT;

/** What is used of it: TypeScript declares it for browsers alone. */
declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object) => { exports: unknown };
};

/** A record, and the cosine of its meaning and the wanted one. */
interface Near {
  record: number;
  likeness: number;
}

interface DotProducts {
  memory: { buffer: ArrayBuffer; grow(pages: number): number };
  /** Writes the dot product of each of `count` meanings with the wanted one. All are places in the memory. */
  dots(meanings: number, count: number, dimensions: number, wanted: number, products: number): void;
}

/**
 * The meanings of all records, in memory: 192 bytes each. Searches are exact: they compare the wanted meaning with every
 * one, which takes 3 ms for 100,000.
 */
export class NearestRecords {
  readonly #database: DatabaseSync;
  readonly #wasm: DotProducts;
  /** The record at each place. */
  readonly #records: number[] = [];
  readonly #places = new Map<number, number>();
  #edition = -1;

  constructor(database: DatabaseSync) {
    this.#database = database;
    const module = new WebAssembly.Module(readFileSync(new URL('./dot-products.wasm', import.meta.url)));
    this.#wasm = new WebAssembly.Instance(module).exports as DotProducts;
  }

  /** Reads what changed up to this edition. What was deleted stays, so callers leave out records that are gone. */
  follow(edition: number): void {
    if (edition === this.#edition) return;
    const changed = this.#database.prepare('SELECT record, meaning FROM meanings WHERE edition > ?');
    for (const { record, meaning } of changed.iterate(this.#edition)) {
      const place = this.#placeOf(Number(record));
      new Int8Array(this.#wasm.memory.buffer).set(meaning as Uint8Array, meaningsAt + place * dimensions);
    }
    this.#edition = edition;
  }

  /**
   * The records whose meanings are nearest to the wanted one, best first.
   * @param among only these records; null for all
   */
  find(wanted: Meaning, among: readonly number[] | null, limit: number): Near[] {
    const products = this.#compare(wanted);
    const all = among?.flatMap((record) => this.#places.get(record) ?? []) ?? [...products.keys()];
    const floor = bestProducts(all, products, limit);
    return all
      .filter((place) => (products[place] as number) >= floor)
      .sort((a, b) => (products[b] as number) - (products[a] as number) || a - b)
      .slice(0, limit)
      .map((place) => ({ record: this.#records[place] as number, likeness: (products[place] as number) / unit ** 2 }));
  }

  #compare(wanted: Meaning): Int32Array {
    const { memory, dots } = this.#wasm;
    new Int8Array(memory.buffer).set(wanted, 0);
    const products = new Int32Array(this.#records.length);
    for (let start = 0; start < products.length; start += blockSize) {
      const count = Math.min(blockSize, products.length - start);
      dots(meaningsAt + start * dimensions, count, dimensions, 0, productsAt);
      products.set(new Int32Array(memory.buffer, productsAt, count), start);
    }
    return products;
  }

  #placeOf(record: number): number {
    const known = this.#places.get(record);
    if (known !== undefined) return known;
    const place = this.#records.push(record) - 1;
    this.#places.set(record, place);
    const missing = meaningsAt + (place + 1) * dimensions - this.#wasm.memory.buffer.byteLength;
    // A quarter more, because growing copies.
    if (missing > 0) this.#wasm.memory.grow(Math.ceil((missing + (place * dimensions) / 4) / pageSize));
    return place;
  }
}

/** How coarsely products are counted to find out which are among the best: there are two times 254² of them. */
const step = 32;

/** A product that at least `limit` of these places reach, and not many more. */
function bestProducts(places: readonly number[], products: Int32Array, limit: number): number {
  const counts = new Map<number, number>();
  for (const place of places) {
    const level = Math.floor((products[place] as number) / step);
    counts.set(level, (counts.get(level) ?? 0) + 1);
  }
  let reached = 0;
  for (const [level, count] of [...counts].sort(([a], [b]) => b - a)) {
    reached += count;
    if (reached >= limit) return level * step;
  }
  return Number.NEGATIVE_INFINITY;
}
