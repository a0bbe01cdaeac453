import type { Contact, ContactKind } from '#records/contacts/contact.ts';
import { isContactField } from '#records/contacts/contact-fields.ts';
import {
  type FilterField,
  isDerived,
  type MediumFilterField,
  type MediumRangeField,
  type RangeField,
} from '#records/fields.ts';
import type { EmailStatus } from '#records/vocabularies.ts';
import { nameKey } from '#text/fold.ts';
import { perObject } from '#text/memoize.ts';
import { phraseTokens, tokensOfText } from './indexed/searchable-text.ts';
import type { Filter, PresenceFilter, RangeFilter, SearchQuery, ValueFilter } from './search-query.ts';

/** A filter by what is known of a contact, such as `email_status`. */
export type ContactFilter = ContactValueFilter | PresenceFilter | ContactRangeFilter;
type ContactValueFilter = ValueFilter & { field: Exclude<FilterField, MediumFilterField> };
type ContactRangeFilter = RangeFilter & { range: Exclude<RangeField, MediumRangeField> };

/** A filter by what is known of the record itself. */
export type RecordFilter = Exclude<Filter, PresenceFilter>;

/** Filters as an index asks for them (contract A18). */
export interface SplitFilters {
  /** What the record itself must meet. */
  ofRecord: readonly RecordFilter[];
  /** What one and the same contact of it must meet; empty if nothing is asked of contacts. None of these has negated values. */
  ofContact: readonly ContactFilter[];
  /** What no contact of it may meet, each on its own. */
  ofNoContact: readonly ContactFilter[];
}

/** What the contact filters compare of a contact, by their field: an index keeps this of each contact that a record shows. */
export interface FilteredContact {
  contact_kind: ContactKind;
  has_email: boolean;
  email_status: EmailStatus | typeof unknownStatus;
  /** ISO 8601, UTC; null if it is unknown. */
  verified_at: string | null;
  /** Folded, whole. */
  beats: string[];
  /** As tokens of searchable-text.ts, with spaces between. */
  title: string;
}

/** How each filter by values compares a contact: by its only value, any value of a list, or all words of a text. */
export const comparedAs = {
  contact_kind: 'value',
  email_status: 'value',
  beats: 'list',
  title: 'words',
} as const satisfies Record<ContactValueFilter['field'], 'value' | 'list' | 'words'>;

/** Stands for no status among the values of a filter. No request can name it. */
export const unknownStatus = '';

export function filteredContact(contact: Contact): FilteredContact {
  const { kind, title, beats, email, email_status, last_verified_at } = contact;
  return {
    contact_kind: kind,
    has_email: email !== null,
    email_status: email_status ?? unknownStatus,
    verified_at: last_verified_at,
    beats: [...new Set(beats.map(nameKey))].filter(Boolean),
    title: tokensOfText(title ?? ''),
  };
}

export function splitFilters(filters: readonly Filter[]): SplitFilters {
  const ofContacts = filters.filter(isContactFilter);
  return {
    ofRecord: filters.filter(isRecordFilter),
    ofContact: ofContacts.flatMap((filter): ContactFilter[] => {
      if (!('field' in filter)) return [filter];
      return filter.any.length === 0 ? [] : [{ ...filter, none: [] }];
    }),
    ofNoContact: ofContacts.flatMap((filter): ContactFilter[] => {
      if (!('field' in filter) || filter.none.length === 0) return [];
      return [{ field: filter.field, any: filter.none, none: [] }];
    }),
  };
}

/** Whether a filter is one of contacts, or of a field that shows the first contact: it is about any contact. */
function isContactFilter(filter: Filter): filter is ContactFilter {
  if ('identity' in filter) return false;
  if ('present' in filter) return isDerived(filter.present);
  const key = 'field' in filter ? filter.field : filter.range;
  return isDerived(key) || isContactField(key);
}

/** Whether a filter is one of the record itself, as no presence filter is. */
function isRecordFilter(filter: Filter): filter is RecordFilter {
  return !isContactFilter(filter);
}

/** Whether a contact meets all contact filters of a query. Filters of its record say nothing about it. */
export function meetsContactFilters(contact: Contact, filters: readonly Filter[]): boolean {
  const values = filteredContact(contact);
  return filters.every((filter) => !isContactFilter(filter) || meetsFilter(values, filter));
}

function meetsFilter(contact: FilteredContact, filter: ContactFilter): boolean {
  if ('present' in filter) return has(contact, filter);
  if ('range' in filter) return isInRange(contact.verified_at, filter);
  const { any, none } = filter;
  return (any.length === 0 || hasAny(contact, filter, any)) && !hasAny(contact, filter, none);
}

function has(contact: FilteredContact, { present }: PresenceFilter): boolean {
  switch (present) {
    case 'contact_name':
      return contact.contact_kind === 'person';
    case 'email':
      return contact.has_email;
  }
}

function hasAny(contact: FilteredContact, { field }: ContactValueFilter, values: readonly string[]): boolean {
  if (comparedAs[field] !== 'words') return values.some((value) => [contact[field]].flat().includes(value));
  const ownWords = new Set(String(contact[field]).split(' '));
  return tokensOfEach(values).some((tokens) => tokens.every((token) => ownWords.has(token)));
}

/** Once for a filter, because an export compares each contact with all its values. */
const tokensOfEach = perObject((values: readonly string[]) => values.map(titleTokens));

/** The tokens that a title must have for a value of the filter `title`, folded words. */
export function titleTokens(value: string): string[] {
  return value.split(' ').flatMap((word) => phraseTokens([word]));
}

/** An unknown date is in no range. */
function isInRange(date: string | null, { bound, value }: RangeFilter): boolean {
  if (date === null) return false;
  if (bound === 'from') return date >= String(value);
  return bound === 'to' ? date <= String(value) : date < String(value);
}

/** The query for the media whose contacts are looked at one by one: what it asks of contacts is asked of each of them instead. */
export function withoutContactFilters(query: SearchQuery): SearchQuery {
  return { ...query, filters: splitFilters(query.filters).ofRecord };
}
