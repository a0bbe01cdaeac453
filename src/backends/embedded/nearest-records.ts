import { readFileSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { dimensions, type Meaning, unit } from '#search/meaning/embed.ts';

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

/** Meanings of all records in memory, 192 bytes each. Exact: comparing with every one takes 3 ms for 100,000. */
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

  /** Which places have one of these records. */
  placesOf(records: Iterable<number>): Uint8Array {
    const isThere = new Uint8Array(this.#records.length);
    for (const record of records) {
      const place = this.#places.get(record);
      if (place !== undefined) isThere[place] = 1;
    }
    return isThere;
  }

  /** Best first. @param among only these places; null for all */
  find(wanted: Meaning, among: Uint8Array | null, limit: number): Near[] {
    const products = this.#compare(wanted);
    const counts = new Uint32Array(2 * levels);
    for (let place = 0; place < products.length; place += 1) {
      if (among === null || among[place] === 1) {
        const level = levelOf(products[place] as number);
        counts[level] = (counts[level] as number) + 1;
      }
    }
    let lowest = counts.length;
    for (let reached = 0; lowest > 0 && reached < limit; reached += counts[lowest] as number) lowest -= 1;
    const best: number[] = [];
    for (let place = 0; place < products.length; place += 1) {
      if (levelOf(products[place] as number) >= lowest && (among === null || among[place] === 1)) best.push(place);
    }
    return best
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

/** Into so many levels the products above 0 are counted, and those below, to find out which are among the best. */
const levels = 4_096;

function levelOf(product: number): number {
  const level = Math.floor(product / 16) + levels;
  return Math.max(0, Math.min(2 * levels - 1, level));
}
