import { LRUCache } from 'lru-cache';
import type { AskedPart } from '#search/plans/asked-parts.ts';
import type { PlannedQuery } from '#search/plans/plan-query.ts';
import { planningOf } from '#search/plans/planning.ts';
import type { SearchResult } from '#search/search-index.ts';
import type { Position, SearchQuery, Understanding } from '#search/search-query.ts';
import { chooseKnowing, type KnownChoice, takingAllNear } from '#search/walk.ts';
import { atMost, cached } from '#text/memoize.ts';
import { contactIdsAsJson } from './own-matches.ts';
import { type RecordSet, sizeOf } from './record-sets.ts';
import type { SearchedRows } from './searched-rows.ts';

/** All rows of a query, in no order. */
export interface Selection {
  /** Null if there is no text, or only exclusions. */
  plan: PlannedQuery | null;
  records: RecordSet;
  isCorrected: boolean;
  dropped: SearchResult['dropped'];
  counted: Position['counted'];
}

/** Selects the rows that have the text of a query and pass its filters. Keeps chosen plans until the index changes. */
export class RowSelector {
  readonly #searched: SearchedRows;
  readonly #plans = new LRUCache<string, KnownChoice>(atMost(200));

  constructor(searched: SearchedRows) {
    this.#searched = searched;
  }

  /** Forgets the plans, because the index has changed. */
  renew(): void {
    this.#plans.clear();
  }

  /**
   * The rows that have the text of a query and pass its filters.
   *
   * @param after set for a page that begins behind it
   */
  select(query: SearchQuery, after?: Position | null): Selection {
    const { text } = query;
    const { matches } = this.#searched.of(query);
    const passing = this.#findPassing(query);
    if (text === null)
      return { plan: null, records: passing ?? matches.all(), isCorrected: false, dropped: [], counted: [] };
    const { chosen, counted } = cached(this.#plans, JSON.stringify([query.rows, text, after?.counted]), () =>
      this.#choose(query, text, after?.counted),
    );
    const { asTyped, asked } = chosen;
    const plan = after === undefined || chosen.plan === null ? chosen.plan : takingAllNear(chosen.plan);
    const excluded = matches.find({ is: 'any', of: planningOf(query).excluded(text) });
    const among = (matching: RecordSet) => {
      return matches.sets.subtract(passing === null ? matching : matches.sets.intersect([matching, passing]), excluded);
    };
    const records = among(plan === null ? matches.all() : matches.find(plan.match));
    // Every corrected plan also finds what the strict one finds.
    const isCorrected = asTyped !== null && sizeOf(records) > sizeOf(among(matches.find(asTyped.match)));
    const lacks = ({ condition }: AskedPart) => sizeOf(matches.findAmong(records, condition)) < sizeOf(records);
    return { plan, records, isCorrected, dropped: asked.filter(lacks).map(({ words }) => words), counted };
  }

  /** The rows that pass the filters and the list of a query; null if all do. */
  #findPassing(query: SearchQuery): RecordSet | null {
    const { rows, matches } = this.#searched.of(query);
    const passing = matches.findPassing(query.filters);
    if (rows === 'records') return passing;
    const { people } = this.#searched;
    const unlisted = [
      ...(query.listedContacts ? [people.findNamed(query.listedContacts, 'NOT IN')] : []),
      ...(query.unlistedContacts ? [people.findNamed(query.unlistedContacts, 'IN')] : []),
    ];
    return unlisted.reduce((rows, namedRows) => matches.sets.subtract(rows ?? matches.all(), namedRows), passing);
  }

  /** Chooses the plan of a text over the whole database, regardless of filters. */
  #choose(query: SearchQuery, text: Understanding, knownCounts?: Position['counted']): KnownChoice {
    const { matches } = this.#searched.of(query);
    const choosing = chooseKnowing(planningOf(query).choose(text), knownCounts);
    let step = choosing.next();
    while (!step.done) {
      const sizes = new Map(step.value.counts.map((count) => [count, sizeOf(matches.find(count.condition))]));
      step = choosing.next((count) => sizes.get(count) ?? 0);
    }
    return step.value;
  }
}

/** Queries with the same key have the same rows. */
export function selectionKey({ rows, text, filters, listedContacts, unlistedContacts }: SearchQuery): string {
  return JSON.stringify([rows, text, filters, ...[listedContacts, unlistedContacts].map(contactIdsAsJson)]);
}
