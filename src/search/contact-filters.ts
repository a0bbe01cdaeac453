import type { Contact } from '#records/contacts/contact.ts';
import { isOfContact } from '#records/field-groups.ts';
import type { Filter, RangeFilter, SearchQuery, ValueFilter } from './search-query.ts';

/**
 * The contact filters of a query: those of fields that show a contact, such as `email_status`. One and the same contact must
 * meet all of them (contract A18).
 */
export function isContactFilter(filter: Filter): boolean {
  if ('identity' in filter) return false;
  if ('present' in filter) return isOfContact(filter.present);
  return isOfContact('field' in filter ? filter.field : filter.range);
}

/** Whether a contact meets all contact filters of a query. Filters of its medium say nothing about it. */
export function meetsContactFilters(contact: Contact, filters: readonly Filter[]): boolean {
  return filters.every((filter) => meetsFilter(contact, filter));
}

function meetsFilter(contact: Contact, filter: Filter): boolean {
  if (!isContactFilter(filter) || 'identity' in filter) return true;
  if ('present' in filter)
    return filter.present === 'contact_name' ? contact.kind === 'person' : contact.email !== null;
  return 'field' in filter ? hasValue(contact.email_status, filter) : isInRange(contact.last_verified_at, filter);
}

/** An unknown value passes `none`, but not a non-empty `any`. */
function hasValue(value: string | null, { any, none }: ValueFilter): boolean {
  if (value === null) return any.length === 0;
  return (any.length === 0 || any.includes(value)) && !none.includes(value);
}

/** An unknown date is in no range. */
function isInRange(date: string | null, { bound, value }: RangeFilter): boolean {
  if (date === null) return false;
  if (bound === 'from') return date >= String(value);
  return bound === 'to' ? date <= String(value) : date < String(value);
}

/** The query for the media whose contacts are looked at one by one: what it asks of contacts is asked of each of them instead. */
export function withoutContactFilters(query: SearchQuery): SearchQuery {
  return { ...query, filters: query.filters.filter((filter) => !isContactFilter(filter)) };
}
