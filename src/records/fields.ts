import { typedHost } from '#text/hosts.ts';
import type { Contact } from './contacts/contact.ts';
import { type ContactField, contactFields } from './contacts/contact-fields.ts';
import { shownContacts } from './contacts/with-contacts.ts';
import {
  type FacetDefinition,
  type FieldDefinition,
  openFacet,
  openFilter,
  sentence,
  vocabularyFilter,
  words,
} from './field-definition.ts';
import type { MediaRecord, RecordKey, SelectedRecord, StoredRecord } from './media-record.ts';
import { isNamedCity, listedCity, namesOfCity } from './places/city-names.ts';
import { countryName, findContinent, findCountry, listCountries } from './places/countries.ts';
import { findLanguage, languageName, listBroaderTags, listLanguages } from './places/languages.ts';
import { isNamedRegion, longRegion, namesOfRegion } from './places/regions.ts';
import * as vocabularies from './vocabularies.ts';

/** The code of a country. Null for a part of one, such as Scotland. */
function readCountry(value: string): string | null {
  const found = findCountry(value);
  return found === null || found.region !== undefined ? null : found.code;
}

/** Whether a LinkedIn page is the profile of a person. Others are pages of companies and schools. */
export function isPersonsProfile(url: string): boolean {
  return /^https?:\/\/(?:[\w-]+\.)*linkedin\.com\/(?:in|pub)\//i.test(url);
}

/** All fields of a record, in the order of API answers. Filters, facets, exports and the API reference follow it. */
export const fields = [
  {
    key: 'id',
    type: 'text',
    doc: 'Stable identifier.',
    shown: { nowhere: 'The URL of the page has it.' },
    identity: { parameter: 'id', canonical: (value) => value },
  },
  {
    key: 'kind',
    type: 'text',
    doc: 'Kind of record.',
    shown: { part: 'details', position: 1, label: 'Kind' },
    column: ['kind', 2],
    vocabulary: vocabularies.kinds,
    filter: vocabularyFilter('kind', vocabularies.kinds),
    facet: { list: 'kinds', position: 2, label: sentence },
    group: 'kind',
  },
  {
    key: 'name',
    type: 'text',
    doc: 'The name.',
    shown: { part: 'heading' },
    column: ['name', 1],
  },
  {
    key: 'aliases',
    type: 'list',
    doc: 'Other names, native titles, abbreviations.',
    shown: { part: 'heading' },
  },
  {
    key: 'url',
    type: 'url',
    doc: 'The home page.',
    shown: { part: 'heading' },
    column: ['website', 14],
    identity: {
      parameter: 'domain',
      canonical: typedHost,
      allowed: ['a host, such as nytimes.com', 'a URL or an email address, for its host'],
    },
  },
  {
    key: 'description',
    type: 'text',
    doc: 'What it is about.',
    shown: { part: 'heading' },
    column: ['about', 15],
  },
  {
    key: 'language',
    type: 'text',
    doc: 'Main language, as a BCP 47 tag.',
    shown: { part: 'details', position: 8, label: 'Language' },
    column: ['language', 9],
    filter: {
      parameter: 'language',
      canonical: findLanguage,
      found: listBroaderTags,
      guesses: () => listLanguages().map(({ name }) => name),
      allowed: ['a BCP 47 tag, such as en or pt-BR', 'an English name, such as Spanish'],
    },
    facet: { list: 'languages', position: 8, label: (value) => languageName(value) },
  },
  {
    key: 'continent',
    type: 'text',
    doc: 'Continent; derived from the country if the source has none.',
    shown: { nowhere: 'The country says it.' },
    vocabulary: vocabularies.continents,
    filter: { parameter: 'continent', canonical: findContinent, allowed: vocabularies.continents },
    facet: {
      list: 'continents',
      position: 5,
      label: (value) => words(value).replace(/\b\p{L}/gu, (letter) => letter.toUpperCase()),
    },
    group: 'place',
    leaders: ['country'],
  },
  {
    key: 'country',
    type: 'text',
    doc: 'ISO 3166-1 alpha-2 code.',
    shown: { part: 'details', position: 5, label: 'Country' },
    column: ['place', 6],
    filter: {
      parameter: 'country',
      canonical: readCountry,
      allowed: ['an ISO 3166-1 code, such as US or USA', 'an English name, such as United States'],
      guesses: () => listCountries().flatMap(({ code, name }) => [code, name]),
    },
    facet: { list: 'countries', position: 1, label: countryName },
    group: 'place',
  },
  {
    key: 'country_name',
    type: 'text',
    doc: 'The English name of the country.',
    shown: { beside: 'country' },
    column: ['place', 6],
    group: 'place',
    leaders: ['country'],
  },
  {
    key: 'region',
    type: 'text',
    doc: 'State, province or region.',
    shown: { part: 'details', position: 6, label: 'Region' },
    column: ['place', 6],
    filter: { ...openFilter('region', namesOfRegion, longRegion), isKnown: isNamedRegion },
    facet: openFacet('regions', 9),
    group: 'place',
  },
  {
    key: 'city',
    type: 'text',
    doc: 'City or town.',
    shown: { part: 'details', position: 7, label: 'City' },
    column: ['place', 6],
    filter: { ...openFilter('city', namesOfCity, listedCity), isKnown: isNamedCity },
    facet: openFacet('cities', 10),
    group: 'place',
  },
  {
    key: 'city_size',
    type: 'text',
    doc: 'Size class of the city by population.',
    shown: { nowhere: 'A class for the filter: the city says more.' },
    vocabulary: vocabularies.citySizes,
    filter: vocabularyFilter('city_size', vocabularies.citySizes),
    facet: { list: 'city_sizes', position: 7, label: sentence },
    group: 'place',
    leaders: ['city', 'region', 'country'],
  },
  {
    key: 'type',
    type: 'text',
    doc: 'Type of outlet; null for podcasts and newsletters.',
    shown: { part: 'details', position: 2, label: 'Type' },
    column: ['kind', 2],
    vocabulary: vocabularies.outletTypes,
    filter: vocabularyFilter('type', vocabularies.outletTypes),
    facet: { list: 'types', position: 3, label: (value) => (value === 'tv' ? 'TV' : sentence(value)) },
    group: 'kind',
    leaders: ['kind'],
  },
  {
    key: 'categories',
    type: 'list',
    doc: 'Topics.',
    shown: { part: 'details', position: 3, label: 'Topics' },
    column: ['topics', 10],
    vocabulary: vocabularies.categories,
    filter: vocabularyFilter('category', vocabularies.categories),
    facet: { list: 'categories', position: 4, label: sentence },
  },
  {
    key: 'coverage',
    type: 'text',
    doc: 'Geographic reach.',
    shown: { part: 'details', position: 9, label: 'Coverage' },
    column: ['coverage', 12],
    vocabulary: vocabularies.coverages,
    filter: vocabularyFilter('coverage', vocabularies.coverages),
    facet: { list: 'coverages', position: 6, label: sentence },
  },
  {
    key: 'contact_name',
    isDerived: true,
    type: 'text',
    plain: { limit: 200 },
    doc: 'The contact person.',
    shown: { beside: 'contacts' },
    column: ['contact', 5],
    presence: { parameter: 'named', contact: 'is a person' },
    group: 'contact',
  },
  {
    key: 'contact_title',
    isDerived: true,
    type: 'text',
    plain: { limit: 200 },
    doc: "The contact person's job title.",
    shown: { beside: 'contacts' },
    column: ['contact', 5],
    group: 'contact',
    leaders: ['contact_name', 'email'],
  },
  {
    key: 'email',
    isDerived: true,
    type: 'email',
    doc: 'Contact email address; masked without a plan.',
    shown: { beside: 'contacts' },
    column: ['email', 3],
    presence: { parameter: 'has_email', contact: 'has an address' },
    group: 'contact',
    leaders: ['contact_name'],
  },
  {
    key: 'email_status',
    isDerived: true,
    type: 'text',
    doc: 'Result of verifying the address.',
    shown: { beside: 'contacts' },
    column: ['trust', 4],
    vocabulary: vocabularies.emailStatuses,
    filter: vocabularyFilter('email_status', vocabularies.emailStatuses),
    group: 'contact',
    leaders: ['email'],
  },
  {
    key: 'email_source',
    isDerived: true,
    type: 'url',
    doc: 'URL where the address was found; null if the address is masked.',
    shown: { beside: 'contacts' },
    group: 'contact',
    leaders: ['email'],
  },
  {
    key: 'last_verified_at',
    isDerived: true,
    type: 'date',
    doc: 'When the address was last verified.',
    shown: { beside: 'contacts' },
    column: ['verified', 16],
    range: { from: 'verified_since' },
    group: 'contact',
    leaders: ['email'],
  },
  {
    key: 'phone',
    isDerived: true,
    type: 'text',
    doc: 'Telephone number.',
    shown: { beside: 'contacts' },
    column: ['phone', 8],
    group: 'contact',
    leaders: ['contact_name', 'email'],
  },
  {
    key: 'audience',
    type: 'integer',
    doc: 'Readers, listeners or subscribers.',
    shown: { part: 'details', position: 10, label: 'Audience' },
    column: ['audience', 7],
    range: { from: 'min_audience', to: 'max_audience' },
  },
  {
    key: 'frequency',
    type: 'text',
    doc: 'How often it is published.',
    shown: { part: 'details', position: 11, label: 'Frequency' },
    column: ['frequency', 13],
    vocabulary: vocabularies.frequencies,
  },
  {
    key: 'feed_url',
    type: 'url',
    doc: 'RSS or Atom feed.',
    shown: { part: 'reach', position: 3, label: 'Feed' },
  },
  {
    key: 'platform',
    type: 'text',
    plain: { limit: 120 },
    doc: 'Hosting platform.',
    shown: { part: 'details', position: 12, label: 'Platform' },
  },
  {
    key: 'linkedin_url',
    type: 'url',
    doc: 'LinkedIn page.',
    shown: { part: 'reach', position: 2, label: 'LinkedIn' },
  },
  {
    key: 'updated_at',
    type: 'date',
    doc: 'When this service last changed what it shows of the record. It never goes back.',
    shown: { part: 'details', position: 13, label: 'Last change' },
    column: ['updated', 17],
    isSetByService: true,
    range: { from: 'updated_since', before: 'updated_before' },
  },
  {
    key: 'created_at',
    type: 'date',
    doc: 'When the record first came in.',
    shown: { part: 'details', position: 14, label: 'Came in' },
    isSetByService: true,
    isOnRequest: true,
    range: { from: 'created_since', before: 'created_before' },
  },
  {
    key: 'tags',
    type: 'list',
    doc: 'Topics that are no category, communities, owners, formats: as the sources have them.',
    shown: { part: 'details', position: 4, label: 'Tags' },
    column: ['tags', 11],
    filter: openFilter('tag'),
    facet: openFacet('tags', 11),
  },
  {
    key: 'contacts',
    type: 'contacts',
    doc: 'Whom to write to, best first. Search, lookup and similar give three, those that were looked for first; a single record has all of them.',
    shown: { part: 'reach', position: 1, label: 'People' },
    isOnRequest: true,
  },
  {
    key: 'contact_count',
    type: 'integer',
    doc: 'How many contacts the record has.',
    shown: { nowhere: 'Pages list the contacts.' },
    isDerived: true,
    isOnRequest: true,
  },
] as const satisfies readonly FieldDefinition[];

type Field = (typeof fields)[number];

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
type DerivedField = Extract<Field, { isDerived: true }>['key'];

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
