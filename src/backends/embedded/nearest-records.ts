import { readFileSync } from 'node:fs';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { blend, dimensions, examples, type Meaning, unit } from '#search/meaning/embed.ts';
import type { NearRecord } from '#search/search-index.ts';

const blockSize = 16_384;
const pageSize = 65_536;
/** The layout of the memory: the wanted meaning at 0, then the products of a block, then the meanings of all records. */
const productsAt = 512;
const meaningsAt = productsAt + blockSize * Int32Array.BYTES_PER_ELEMENT;

/** The part of WebAssembly used here, which TypeScript declares only for browsers. */
declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object) => { exports: unknown };
};

/** A near record, with its place in the memory. */
type Near = NearRecord & { place: number };

interface DotProducts {
  memory: { buffer: ArrayBuffer; grow(pages: number): number };
  /** Writes the dot products of `count` meanings with the wanted one, which has 16 bits a number. All are places in the memory. */
  dots(meanings: number, count: number, dimensions: number, wanted: number, products: number): void;
}

/** Holds the meanings of all records in memory, 192 bytes each. Compares with every one: 100,000 take 2 ms. */
export class NearestRecords {
  readonly #database: DatabaseSync;
  readonly #selectIds: StatementSync;
  readonly #wasm: DotProducts;
  /** The record at each place. */
  readonly #records: number[] = [];
  readonly #places = new Map<number, number>();
  #edition = -1;

  constructor(database: DatabaseSync) {
    this.#database = database;
    this.#selectIds = database.prepare(`
      SELECT json_group_array(d.id ORDER BY p.key) AS ids
      FROM json_each(?) AS p LEFT JOIN documents AS d ON d.record = p.value`);
    const module = new WebAssembly.Module(readFileSync(new URL('./dot-products.wasm', import.meta.url)));
    this.#wasm = new WebAssembly.Instance(module).exports as DotProducts;
  }

  /** Reads what changed up to this edition. Deleted records stay, but `find` gets no id for them. */
  follow(edition: number): void {
    if (edition === this.#edition) return;
    const changed = this.#database.prepare('SELECT record, meaning FROM meanings WHERE edition > ?');
    for (const { record, meaning } of changed.iterate(this.#edition)) {
      const place = this.#placeOf(Number(record));
      new Int8Array(this.#wasm.memory.buffer).set(meaning as Uint8Array, meaningsAt + place * dimensions);
    }
    this.#edition = edition;
  }

  /** Best first. @param among only these records; null for all */
  find(wanted: Meaning, among: Uint32Array | null, limit: number): Near[] {
    const products = this.#compare(wanted);
    const isMeant = among && this.#mark(among);
    const counts = new Uint32Array(2 * levels);
    for (let place = 0; place < products.length; place += 1) {
      if (isMeant === null || isMeant[place] === 1) {
        const level = levelOf(products[place] as number);
        counts[level] = (counts[level] as number) + 1;
      }
    }
    let lowest = counts.length;
    for (let reached = 0; lowest > 0 && reached < limit; reached += counts[lowest] as number) lowest -= 1;
    const least = lowest === 0 ? Number.NEGATIVE_INFINITY : (lowest - levels) * levelSize;
    const best: number[] = [];
    for (let place = 0; place < products.length; place += 1) {
      if ((products[place] as number) >= least && (isMeant === null || isMeant[place] === 1)) best.push(place);
    }
    best.sort((a, b) => (products[b] as number) - (products[a] as number) || a - b).splice(limit);
    const { ids } = this.#selectIds.get(JSON.stringify(best.map((place) => this.#records[place]))) ?? {};
    return (JSON.parse(String(ids)) as (string | null)[]).flatMap((id, at) => {
      const place = best[at] as number;
      return id === null ? [] : [{ id, likeness: (products[place] as number) / unit ** 2, place }];
    });
  }

  /** A meaning between this one and those nearest to it. */
  sharpen(meaning: Meaning): Meaning {
    const { buffer } = this.#wasm.memory;
    const near = this.find(meaning, null, examples);
    const meanings = near.map(({ place }) => new Int8Array(buffer, meaningsAt + place * dimensions, dimensions));
    return blend(meaning, meanings);
  }

  /** Which places have one of these records. */
  #mark(records: Uint32Array): Uint8Array {
    const isThere = new Uint8Array(this.#records.length);
    for (const record of records) {
      const place = this.#places.get(record);
      if (place !== undefined) isThere[place] = 1;
    }
    return isThere;
  }

  #compare(wanted: Meaning): Int32Array {
    const { memory, dots } = this.#wasm;
    new Int16Array(memory.buffer).set(wanted, 0);
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
    // Grows by a quarter more than needed, because growing copies the memory.
    if (missing > 0) this.#wasm.memory.grow(Math.ceil((missing + (place * dimensions) / 4) / pageSize));
    return place;
  }
}

/** To find the best without sorting all, products are counted by level: this many above 0, and as many below. */
const levels = 4_096;
const levelSize = 16;

function levelOf(product: number): number {
  return Math.max(0, Math.min(2 * levels - 1, Math.floor(product / levelSize) + levels));
}
