import { typedHost } from '#text/hosts.ts';
import type { Contact } from './contacts/contact.ts';
import { type ContactField, contactFields } from './contacts/contact-fields.ts';
import { shownContacts } from './contacts/with-contacts.ts';
import {
  closedField,
  type FacetDefinition,
  type FieldDefinition,
  openFacet,
  openFilter,
  sentence,
  vocabularyFilter,
  words,
} from './field-definition.ts';
import described from './fields.json' with { type: 'json' };
import type { MediaRecord, RecordKey, SelectedRecord, StoredRecord } from './media-record.ts';
import { isNamedCity, listedCity, namesOfCity } from './places/city-names.ts';
import { countryName, findContinent, findCountry, listCountries } from './places/countries.ts';
import { findLanguage, languageName, listBroaderTags, listLanguages } from './places/languages.ts';
import { isNamedRegion, longRegion, namesOfRegion } from './places/regions.ts';
import * as vocabularies from './vocabularies.ts';

/** The code of a country. Null for a part of one, such as Scotland. */
function readCountry(value: string): string | null {
  const country = findCountry(value);
  return country === null || country.region !== undefined ? null : country.code;
}

/** Whether a LinkedIn page is the profile of a person. Others are pages of companies and schools. */
export function isPersonsProfile(url: string): boolean {
  return /^https?:\/\/(?:[\w-]+\.)*linkedin\.com\/(?:in|pub)\//i.test(url);
}

/** The values of a field and how it is searched, which takes code. All else about it is in fields.json. */
const searched = {
  id: { identity: { parameter: 'id', canonical: (value) => value } },
  kind: closedField('kind', vocabularies.kinds, { list: 'kinds', position: 2 }),
  url: {
    identity: {
      parameter: 'domain',
      canonical: typedHost,
      allowed: ['a host, such as nytimes.com', 'a URL or an email address, for its host'],
    },
  },
  language: {
    filter: {
      parameter: 'language',
      canonical: findLanguage,
      found: listBroaderTags,
      guesses: () => listLanguages().map(({ name }) => name),
      allowed: ['a BCP 47 tag, such as en or pt-BR', 'an English name, such as Spanish'],
    },
    facet: { list: 'languages', position: 8, label: (value) => languageName(value) },
  },
  continent: {
    vocabulary: vocabularies.continents,
    filter: { parameter: 'continent', canonical: findContinent, allowed: vocabularies.continents },
    facet: {
      list: 'continents',
      position: 5,
      label: (value) => words(value).replace(/\b\p{L}/gu, (letter) => letter.toUpperCase()),
    },
  },
  country: {
    filter: {
      parameter: 'country',
      canonical: readCountry,
      allowed: ['an ISO 3166-1 code, such as US or USA', 'an English name, such as United States'],
      guesses: () => listCountries().flatMap(({ code, name }) => [code, name]),
    },
    facet: { list: 'countries', position: 1, label: countryName },
  },
  region: {
    filter: { ...openFilter('region', namesOfRegion, longRegion), isKnown: isNamedRegion },
    facet: openFacet('regions', 9),
  },
  city: {
    filter: { ...openFilter('city', namesOfCity, listedCity), isKnown: isNamedCity },
    facet: openFacet('cities', 10),
  },
  city_size: closedField('city_size', vocabularies.citySizes, { list: 'city_sizes', position: 7 }),
  type: closedField('type', vocabularies.outletTypes, {
    list: 'types',
    position: 3,
    label: (value) => (value === 'tv' ? 'TV' : sentence(value)),
  }),
  categories: closedField('category', vocabularies.categories, { list: 'categories', position: 4 }),
  coverage: closedField('coverage', vocabularies.coverages, { list: 'coverages', position: 6 }),
  email_status: {
    vocabulary: vocabularies.emailStatuses,
    filter: vocabularyFilter('email_status', vocabularies.emailStatuses),
  },
  frequency: { vocabulary: vocabularies.frequencies },
  tags: { filter: openFilter('tag'), facet: openFacet('tags', 11) },
} as const satisfies Partial<Record<RecordKey, Partial<FieldDefinition>>>;

type Described = typeof described;
type Searched = typeof searched;
type Field = { [Key in keyof Described]: FieldOf<Key> }[keyof Described];
type FieldOf<Key extends keyof Described> = FieldDefinition &
  Required<Pick<FieldDefinition, keyof Described[Key] & keyof FieldDefinition>> &
  (Key extends keyof Searched ? Searched[Key] : unknown) & { key: Key };

/** All fields of a record, in the order of API answers. Filters, facets, exports and the API reference follow it. */
export const fields = Object.entries(described).map(([key, description]) => ({
  key,
  ...description,
  ...searched[key as keyof Searched],
})) as unknown as readonly Field[];

/** All keys of a record, in the order of API answers. */
export const recordKeys: readonly RecordKey[] = fields.map(({ key }) => key);

/** Whether a field is a date that the service sets itself, so that it is no part of what a source says. */
export function isServiceDate(key: string): boolean {
  return serviceDates.has(key);
}

const serviceDates: ReadonlySet<string> = new Set(
  fields.filter((field) => 'isSetByService' in field).map(({ key }) => key),
);

/** Whether a field follows from the contacts, so that no store keeps it. */
export function isDerived(key: string): boolean {
  return derivedKeys.has(key);
}

const derivedKeys: ReadonlySet<string> = new Set(fields.filter((field) => 'isDerived' in field).map(({ key }) => key));

/** The keys that imports read, and `set` sets. */
export const sourceKeys: readonly RecordKey[] = recordKeys.filter((key) => !isServiceDate(key));

/** The keys that stores keep: all but those that follow from the contacts. */
export const storedKeys = recordKeys.filter((key) => !isDerived(key)) as readonly (keyof StoredRecord)[];

/** The keys that say what a record is: no dates of the service, and nothing twice. */
export const contentKeys = storedKeys.filter((key) => !isServiceDate(key));

/** The keys that csv and xlsx have unless the caller names others. */
export const columnKeys: readonly RecordKey[] = fields
  .filter((field) => !('isOnRequest' in field))
  .map(({ key }) => key);

/**
 * The record with only these keys, in their order; null stands for all keys.
 *
 * @param contacts those that are shown; all if absent
 */
export function pickKeys(
  record: MediaRecord,
  keys: readonly RecordKey[] | null,
  contacts: () => readonly Contact[] = () => shownContacts(record.contacts),
): SelectedRecord {
  // Four times as fast as Object.fromEntries, for pages of up to a hundred records.
  const picked: Record<string, unknown> = {};
  for (const key of keys ?? recordKeys) {
    picked[key] = key === 'contacts' ? contacts() : record[key];
  }
  return picked as unknown as SelectedRecord;
}

const allUnknown = Object.fromEntries(fields.map(({ key }) => [key, null])) as Record<Field['key'], null>;

/** The date of a record to which the service has given none. */
export const timeless = new Date(0).toISOString();

/** A record with only these values. It does not compile if a field of MediaRecord is missing in `fields`. */
export function emptyRecord(id: string, kind: vocabularies.Kind, name: string): MediaRecord {
  const [updated_at, created_at] = [timeless, timeless];
  const lists = { aliases: [], categories: [], tags: [], contacts: [] };
  return { ...allUnknown, ...lists, id, kind, name, updated_at, created_at, contact_count: 0 };
}

/** Whether a field has a value: neither null nor an empty list. */
export function isKnown(value: unknown): boolean {
  return value !== null && !(Array.isArray(value) && value.length === 0);
}

type FieldWith<Trait extends keyof FieldDefinition> = FieldDefinition &
  Required<Pick<FieldDefinition, Trait>> & { key: Extract<Field, Record<Trait, unknown>>['key'] };

function fieldsWith<Trait extends keyof FieldDefinition>(trait: Trait) {
  return fields.filter((field) => trait in field) as unknown as readonly FieldWith<Trait>[];
}

export type PlainField = FieldWith<'plain'>['key'];
/** A field of records that has a filter. */
export type FilterableField = FieldWith<'filter'>;
export type FilterField = FilterableField['key'] | ContactField;
/** Fields whose records are also found by other forms of the value: other names of a place, broader languages. */
export type ManyFormField = Extract<Field, { filter: { found: unknown } }>['key'];
export type MediumFacetField = FieldWith<'facet'>['key'];
export type FacetField = MediumFacetField | 'beats';
/** Fields whose facet lists only the largest values. */
export type OpenFacetField = Extract<Field, { facet: { isOpen: true } }>['key'] | 'beats';
export type IdentityField = FieldWith<'identity'>['key'];
export type PresenceField = FieldWith<'presence'>['key'];
export type RangeField = FieldWith<'range'>['key'];
/** Fields of the medium itself. Filters of the others are about any contact (search/contact-filters.ts). */
export type MediumFilterField = Exclude<FilterableField['key'], DerivedField>;
export type MediumRangeField = Exclude<RangeField, DerivedField>;
type DerivedField = Extract<Field, Record<'isDerived', unknown>>['key'];

/** A filter of the registry, of records or of contacts alone. */
export type FilterRow = Pick<FilterableField, 'doc' | 'vocabulary' | 'filter' | 'facet'> & { key: FilterField };
const recordFilterFields = fieldsWith('filter');
export const filterFields: readonly FilterRow[] = [...recordFilterFields, ...contactFields];
export const plainFields = fieldsWith('plain');
export const presenceFields = fieldsWith('presence');
export const identityFields = fieldsWith('identity');
export const rangeFields = fieldsWith('range');
export const mediumFilterFields = recordFilterFields.filter(
  ({ key }) => !isDerived(key),
) as readonly (FilterableField & {
  key: MediumFilterField;
})[];
export const mediumRangeFields = rangeFields.filter(({ key }) => !isDerived(key)) as readonly (FieldWith<'range'> & {
  key: MediumRangeField;
})[];
export const mediumFacetFields = fieldsWith('facet') as readonly (FieldWith<'facet'> & FilterableField)[];
/** Fields with a facet, in the order of the answer. Each has a filter, too. */
export const facetFields = [...mediumFacetFields, ...contactFields.filter((field) => 'facet' in field)].toSorted(
  (a, b) => a.facet.position - b.facet.position,
) as readonly (FilterRow & { key: FacetField; facet: FacetDefinition })[];
