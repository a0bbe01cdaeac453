import { setImmediate as turn } from 'node:timers/promises';
import type { estypes } from '@elastic/elasticsearch';
import type { MediaRecord } from '#records/media-record.ts';
import type { Condition } from '#search/conditions.ts';
import { mistypedTokens, type NameForm, nameToken, sharedBeginning } from '#search/name-forms.ts';
import type { PlannedQuery } from '#search/plan-query.ts';
import { countEdits, letterBits, mayBeWithin } from '#text/edit-distance.ts';
import { cached, once } from '#text/memoize.ts';
import { nameKeysOf } from '#text/name-keys.ts';
import type { Cluster } from './connect-elasticsearch.ts';
import { requireWhole } from './search-requests.ts';

type NameCondition = Extract<Condition, { is: 'name' }>;
type Named = Pick<MediaRecord, 'name'> & Partial<Pick<MediaRecord, 'aliases'>>;

/** For how long names count as read, in milliseconds: searches that come together ask once. */
const freshMs = 20;
/** How long the engine looks for near names itself before this tries again, in milliseconds. */
const restMs = 2_000;
/** A change can be seen before one with a lower number; so long later, none is missing. In milliseconds. */
const settleMs = 2_000;
/** How long a search waits for the names that changed, in milliseconds. */
const maxWaitMs = 500;
/** Records in a request, and between two turns of the event loop. */
const recordsARequest = 5_000;
const recordsATurn = 250;
/** A name takes about 80 bytes of memory. */
const maxNames = 5_000_000;

/**
 * Follows the names of the live index, to find those near to a mistyped one: the engine would build an automaton for each, which takes
 * it longer than all else of a search. Reads all names once, in the background, and then those of records that changed. Until it
 * knows all of them, the engine looks itself; so it does where the index has several shards, because each numbers its own changes.
 */
export class KnownNames {
  readonly #cluster: Cluster;
  readonly #alias: string;
  /** Nothing can be asked about an index without a name. */
  #index = 'none';
  /** The number of the last change that was read, and of one before which none is missing. */
  #change = -1;
  #settled = -1;
  #settlesAt = Number.POSITIVE_INFINITY;
  #names = new Names();
  #isWhole = false;
  #askedAt = Number.NEGATIVE_INFINITY;
  #reading: Promise<void> | null = null;

  constructor(cluster: Cluster, alias: string) {
    this.#cluster = cluster;
    this.#alias = alias;
  }

  /** Null while not all are known. */
  async read(): Promise<NearNames | null> {
    if (performance.now() > this.#askedAt + freshMs) {
      this.#reading ??= this.#readOn();
      if (this.#isWhole) await this.#reading;
    }
    return this.#isWhole ? new NearNames(this.#names) : null;
  }

  /** Reads what changed. If there is more than a request has, goes on in the background, where no search waits for it. */
  async #readOn(): Promise<void> {
    const askedAt = performance.now();
    if (askedAt > this.#settlesAt) {
      [this.#change, this.#settled, this.#settlesAt] = [this.#settled, this.#change, Number.POSITIVE_INFINITY];
    }
    const before = this.#change;
    try {
      const hits = await this.#readChanged();
      const isLast = hits.length < recordsARequest;
      const index = hits[0]?._index ?? this.#index;
      if (index !== this.#index) this.#begin(index);
      this.#isWhole &&= isLast;
      await this.#take(hits);
      if (!isLast) this.#settled = before;
      if (this.#change > this.#settled) this.#settlesAt = Math.min(this.#settlesAt, askedAt + settleMs);
      [this.#isWhole, this.#askedAt] = [isLast, askedAt];
      this.#reading = isLast ? null : this.#readOn();
    } catch {
      this.#isWhole = false;
      [this.#askedAt, this.#reading] = [performance.now() + restMs, null];
    }
  }

  #begin(index: string): void {
    [this.#index, this.#change, this.#settled] = [index, -1, -1];
    [this.#names, this.#isWhole] = [new Names(), false];
  }

  /** The records that changed since the last one read; all of another index. */
  async #readChanged(): Promise<estypes.SearchHit<{ record: Named }>[]> {
    const isNewer = { range: { _seq_no: { gt: this.#change } } };
    const isOfOther = { bool: { must_not: [{ term: { _index: this.#index } }] } };
    const request = {
      index: this.#alias,
      query: { bool: { filter: [{ bool: { should: [isNewer, isOfOther] } }] } },
      sort: [{ _seq_no: 'asc' as const }],
      size: recordsARequest,
      track_total_hits: false,
      _source: ['record.name', 'record.aliases'],
    };
    const options = { requestTimeout: this.#isWhole ? maxWaitMs : this.#cluster.timeoutMs, maxRetries: 0 };
    const answer = requireWhole(await this.#cluster.client.search<{ record: Named }>(request, options));
    if (answer._shards.total > 1) throw new RangeError('several shards number their changes each');
    return answer.hits.hits;
  }

  async #take(hits: readonly estypes.SearchHit<{ record: Named }>[]): Promise<void> {
    for (const [place, { _source, sort }] of hits.entries()) {
      if (_source !== undefined) this.#names.add(_source.record);
      this.#change = Number(sort?.[0]);
      if (this.#names.count > maxNames) throw new RangeError('too many names');
      if (place % recordsATurn === recordsATurn - 1) await turn();
    }
  }
}

/** Names as tokens, by their beginnings and lengths, each with its letterBits. */
class Names {
  readonly #groups = new Map<string, Map<string, number>>();
  count = 0;

  add({ name, aliases = [] }: Named): void {
    for (const [form, tokens] of Object.entries(mistypedTokens([name, ...aliases].map(nameKeysOf)))) {
      for (const token of tokens) {
        const beginning = sharedBeginning(form as NameForm);
        const group = cached(this.#groups, groupOf(token, beginning, token.length), () => new Map());
        this.count += group.has(token) ? 0 : 1;
        group.set(token, letterBits(token));
      }
    }
  }

  /** The tokens of names within so many edits that begin like this one. */
  findNear({ form, keys, edits }: NameCondition): string[] {
    return keys.flatMap((key) => {
      const token = nameToken(form, key);
      const letters = letterBits(token);
      const near: string[] = [];
      for (let length = token.length - edits; length <= token.length + edits; length += 1) {
        for (const [other, bits] of this.#groups.get(groupOf(token, sharedBeginning(form), length)) ?? []) {
          if (mayBeWithin(edits, letters, bits) && countEdits(token, other, edits) <= edits) near.push(other);
        }
      }
      return near;
    });
  }
}

function groupOf(token: string, beginning: number, length: number): string {
  return `${length}${token.slice(0, beginning)}`;
}

/** Puts the names that are near into the conditions that look for them; those of a search look them up once. */
export class NearNames {
  readonly #names: Names;
  readonly #made = new Map<Condition, Condition>();

  constructor(names: Names) {
    this.#names = names;
  }

  readonly putInto = (condition: Condition): Condition =>
    cached(this.#made, condition, () => {
      if (condition.is === 'name' && condition.edits > 0)
        return { ...condition, near: this.#names.findNear(condition) };
      return 'of' in condition ? { ...condition, of: condition.of.map(this.putInto) } : condition;
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
