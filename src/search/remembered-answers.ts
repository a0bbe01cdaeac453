import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { MediaRecord } from '#records/media-record.ts';
import { withMethods } from '#text/with-methods.ts';
import type { RowKind } from './contact-row.ts';
import type { FacetCounts, FirstRecord, SearchIndex, SearchResult } from './search-index.ts';
import type { ContactIds, SearchQuery } from './search-query.ts';

/** How many records answers may have in all, at 2.5 kilobytes each. So many values of facets take as much as one record. */
const maxRecords: Record<RowKind, number> = { records: 12_000, contacts: 3_000 };
const valuesARecord = 20;

type Answer = SearchResult | FacetCounts | FirstRecord[];
type Answers = LRUCache<string, Promise<Answer>>;

/**
 * The same index, which answers searches, facets and suggestions that were asked before from memory until the index changes: an answer is of the
 * version that the index has when it is asked for, so whoever waited until a change can be found never gets one from before it.
 * Callers share the answers, so they must not change them.
 */
export function rememberAnswers(index: SearchIndex): SearchIndex {
  const memoryOf = (rows: RowKind) => new AnswerMemory(() => index.version(rows), maxRecords[rows]);
  const memories = { records: memoryOf('records'), contacts: memoryOf('contacts') };
  return withMethods(index, {
    search(query, page, visibility) {
      const ask = async () => withCopies(await index.search(query, page, visibility));
      const memory = memories[query.rows ?? 'records'];
      // A walk reads each page once.
      return page.after === undefined ? memory.answer(['search', keyOf(query), page, visibility], ask) : ask();
    },
    findFirst: (plans, filters, visibility) =>
      memories.records.answer(['first', plans, filters, visibility], () => index.findFirst(plans, filters, visibility)),
    countFacets: (query, options = {}) =>
      memories[query.rows ?? 'records'].answer(['facets', keyOf(query), options], () =>
        index.countFacets(query, options),
      ),
  });
}

/** An answer with copies of its records: what was found out about the others while they were searched takes ten times their memory. */
function withCopies({ records, also, ...how }: SearchResult): SearchResult {
  const copy = (record: MediaRecord) => ({ ...record });
  return { records: records.map(copy), ...how, ...(also && { also: also.map(copy) }) };
}

/** What tells a query from others, in JSON. */
function keyOf({ listedContacts, unlistedContacts, ...query }: SearchQuery): unknown {
  return [query, ...[listedContacts, unlistedContacts].map(asLists)];
}

function asLists(ids: ContactIds = new Map()): string[][] {
  return Array.from(ids, ([record, contacts]) => [record, ...contacts]);
}

/**
 * The answers to questions about one version of the index. Each is kept under the version that was known before it was asked for, and
 * given while that is still the version: then nothing changed in between.
 */
class AnswerMemory {
  readonly #readVersion: () => Promise<string | null>;
  readonly #maxRecords: number;
  #version: string | null = null;
  #answers: Answers;

  constructor(readVersion: () => Promise<string | null>, maxRecords: number) {
    this.#readVersion = readVersion;
    this.#maxRecords = maxRecords;
    this.#answers = noAnswers(maxRecords);
  }

  async answer<Given extends Answer>(question: unknown, ask: () => Promise<Given>): Promise<Given> {
    const key = hash('sha256', JSON.stringify(question), 'base64url');
    // What is asked for the first time need not wait for the version.
    if (this.#version === null || this.#answers.has(key)) {
      const isCurrent = await this.#follow();
      const answer = isCurrent ? this.#answers.get(key) : undefined;
      if (answer !== undefined) return answer as Promise<Given>;
    }
    const pending = ask();
    if (this.#version !== null) keep(this.#answers, key, pending);
    return pending;
  }

  /** Forgets all answers if the index has changed. Tells whether they are known to be of its version now. */
  async #follow(): Promise<boolean> {
    const version = await this.#readVersion();
    if (version === null) return false;
    if (version !== this.#version) [this.#version, this.#answers] = [version, noAnswers(this.#maxRecords)];
    return true;
  }
}

function noAnswers(maxSize: number): Answers {
  return new LRUCache({ maxSize });
}

/** Keeps an answer from when it is asked for, unless it fails. */
function keep(answers: Answers, key: string, pending: Promise<Answer>): void {
  answers.set(key, pending, { size: 1 });
  pending.then(
    (answer) => answers.peek(key) === pending && answers.set(key, pending, { size: sizeOf(answer) }),
    () => answers.peek(key) === pending && answers.delete(key),
  );
}

/** In records. */
function sizeOf(answer: Answer): number {
  if (Array.isArray(answer)) return 1 + answer.length;
  if ('records' in answer) return 1 + answer.records.length + (answer.also?.length ?? 0);
  const values = Object.values(answer.counts).reduce((count, facet) => count + facet.length, 0);
  return 1 + Math.ceil(values / valuesARecord);
}
