import { setImmediate as turn } from 'node:timers/promises';
import type { estypes } from '@elastic/elasticsearch';
import { emptyContact } from '#records/contacts/contact.ts';
import type { LeanRecord } from '#records/stored-record.ts';
import type { Condition } from '#search/conditions.ts';
import { textsOfPerson } from '#search/contact-text.ts';
import { mistypedTokens, type NameForm, nameToken, sharedBeginning } from '#search/name-forms.ts';
import type { PlannedQuery } from '#search/plan-query.ts';
import { maxCorrections } from '#search/typo-tolerance.ts';
import { countEdits, letterBits, mayBeWithin } from '#text/edit-distance.ts';
import { cached, once } from '#text/memoize.ts';
import { nameKeysOf } from '#text/name-keys.ts';
import type { Cluster } from './connect-elasticsearch.ts';
import { requireWhole } from './search-requests.ts';

/** What is read of a record. */
type Read = Pick<LeanRecord, 'name' | 'aliases' | 'language' | 'contacts'>;

/** For how long terms count as read, in milliseconds: searches that come together ask once. */
const freshMs = 20;
/** How long the engine looks for near names itself before this tries again, in milliseconds. */
const restMs = 2_000;
/** A change can be seen before one with a lower number; so long later, none is missing. In milliseconds. */
const settleMs = 2_000;
/** How long a search waits for the terms of what changed, in milliseconds. */
const maxWaitMs = 500;
/** Records in a request, and between two turns of the event loop. */
const recordsARequest = 2_000;
const recordsATurn = 250;
/** No address is read. */
const keysRead = [
  'name',
  'aliases',
  'language',
  ...['id', 'kind', 'name', 'title', 'beats'].map((key) => `contacts.${key}`),
].map((key) => `record.${key}`);
/** A term takes about 100 bytes of memory. */
const maxTerms = 3_000_000;

/**
 * Follows the names of the live index and the words of its people, to find those near to a mistyped one: the engine would build an automaton
 * for each, which takes it longer than all else of a search. Reads all once, in the background, and then those of records that changed. Until it
 * knows all of them, the engine looks itself; so it does where the index has several shards, because each numbers its own changes.
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
  #terms = new Terms();
  #isWhole = false;
  #askedAt = Number.NEGATIVE_INFINITY;
  #reading: Promise<void> | null = null;

  constructor(cluster: Cluster, alias: string) {
    this.#cluster = cluster;
    this.#alias = alias;
  }

  /** Null while not all are known. */
  async read(): Promise<NearTerms | null> {
    if (performance.now() > this.#askedAt + freshMs) {
      this.#reading ??= this.#readOn();
      if (this.#isWhole) await this.#reading;
    }
    return this.#isWhole ? new NearTerms(this.#terms) : null;
  }

  /** Reads what changed. If there is more than a request has, goes on in the background, where no search waits for it. */
  async #readOn(): Promise<void> {
    const askedAt = performance.now();
    if (askedAt > this.#settlesAt) {
      [this.#change, this.#settled, this.#settlesAt] = [this.#settled, this.#change, Number.POSITIVE_INFINITY];
    }
    try {
      const hits = await this.#readChanged();
      const isLast = hits.length < recordsARequest;
      const index = hits[0]?._index ?? this.#index;
      if (index !== this.#index) this.#begin(index);
      const before = this.#change;
      this.#isWhole &&= isLast;
      await this.#take(hits);
      if (!isLast) this.#settled = Math.max(this.#settled, before);
      if (isLast && this.#change > this.#settled) this.#settlesAt = Math.min(this.#settlesAt, askedAt + settleMs);
      [this.#isWhole, this.#askedAt] = [isLast, askedAt];
      this.#reading = isLast ? null : this.#readOn();
    } catch {
      this.#isWhole = false;
      [this.#askedAt, this.#reading] = [performance.now() + restMs, null];
    }
  }

  #begin(index: string): void {
    [this.#index, this.#change, this.#settled, this.#settlesAt] = [index, -1, -1, Number.POSITIVE_INFINITY];
    [this.#terms, this.#isWhole] = [new Terms(), false];
  }

  /** The records that changed since the last one read; all of another index. */
  async #readChanged(): Promise<estypes.SearchHit<{ record: Read }>[]> {
    const isNewer = { range: { _seq_no: { gt: this.#change } } };
    const isOfOther = { bool: { must_not: [{ term: { _index: this.#index } }] } };
    const request = {
      index: this.#alias,
      query: { bool: { filter: [{ bool: { should: [isNewer, isOfOther] } }] } },
      sort: [{ _seq_no: 'asc' as const }],
      size: recordsARequest,
      track_total_hits: false,
      _source: keysRead,
    };
    const options = { requestTimeout: this.#isWhole ? maxWaitMs : this.#cluster.timeoutMs, maxRetries: 0 };
    const answer = requireWhole(await this.#cluster.client.search<{ record: Read }>(request, options));
    if (answer._shards.total > 1) throw new RangeError('several shards number their changes each');
    return answer.hits.hits;
  }

  async #take(hits: readonly estypes.SearchHit<{ record: Read }>[]): Promise<void> {
    for (const [place, { _source, sort }] of hits.entries()) {
      if (_source !== undefined) this.#terms.add(_source.record);
      this.#change = Number(sort?.[0]);
      if (this.#terms.count > maxTerms) throw new RangeError('too many terms');
      if (place % recordsATurn === recordsATurn - 1) await turn();
    }
  }
}

interface Term {
  text: string;
  letters: number;
  /** How many contacts have it, or names: about, since a record that changes counts again. */
  times: number;
}

/** Names as tokens and the words of people, by their beginnings and lengths. */
class Terms {
  readonly #names = new Map<string, Map<string, Term>>();
  readonly #words = new Map<string, Map<string, Term>>();
  count = 0;

  add({ name, aliases = [], language = null, contacts = [] }: Read): void {
    for (const [form, tokens] of Object.entries(mistypedTokens([name, ...aliases].map(nameKeysOf)))) {
      for (const token of tokens) this.#add(this.#names, token, sharedBeginning(form as NameForm));
    }
    for (const contact of contacts) {
      const texts = textsOfPerson({ ...emptyContact(contact.id), ...contact }, language);
      for (const word of new Set(texts.join(' ').split(' '))) this.#add(this.#words, word, 1);
    }
  }

  #add(groups: Map<string, Map<string, Term>>, text: string, beginning: number): void {
    const group = cached(groups, groupOf(text, beginning, text.length), () => new Map<string, Term>());
    const term = group.get(text);
    this.count += term === undefined ? 1 : 0;
    if (term === undefined) group.set(text, { text, letters: letterBits(text), times: 1 });
    else term.times += 1;
  }

  /** The tokens of all names near to these, or the words near to this one: like the embedded engine, the nearest and most frequent. */
  findNear(condition: MistypedCondition): string[] {
    const { edits } = condition;
    if (condition.is === 'name') {
      const beginning = sharedBeginning(condition.form);
      const tokens = condition.keys.map((key) => nameToken(condition.form, key));
      return tokens.flatMap((token) => findNear(this.#names, token, beginning, edits).map(({ text }) => text));
    }
    const near = findNear(this.#words, condition.word, 1, edits).filter(({ text }) => text !== condition.word);
    const editsTo = new Map(near.map((term) => [term, countEdits(condition.word, term.text, edits)]));
    near.sort(
      (a, b) => (editsTo.get(a) ?? 0) - (editsTo.get(b) ?? 0) || b.times - a.times || (a.text < b.text ? -1 : 1),
    );
    return near.slice(0, condition.takesAllNear ? undefined : maxCorrections).map(({ text }) => text);
  }
}

function findNear(
  groups: ReadonlyMap<string, ReadonlyMap<string, Term>>,
  text: string,
  beginning: number,
  edits: number,
): Term[] {
  const letters = letterBits(text);
  const near: Term[] = [];
  for (let length = text.length - edits; length <= text.length + edits; length += 1) {
    for (const term of groups.get(groupOf(text, beginning, length))?.values() ?? []) {
      if (mayBeWithin(edits, letters, term.letters) && countEdits(text, term.text, edits) <= edits) near.push(term);
    }
  }
  return near;
}

function groupOf(text: string, beginning: number, length: number): string {
  return `${length}${text.slice(0, beginning)}`;
}

type MistypedCondition = Extract<Condition, { is: 'name' | 'word' }>;

/** Whether the terms tell what is near to it: words are known of people only. */
function isKnown(condition: Condition): condition is MistypedCondition {
  return (condition.is === 'name' || (condition.is === 'word' && condition.in === 'people')) && condition.edits > 0;
}

/** Puts the terms that are near into the conditions that look for them; those of a search look them up once. */
export class NearTerms {
  readonly #terms: Terms;
  readonly #made = new Map<Condition, Condition>();

  constructor(terms: Terms) {
    this.#terms = terms;
  }

  /** They are looked up when the condition is rendered: most tiers only rank, and two typos take long. */
  readonly putInto = (condition: Condition): Condition =>
    cached(this.#made, condition, () => {
      // What stays the same has been rendered for the strict plan.
      if ('of' in condition) {
        const of = condition.of.map(this.putInto);
        return of.every((one, place) => one === condition.of[place]) ? condition : { ...condition, of };
      }
      if (condition.is === 'contact') {
        const meets = this.putInto(condition.meets);
        return meets === condition.meets ? condition : { ...condition, meets };
      }
      if (!isKnown(condition)) return condition;
      const near = once(() => this.#terms.findNear(condition));
      return {
        ...condition,
        get near() {
          return near();
        },
      };
    });

  putIntoPlan(plan: PlannedQuery): PlannedQuery {
    // Most plans are asked for without their tiers, which are made when they are read.
    const tiers = once(() => plan.tiers.map((tier) => ({ ...tier, condition: this.putInto(tier.condition) })));
    return {
      nameKey: plan.nameKey,
      match: this.putInto(plan.match),
      get tiers() {
        return tiers();
      },
    };
  }
}
