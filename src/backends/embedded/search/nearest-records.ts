import { readFileSync } from 'node:fs';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { blend, dimensions, examples, likeness, type Meaning, unit } from '#search/meaning/embed.ts';
import type { NearRecord } from '#search/search-index.ts';

const blockSize = 16_384;
/** Comparing one record alone takes as long as so many of a block. */
const costOfOne = 4;
const pageSize = 65_536;
/** The layout of the memory: the wanted meaning at 0, then the products of a block, then the meanings of all records. */
const productsAt = 512;
const meaningsAt = productsAt + blockSize * Int32Array.BYTES_PER_ELEMENT;

/** The part of WebAssembly used here, which TypeScript declares only for browsers. */
declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object) => { exports: unknown };
};

/** A near record, with its row and its place in the memory. */
type Near = NearRecord & { row: number; place: number };

interface DotProducts {
  memory: { buffer: ArrayBuffer; grow(pages: number): number };
  /** Writes the dot products of `count` meanings with the wanted one, which has 16 bits a number. All are places in the memory. */
  dots(meanings: number, count: number, dimensions: number, meaning: number, products: number): void;
}

/** Holds the meanings of all records in memory, 192 bytes each. Compares with every one: 100,000 take 2 ms. */
export class NearestRecords {
  readonly #database: DatabaseSync;
  readonly #selectIds: StatementSync;
  readonly #wasm: DotProducts;
  /** The record at each place, and one more than the place of each record: 0 for none. */
  readonly #records: number[] = [];
  #places = new Uint32Array(0);
  #edition = -1;

  constructor(database: DatabaseSync) {
    this.#database = database;
    this.#selectIds = database.prepare(`
      SELECT json_group_array(d.id ORDER BY p.key) AS ids
      FROM json_each(?) AS p LEFT JOIN documents AS d ON d.record = p.value`);
    const module = new WebAssembly.Module(readFileSync(new URL('./dot-products.wasm', import.meta.url)));
    this.#wasm = new WebAssembly.Instance(module).exports as DotProducts;
    // Also where there is no record yet, the products have their place.
    this.#makeRoom(meaningsAt);
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
  find(meaning: Meaning, among: Uint32Array | null, limit: number): Near[] {
    new Int16Array(this.#wasm.memory.buffer).set(meaning, 0);
    const best = new Best(limit);
    if (among !== null && among.length * costOfOne < this.#records.length) this.#compareEach(among, best);
    else this.#compareAll(among, best);
    const near = best.take();
    const { ids } = this.#selectIds.get(JSON.stringify(near.map(({ place }) => this.#records[place]))) ?? {};
    return (JSON.parse(String(ids)) as (string | null)[]).flatMap((id, at) => {
      const { product = 0, place = 0 } = near[at] ?? {};
      return id === null ? [] : [{ id, likeness: product / unit ** 2, row: this.#records[place] as number, place }];
    });
  }

  /** A meaning between this one and those nearest to it. */
  sharpen(meaning: Meaning): Meaning {
    return this.#sharpenBy(meaning, this.find(meaning, null, examples));
  }

  /** The nearest, as like as they are to the meaning sharpened by the first of them. In the order of `find`. */
  findAlike(meaning: Meaning, among: Uint32Array | null, limit: number): { wanted: Meaning; near: Near[] } {
    const near = this.find(meaning, among, limit);
    const wanted = this.#sharpenBy(meaning, near.slice(0, examples));
    return { wanted, near: near.map((hit) => ({ ...hit, likeness: likeness(wanted, this.#meaningAt(hit)) })) };
  }

  #sharpenBy(meaning: Meaning, near: readonly Near[]): Meaning {
    return blend(
      meaning,
      near.map((hit) => this.#meaningAt(hit)),
    );
  }

  #meaningAt({ place }: Near): Meaning {
    return new Int8Array(this.#wasm.memory.buffer, meaningsAt + place * dimensions, dimensions);
  }

  #compareEach(among: Uint32Array, best: Best): void {
    const products = this.#products();
    for (const record of among) {
      const place = this.#placeOfKnown(record);
      if (place === null) continue;
      this.#compare(place, 1);
      best.add(products[0] as number, place);
    }
  }

  #compareAll(among: Uint32Array | null, best: Best): void {
    const products = this.#products();
    const isMeant = among && new Uint8Array(this.#records.length);
    for (const record of among ?? []) {
      const place = this.#placeOfKnown(record);
      if (isMeant !== null && place !== null) isMeant[place] = 1;
    }
    for (let start = 0; start < this.#records.length; start += blockSize) {
      const count = Math.min(blockSize, this.#records.length - start);
      this.#compare(start, count);
      for (let at = 0; at < count; at += 1) {
        const product = products[at] as number;
        if (product >= best.least && (isMeant === null || isMeant[start + at] === 1)) best.add(product, start + at);
      }
    }
  }

  /** Where `compare` writes, until the memory grows. */
  #products(): Int32Array {
    return new Int32Array(this.#wasm.memory.buffer, productsAt, blockSize);
  }

  /** Compares so many meanings, from a place on, with the wanted one. */
  #compare(place: number, count: number): void {
    this.#wasm.dots(meaningsAt + place * dimensions, count, dimensions, 0, productsAt);
  }

  #placeOfKnown(record: number): number | null {
    const next = this.#places[record] ?? 0;
    return next === 0 ? null : next - 1;
  }

  #placeOf(record: number): number {
    const knownPlace = this.#placeOfKnown(record);
    if (knownPlace !== null) return knownPlace;
    const place = this.#records.push(record) - 1;
    if (record >= this.#places.length) {
      const longer = new Uint32Array(Math.ceil((record + 1) * 1.25));
      longer.set(this.#places);
      this.#places = longer;
    }
    this.#places[record] = place + 1;
    // A quarter more than needed, because growing copies the memory.
    this.#makeRoom(meaningsAt + (place + 1) * dimensions, (place * dimensions) / 4);
    return place;
  }

  /** Grows the memory if it has fewer bytes than needed, and then by some more. */
  #makeRoom(needed: number, more = 0): void {
    const missing = needed - this.#wasm.memory.buffer.byteLength;
    if (missing > 0) this.#wasm.memory.grow(Math.ceil((missing + more) / pageSize));
  }
}

/** A product and a place in one number, the key: the greatest product has the least, and of equal ones the first place. */
const places = 2 ** 31;

/** Collects the greatest products. Sorts them only when so many have come that most are none of them. */
class Best {
  /** No lesser product can be one of them. */
  least = Number.NEGATIVE_INFINITY;
  readonly #limit: number;
  readonly #keys: Float64Array;
  #count = 0;

  constructor(limit: number) {
    this.#limit = limit;
    this.#keys = new Float64Array(4 * limit);
  }

  add(product: number, place: number): void {
    this.#keys[this.#count] = place - product * places;
    this.#count += 1;
    if (this.#count < this.#keys.length) return;
    this.#keys.sort();
    this.#count = this.#limit;
    this.least = productOf(this.#keys[this.#limit - 1] as number);
  }

  /** Best first. */
  take(): { product: number; place: number }[] {
    const sorted = this.#keys.subarray(0, this.#count).sort().subarray(0, this.#limit);
    return Array.from(sorted, (key) => ({ product: productOf(key), place: key + productOf(key) * places }));
  }
}

const productOf = (key: number) => -Math.floor(key / places);
