import { LRUCache } from 'lru-cache';
import { isContactField } from '#records/contacts/contact-fields.ts';
import type { FacetField } from '#records/fields.ts';
import { splitFilters } from '#search/contact-filters.ts';
import {
  audienceSteps,
  type CountedFacet,
  countFacet,
  type FacetValue,
  groupFacets,
  isOpenFacet,
  joinFacets,
  openFacetValues,
  withoutAudience,
} from '#search/facet-groups.ts';
import type { FacetCounts, FacetOptions } from '#search/search-index.ts';
import type { SearchQuery } from '#search/search-query.ts';
import { atMost, cached, once } from '#text/memoize.ts';
import { type RecordSet, rowsOf, sizeOf } from './record-sets.ts';
import type { SearchedRows } from './searched-rows.ts';
import { type RowSelector, selectionKey } from './select-rows.ts';

/** Counts how many rows of a query have each value of each facet. */
export class FacetCounter {
  readonly #searched: SearchedRows;
  readonly #selector: RowSelector;
  /** Counts of one facet, until the index changes: they stay the same if another of its values is chosen. */
  readonly #facets = new LRUCache<string, CountedFacet>(atMost(1_000));

  constructor(searched: SearchedRows, selector: RowSelector) {
    this.#searched = searched;
    this.#selector = selector;
  }

  /** Forgets the counts, because the index has changed. */
  renew(): void {
    this.#facets.clear();
  }

  count(query: SearchQuery, { audiences = false }: FacetOptions): FacetCounts {
    const counts = this.#countGroups(query);
    return audiences ? { ...counts, audiences: this.#countAudiences(query) } : counts;
  }

  /** Counts each facet under all filters but its own. */
  #countGroups(query: SearchQuery): FacetCounts {
    const { filters } = query;
    const { records, isCorrected, dropped } = this.#selector.select(query);
    const counted = groupFacets(filters).flatMap((group) => {
      const groupQuery = { ...query, filters: group.filters };
      const key = selectionKey(groupQuery);
      const selected = once(() => (group.filters === filters ? records : this.#selector.select(groupQuery).records));
      const rows = once(() => rowsOf(selected()));
      return group.fields.map((field) =>
        cached(this.#facets, `${field} ${key}`, () => this.#countFacet(field, groupQuery, selected(), rows)),
      );
    });
    return { total: sizeOf(records), ...joinFacets(counted), isCorrected, dropped };
  }

  #countFacet(field: FacetField, query: SearchQuery, records: RecordSet, rows: () => Uint32Array): CountedFacet {
    const isOfContacts = isContactField(field) && query.rows === undefined;
    const counted = isOfContacts
      ? this.#countOfContacts(field, query, records)
      : this.#searched.of(query).columns.count(field, rows());
    return countFacet(field, isOpenFacet(field) ? counted.slice(0, openFacetValues) : counted, counted.length);
  }

  /** How many of the records have each value in a contact that passes the filters of contacts. */
  #countOfContacts(field: FacetField, { filters }: SearchQuery, records: RecordSet): FacetValue[] {
    const { people, contacts } = this.#searched;
    const { ofContact } = splitFilters(filters);
    const contactRows = people.contactsOf(records);
    const passing =
      ofContact.length === 0 ? contactRows : people.sets.intersect([contactRows, people.findPassing(ofContact)]);
    return contacts.columns.countByRecord(field, rowsOf(passing));
  }

  /** How many rows are in each step of the audience. */
  #countAudiences(query: SearchQuery): number[] {
    const counts = audienceSteps.map(() => 0);
    const audiences = this.#searched.of(query).columns.sorted('audience');
    for (const row of rowsOf(this.#selector.select({ ...query, filters: withoutAudience(query.filters) }).records)) {
      const step = audienceSteps.findLastIndex((least) => (audiences[row] as number) >= least);
      if (step >= 0) counts[step] = (counts[step] ?? 0) + 1;
    }
    return counts;
  }
}
