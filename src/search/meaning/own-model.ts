import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { KeyedKind, KeyedStore, OpenKeyed } from '#records/keyed-store.ts';
import type { MediaRecord } from '#records/media-record.ts';
import { messageOf } from '#src/problem.ts';
import { dayMs } from '#text/days.ts';
import { atMost } from '#text/memoize.ts';
import { type JobLocks, LockTaken, underLock } from '../job-locks.ts';
import type { NearRecord, SearchIndex } from '../search-index.ts';
import { everything } from '../search-query.ts';
import { type EmbeddingsEndpoint, textsARequest } from './embeddings-endpoint.ts';

interface RecordVector {
  model: string;
  /** Identifies the text that it was made of. */
  text: string;
  at: string;
  /** Signed bytes in base64: the vector times a number, because only its direction counts. */
  vector: string;
}

interface Spent {
  day: string;
  texts: number;
}

/** Vectors of records that are gone end by themselves; half as old, those of others are written again. */
const livesMs = 60 * dayMs;
export const vectorKind: KeyedKind<RecordVector> = { name: 'record_vectors', orderOf: ({ at }) => at, livesMs };
export const spentKind: KeyedKind<Spent> = { name: 'embedded_texts', orderOf: ({ day }) => day, livesMs: 2 * dayMs };

/** Of the text of a record, in UTF-16 code units: small models read so much. */
const maxText = 1_000;
const pageSize = 512;
/** How long queries do without a model that did not answer, in milliseconds. */
const pauseMs = 10_000;

interface OwnModelDeps {
  endpoint: EmbeddingsEndpoint;
  index: Pick<SearchIndex, 'scan' | 'findMany'>;
  keyed: OpenKeyed;
  locks: JobLocks;
  /** How many texts of records may be sent on one day (UTC), by all processes. */
  textsPerDay: number;
  now: () => Date;
  /** Gets why the endpoint did not answer, without a text or the key. After a failed query, queries do without it for a while. */
  onFailure: (purpose: 'query' | 'records', reason: string) => void;
}

interface FillSummary {
  made: number;
  /** Records that still have no vector, or one of another text: searches find them by the built-in table alone. */
  waiting: number;
  /** Why some wait; null if none does. */
  reason: string | null;
}

/**
 * A model that the operator runs. It says again how near each record is that the built-in table finds: whatever happens
 * to the model, searches are answered. Vectors are kept in the store, not in the index, so neither imports nor the sync wait.
 */
export class OwnModel {
  readonly #deps: OwnModelDeps;
  readonly #vectors: KeyedStore<RecordVector>;
  readonly #spent: KeyedStore<Spent>;
  /** Of queries; promises, because the parts of one request ask at the same time. */
  readonly #queryVectors = new LRUCache<string, Promise<Int8Array | null>>(atMost(1_000));
  #awayUntil = 0;

  constructor(deps: OwnModelDeps) {
    this.#deps = deps;
    this.#vectors = deps.keyed(vectorKind);
    this.#spent = deps.keyed(spentKind);
  }

  /** How like the text each record is that has a vector: from -1 to 1. Null if the model does not answer. */
  async compare(text: string, near: readonly NearRecord[]): Promise<Map<string, number> | null> {
    const queryVector = await this.#embedQuery(text);
    if (queryVector === null) return null;
    const stored = await this.#vectors.findMany(near.map(({ id }) => id));
    const likenesses = new Map<string, number>();
    for (const [id, { model, vector }] of stored) {
      if (model === this.#deps.endpoint.model) likenesses.set(id, cosine(queryVector, fromText(vector)));
    }
    return likenesses;
  }

  /** Makes missing vectors. Resumes where an earlier pass ended. Null if another process is doing it. */
  async fill(signal: AbortSignal, onWaiting: (waiting: number) => void = () => {}): Promise<FillSummary | null> {
    const work = (until: AbortSignal) => this.#makeAll(until, onWaiting);
    return underLock(this.#deps.locks, 'embed', work, signal).catch((error: unknown) => {
      if (error instanceof LockTaken) return null;
      throw error;
    });
  }

  async #makeAll(signal: AbortSignal, onWaiting: (waiting: number) => void): Promise<FillSummary> {
    const missing = await this.#listMissing(signal);
    let madeCount = 0;
    let reason: string | null = null;
    onWaiting(missing.length);
    for (let start = 0; start < missing.length && reason === null; start += textsARequest) {
      const ids = missing.slice(start, start + textsARequest);
      reason = await this.#make(ids, signal);
      if (reason === null) madeCount += ids.length;
      onWaiting(missing.length - madeCount);
    }
    return { made: madeCount, waiting: missing.length - madeCount, reason };
  }

  async #listMissing(signal: AbortSignal): Promise<string[]> {
    const missing: string[] = [];
    const old = new Date(this.#deps.now().getTime() - livesMs / 2).toISOString();
    for await (const records of await this.#deps.index.scan(everything)) {
      signal.throwIfAborted();
      for (let start = 0; start < records.length; start += pageSize) {
        const page = records.slice(start, start + pageSize);
        const stored = await this.#vectors.findMany(page.map(({ id }) => id));
        for (const record of page) {
          const vector = stored.get(record.id);
          if (vector?.model !== this.#deps.endpoint.model || vector.text !== digestOf(record)) missing.push(record.id);
          else if (vector.at < old) await this.#save(record.id, vector);
        }
      }
    }
    return missing;
  }

  /** Returns why not; null if it did. */
  async #make(ids: readonly string[], signal: AbortSignal): Promise<string | null> {
    const { endpoint, index, textsPerDay } = this.#deps;
    const records = await index.findMany(ids, 'masked');
    if (records.length === 0) return null;
    if (!(await this.#spend(records.length))) return `${textsPerDay} texts were sent today (EMBEDDINGS_TEXTS_PER_DAY)`;
    try {
      const vectors = await endpoint.embedRecords(records.map(textOf), signal);
      const { model } = endpoint;
      await Promise.all(
        records.map((record, place) =>
          this.#save(record.id, { model, text: digestOf(record), vector: toText(quantize(vectors[place] ?? [])) }),
        ),
      );
      return null;
    } catch (error) {
      signal.throwIfAborted();
      const reason = messageOf(error);
      this.#deps.onFailure('records', reason);
      return reason;
    }
  }

  #save(id: string, vector: Omit<RecordVector, 'at'>): Promise<unknown> {
    return this.#vectors.change(id, () => ({ ...vector, at: this.#deps.now().toISOString() }));
  }

  async #spend(texts: number): Promise<boolean> {
    const day = this.#deps.now().toISOString().slice(0, 10);
    let isAllowed = false;
    await this.#spent.change(day, (spent) => {
      const next = (spent?.texts ?? 0) + texts;
      isAllowed = next <= this.#deps.textsPerDay;
      return isAllowed ? { day, texts: next } : spent;
    });
    return isAllowed;
  }

  #embedQuery(text: string): Promise<Int8Array | null> {
    const awaited = this.#queryVectors.get(text);
    if (awaited !== undefined) return awaited;
    if (this.#deps.now().getTime() < this.#awayUntil) return Promise.resolve(null);
    const queryVector = this.#deps.endpoint.embedQuery(text).then(quantize, (error: unknown) => {
      this.#deps.onFailure('query', messageOf(error));
      this.#queryVectors.delete(text);
      this.#awayUntil = this.#deps.now().getTime() + pauseMs;
      return null;
    });
    this.#queryVectors.set(text, queryVector);
    return queryVector;
  }
}

/** What of a record is sent: neither its address nor its contact. */
function textOf({ name, description, categories, tags }: MediaRecord): string {
  const topics = [...categories, ...tags].join(', ').replaceAll('_', ' ');
  return [name, description, topics].filter(Boolean).join('. ').slice(0, maxText);
}

function digestOf(record: MediaRecord): string {
  return hash('sha256', textOf(record), 'base64url').slice(0, 22);
}

function quantize(vector: readonly number[]): Int8Array {
  const largest = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  return Int8Array.from(vector, (value) => Math.round((value / (largest || 1)) * 127));
}

function toText(vector: Int8Array): string {
  return Buffer.from(vector.buffer).toString('base64');
}

function fromText(text: string): Int8Array {
  const bytes = Buffer.from(text, 'base64');
  return new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length);
}

function cosine(one: Int8Array, other: Int8Array): number {
  if (one.length !== other.length) return -1;
  let product = 0;
  let squares = 0;
  let otherSquares = 0;
  for (let at = 0; at < one.length; at += 1) {
    const [a, b] = [one[at] as number, other[at] as number];
    product += a * b;
    squares += a * a;
    otherSquares += b * b;
  }
  return product / Math.sqrt(squares * otherSquares || 1);
}
