import type { RangeBound } from '#records/field-definition.ts';
import type { PresenceField } from '#records/fields.ts';
import { type Condition, hostCondition } from '#search/conditions/conditions.ts';
import {
  type ContactFilter,
  comparedAs,
  type RecordFilter,
  splitFilters,
  titleTokens,
} from '#search/contact-filters.ts';
import type { PlannedQuery } from '#search/plans/plan-query.ts';
import type { ContactIds, Filter, IdentityFilter, SearchQuery, ValueFilter } from '#search/search-query.ts';
import { contactDocumentId, indexedTerms, rangeNumber } from './index-document.ts';
import { type Clause, nothing, ofOneContact, type Render, renderCondition } from './render-text-query.ts';

/** A text as the engine looks for it. */
export interface RenderedQuery {
  /** Orders pages; null if the text has only exclusions. */
  planned: PlannedQuery | null;
  match: Clause | null;
  exclusions: Clause[];
  /** Renders other conditions as it was rendered. */
  render: Render;
}

/**
 * @param planned the query of a text; null if it has only exclusions
 * @param render shared by all plans of a text, so that what they have in common is rendered once
 */
export function renderText(
  planned: PlannedQuery | null,
  exclusions: readonly Condition[],
  render: Render = renderCondition,
): RenderedQuery {
  const excluded = exclusions.map(render).filter((clause) => clause !== nothing);
  return { planned, match: planned && render(planned.match), exclusions: excluded, render };
}

/** What refuses contacts of media of which lists name others alone, and those that a list which is left out names. */
export function renderUnlisted({ rows, listedContacts, unlistedContacts }: SearchQuery): Clause[] {
  if (rows !== 'contacts') return [];
  const clauses: Clause[] = unlistedContacts === undefined ? [] : [anyOfContacts(unlistedContacts)];
  if (listedContacts === undefined) return clauses;
  const ofTheirMedia = { terms: { 'order.id': indexedTerms([...listedContacts.keys()]) } };
  return [...clauses, { bool: { filter: [ofTheirMedia], must_not: [anyOfContacts(listedContacts)] } }];
}

function anyOfContacts(ids: ContactIds): Clause {
  const documents = Array.from(ids, ([record, contacts]) => [...contacts].map((id) => contactDocumentId(record, id)));
  return { ids: { values: documents.flat() } };
}

/** The conditions that a record must meet. `scored` only scores those that do. */
export function buildCondition(
  query: RenderedQuery | null,
  filters: readonly Filter[],
  scored: Clause | null = null,
): Clause {
  const { ofRecord, ofContact, ofNoContact } = splitFilters(filters);
  const filter = ofRecord.flatMap(buildFilter);
  if (ofContact.length > 0) filter.push(buildContact(ofContact));
  const ofNone = ofNoContact.map((contactFilter) => buildContact([contactFilter]));
  const exclusions = [...(query?.exclusions ?? []), ...ofRecord.flatMap(buildNegation), ...ofNone];
  if (query?.match) filter.unshift(query.match);
  const bool = {
    ...(scored !== null && { must: [scored] }),
    ...(filter.length > 0 && { filter }),
    ...(exclusions.length > 0 && { must_not: exclusions }),
  };
  return Object.keys(bool).length === 0 ? { match_all: {} } : { bool };
}

function buildFilter(filter: RecordFilter): Clause[] {
  if ('range' in filter) {
    const { range, bound, value } = filter;
    return [{ range: { [`within.${range}`]: { [comparisons[bound]]: rangeNumber(value) } } }];
  }
  return filter.any.length === 0 ? [] : [buildAny(filter, filter.any)];
}

const comparisons: Record<RangeBound, string> = { from: 'gte', before: 'lt', to: 'lte' };

function buildNegation(filter: RecordFilter): Clause[] {
  return 'none' in filter && filter.none.length > 0 ? [buildAny(filter, filter.none)] : [];
}

function buildAny(filter: ValueFilter | IdentityFilter, values: readonly string[]): Clause {
  if ('field' in filter) return { terms: { [`by.${filter.field}`]: indexedTerms(values) } };
  return filter.identity === 'id'
    ? { terms: { 'order.id': indexedTerms(values) } }
    : renderCondition(hostCondition(values));
}

/** Records with one contact that meets all of these filters. */
function buildContact(filters: readonly ContactFilter[]): Clause {
  return ofOneContact(filters.map(testContact));
}

const presenceTerms: Record<PresenceField, Record<string, string | boolean>> = {
  contact_name: { 'contacts.kind': 'person' },
  email: { 'contacts.has_email': true },
};

/** What one contact must have to pass a filter. */
export function testContact(filter: ContactFilter): Clause {
  if ('present' in filter) return { term: presenceTerms[filter.present] };
  if ('range' in filter) {
    return { range: { 'contacts.verified_at': { [comparisons[filter.bound]]: rangeNumber(filter.value) } } };
  }
  const { field, any } = filter;
  if (comparedAs[field] !== 'words') {
    const key = field === 'contact_kind' ? 'kind' : field;
    return { terms: { [`contacts.${key}`]: indexedTerms(any) } };
  }
  const hasAll = (text: string): Clause => {
    return { bool: { filter: titleTokens(text).map((token) => ({ term: { [`contacts.${field}`]: token } })) } };
  };
  return { bool: { should: any.map(hasAll), minimum_should_match: 1 } };
}
