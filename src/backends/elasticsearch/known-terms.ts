import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import type { Client, estypes } from '@elastic/elasticsearch';
import { completeRecord } from '#records/stored-record.ts';
import type { Cluster } from './connect-elasticsearch.ts';
import { contactsOf } from './contact-document.ts';
import { IndexTerms, type Subject } from './index-terms.ts';
import type { Clause } from './render-text-query.ts';
import { countBody } from './search-body.ts';
import { type AnsweredDocument, type Ask, readMinTotal, requireWhole } from './search-requests.ts';
import { bitOf, readVocabulary, type WordField } from './vocabulary.ts';

/** What is read of a record that changed: without addresses. */
type Changed = Pick<AnsweredDocument, 'record'>;

/** For how long terms count as read, in milliseconds: searches that come together ask once, and no change is written and refreshed so soon. */
const freshMs = 10;
/** How long the engine looks for near names itself before this tries again, in milliseconds. */
const restMs = 2_000;
/** A change can be seen before one with a lower number; so long later, none is missing. In milliseconds. */
const settleMs = 2_000;
/** So many changes before the last may be missing until then. */
const maxUnsettled = 250;
/** How long a search waits for the terms of what changed, in milliseconds. */
const maxWaitMs = 500;
/** The same where the index has several shards or too many terms. */
const longRestMs = 600_000;
/** Records in a request, and between two turns of the event loop. */
const recordsARequest = 500;
const recordsATurn = 10;
/** A changed record takes as long as so many terms of an index. */
const termsARecord = 50;

/**
 * Follows the names and words of the live index. Near to a mistyped one, the engine would find them by an automaton, which takes it longer
 * than all else of a search; and what no record has need not be asked for. Reads the engine's lists once, in the background, and then the records that changed. Until
 * it knows all of them, the engine looks itself; so it does where the index has several shards, because each numbers its own changes.
 */
export class KnownTerms {
  readonly #cluster: Cluster;
  readonly #alias: string;
  /** Nothing can be asked about an index without a name. */
  #index = 'none';
  /** The number of the last change that was read, and of one before which none is missing. */
  #change = -1;
  #settled = -1;
  #settlesAt = Number.POSITIVE_INFINITY;
  #terms = new IndexTerms();
  #isWhole = false;
  #askedAt = Number.NEGATIVE_INFINITY;
  #reading: Promise<void> | null = null;

  constructor(cluster: Cluster, alias: string) {
    this.#cluster = cluster;
    this.#alias = alias;
  }

  /**
   * Runs `work` with what is known; null while not all is. Its first request also asks whether something has changed since, in the same round
   * trip; if so, reads that and runs `work` again.
   */
  async tryWith<Answer>(ask: Ask, work: (ask: Ask, terms: IndexTerms | null) => Promise<Answer>): Promise<Answer> {
    if (!this.#isWhole || performance.now() > this.#settlesAt) return work(ask, await this.read());
    let hasChanged = false;
    let isAsked = this.#isFresh;
    const asking: Ask = async (...bodies) => {
      if (isAsked) return ask(...bodies);
      isAsked = true;
      const askedAt = performance.now();
      const probe = { ...countBody(this.#newer), track_total_hits: 1 };
      const [probed, ...answers] = await ask(probe, ...bodies);
      hasChanged = probed === undefined || readMinTotal(probed) > 0;
      if (!hasChanged) this.#askedAt = Math.max(this.#askedAt, askedAt);
      return answers;
    };
    const answer = await work(asking, this.#terms);
    return hasChanged ? work(ask, await this.read()) : answer;
  }

  /** What is known now; null while not all is, or if the engine does not say soon what changed. */
  async read(): Promise<IndexTerms | null> {
    if (!this.#isFresh) {
      this.#reading ??= this.#readOn();
      // The request itself may take longer: a node that does not answer one in time gets no others for a while.
      if (this.#isWhole && (await Promise.race([this.#reading, pause(maxWaitMs, 'late', { ref: false })])) === 'late') {
        return null;
      }
    }
    return this.#isWhole ? this.#terms : null;
  }

  get #isFresh(): boolean {
    return performance.now() <= this.#askedAt + freshMs;
  }

  /** Reads what changed. If there is more than a request has, goes on in the background, where no search waits for it. */
  async #readOn(): Promise<void> {
    const askedAt = performance.now();
    if (askedAt > this.#settlesAt) {
      [this.#change, this.#settled, this.#settlesAt] = [this.#settled, this.#change, Number.POSITIVE_INFINITY];
    }
    try {
      const { hits, total } = await this.#readChanged();
      const isLast = hits.length < recordsARequest;
      const index = hits[0]?._index ?? this.#index;
      if (index !== this.#index || (!isLast && total * termsARecord > this.#terms.count)) {
        await this.#begin(index);
        this.#reading = this.#readOn();
        return;
      }
      const before = this.#change;
      this.#isWhole &&= isLast;
      await this.#take(hits);
      if (!isLast) this.#settled = Math.max(this.#settled, before);
      if (isLast && this.#change > this.#settled) this.#settlesAt = Math.min(this.#settlesAt, askedAt + settleMs);
      [this.#isWhole, this.#askedAt] = [isLast, askedAt];
      this.#reading = isLast ? null : this.#readOn();
    } catch (error) {
      this.#isWhole = false;
      const untilNextMs = error instanceof RangeError ? longRestMs : restMs;
      [this.#askedAt, this.#reading] = [performance.now() + untilNextMs, null];
    }
  }

  /** Reads the terms of an index. What changes meanwhile is read afterwards, like any change. */
  async #begin(index: string): Promise<void> {
    this.#isWhole = false;
    const { client } = this.#cluster;
    const { hits } = await client.search({ index, sort: [{ _seq_no: 'desc' }], size: 1, _source: false });
    const change = Number(hits.hits[0]?.sort?.[0] ?? -1);
    this.#terms = await readTerms(client, index);
    [this.#index, this.#change, this.#settled] = [index, change, change - maxUnsettled];
    this.#settlesAt = Number.POSITIVE_INFINITY;
  }

  /** The records that changed since the last one read; all of another index. */
  get #newer(): Clause {
    const isNewer = { range: { _seq_no: { gt: this.#change } } };
    const isOfOther = { bool: { must_not: [{ term: { _index: this.#index } }] } };
    return { bool: { filter: [{ bool: { should: [isNewer, isOfOther] } }] } };
  }

  async #readChanged(): Promise<{ hits: estypes.SearchHit<Changed>[]; total: number }> {
    const request = {
      index: this.#alias,
      query: this.#newer,
      sort: [{ _seq_no: 'asc' as const }],
      size: recordsARequest,
      track_total_hits: true,
      _source: ['record'],
    };
    const options = { requestTimeout: this.#cluster.timeoutMs, maxRetries: 0 };
    const answer = requireWhole(await this.#cluster.client.search<Changed>(request, options));
    if (answer._shards.total > 1) throw new RangeError('several shards number their changes each');
    return { hits: answer.hits.hits, total: readMinTotal(answer) };
  }

  async #take(hits: readonly estypes.SearchHit<Changed>[]): Promise<void> {
    for (const [place, { _source, sort }] of hits.entries()) {
      if (_source !== undefined) this.#terms.addRecord(completeRecord(_source.record));
      this.#change = Number(sort?.[0]);
      if (place % recordsATurn === recordsATurn - 1) await turn();
    }
    requireFew(this.#terms);
  }
}

/** Names in a request, and between two turns of the event loop. */
const namesARequest = 10_000;
const namesATurn = 2_500;
/** Words with their fields in a request. */
const wordsARequest = 2_500;
/** A term takes about 100 bytes of memory. */
const maxTerms = 5_000_000;
/** The names of people among what finds a contact exactly, which also has tokens of addresses. */
const nameOfPerson = '_s';

/**
 * Reads the terms of an index from the engine's lists of them, in a small part of the time that all records take.
 *
 * @throws RangeError if they are too many
 */
async function readTerms(client: Client, index: string): Promise<IndexTerms> {
  const terms = new IndexTerms();
  const ofMedia = { index, field: 'find.name_keys', size: namesARequest };
  for await (const tokens of listTerms(client, ofMedia)) await addNames(terms, tokens, 'media');
  const ofPeople = { index, field: 'contacts.exact', string: nameOfPerson, size: namesARequest };
  for await (const tokens of listTerms(client, ofPeople)) await addNames(terms, tokens, 'people');
  for await (const entries of listTerms(client, { index, field: 'find.vocabulary', size: wordsARequest })) {
    const words = readVocabulary(entries);
    const [media, people] = await Promise.all([
      countWords(client, index, 'find.words', words),
      countWords(client, contactsOf(index), 'contacts.people', words),
    ]);
    const counted = { media, people };
    terms.addWords(words, (word, subject) => counted[subject][word]?.doc_freq ?? 0);
    requireFew(terms);
  }
  return terms;
}

async function addNames(terms: IndexTerms, tokens: readonly string[], subject: Subject): Promise<void> {
  for (let from = 0; from < tokens.length; from += namesATurn) {
    await turn();
    terms.addNames(tokens.slice(from, from + namesATurn), subject);
  }
  requireFew(terms);
}

/** @throws RangeError if terms take too much memory */
function requireFew({ count }: IndexTerms): void {
  if (count > maxTerms) throw new RangeError('too many terms');
}

/** The terms of a field, sorted. */
async function* listTerms(client: Client, request: estypes.TermsEnumRequest & { size: number }) {
  for (let last: string | undefined; ; ) {
    const from = last === undefined ? {} : { search_after: last };
    const { terms, complete, _shards } = await client.termsEnum({ ...request, ...from, timeout: '30s' });
    requireWhole({ timed_out: !complete, _shards });
    yield terms;
    if (terms.length < request.size) return;
    last = terms.at(-1);
  }
}

/** How many documents have each of these words in a field, as the engine says for a text that has all of them. */
async function countWords(client: Client, index: string, field: WordField, words: ReadonlyMap<string, number>) {
  const text = [...words].flatMap(([word, fields]) => ((fields & bitOf[field]) === 0 ? [] : word)).join(' ');
  const [group = '', name = ''] = field.split('.');
  const { term_vectors: counted } = await client.termvectors({
    index,
    doc: { [group]: { [name]: text } },
    fields: [field],
    term_statistics: true,
    field_statistics: false,
    offsets: false,
    positions: false,
    payloads: false,
    filter_path: 'term_vectors.*.terms.*.doc_freq',
  });
  return counted?.[field]?.terms ?? {};
}
