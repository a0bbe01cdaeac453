import { hash } from 'node:crypto';
import { type Contact, isReachable } from '#records/contacts/contact.ts';
import { countedValues, filterValues, hasManyForms, manyFormFields } from '#records/field-values.ts';
import {
  type FilterField,
  type ManyFormField,
  type MediumFilterField,
  type MediumRangeField,
  mediumFacetFields,
  mediumFilterFields,
  mediumRangeFields,
} from '#records/fields.ts';
import { splitSecret } from '#records/masking.ts';
import type { MediaRecord } from '#records/media-record.ts';
import { leanForm } from '#records/stored-record.ts';
import { recordOfKey, suppressionKeys } from '#records/suppression.ts';
import { filteredContact } from '#search/contact-filters.ts';
import { contactText } from '#search/indexed/contact-text.ts';
import { prominenceOf } from '#search/indexed/prominence.ts';
import { searchableText } from '#search/indexed/searchable-text.ts';
import { embedRecord } from '#search/meaning/embed.ts';
import { nameKey } from '#text/fold.ts';
import mapping from '../../../mappings/records.json' with { type: 'json' };
import { maxTokenLength, vocabularyOf } from './vocabulary.ts';

const filtered = { type: 'keyword', doc_values: false };
const counted = { type: 'keyword', eager_global_ordinals: true };
const comparedLong = { type: 'long', doc_values: false };
const mapEach = (fields: readonly { key: string }[], typeOf: (key: string) => object) => ({
  dynamic: 'strict',
  properties: Object.fromEntries(fields.map(({ key }) => [key, typeOf(key)])),
});

/** Fields whose facet counts the same values by which the filter finds records. */
const countedInPlace = new Set<string>(mediumFacetFields.map(({ key }) => key).filter((key) => !hasManyForms(key)));
const { order, ...beforeOrder } = mapping.mappings.properties;

/** The settings of mappings/records.json, and what follows from the registry of fields. */
export const recordsMapping = {
  ...mapping,
  mappings: {
    ...mapping.mappings,
    properties: {
      ...beforeOrder,
      by: mapEach(mediumFilterFields, (key) => (countedInPlace.has(key) ? counted : filtered)),
      counted: mapEach(manyFormFields, () => counted),
      within: mapEach(mediumRangeFields, () => comparedLong),
      order,
    },
  },
};

/** `_source` stores `record` and `secret`, so it has the address once. Everything else is only indexed. */
export type IndexDocument = ReturnType<typeof indexDocument>;

export function indexDocument(record: MediaRecord) {
  const text = searchableText(record);
  const contacts = record.contacts.map((contact) => indexContact(contact, record.language));
  const meaning = embedRecord(record, text);
  const filters = Object.fromEntries(mediumFilterFields.map((field) => [field.key, filterValues(record, field)]));
  const counted = Object.fromEntries(manyFormFields.map((field) => [field.key, countedValues(record, field)]));
  return {
    ...keptOf(record),
    /** Folded and split by searchable-text.ts; contains no address, only hashes. */
    find: {
      /** The name and the aliases in all their forms; see name-forms.ts. */
      name_keys: text.nameKeys(),
      /** The page as tokens; see record-tokens.ts. */
      pages: text.pages(),
      names: [...text.names(), ...text.aliases()],
      host_labels: text.hostLabels(),
      traits: text.traits(),
      /** The description. The mapping copies names, host labels and traits here. */
      words: [text.description()],
      hosts: text.hosts(),
      concepts: text.concepts(),
      /** See vocabulary.ts. */
      vocabulary: vocabularyOf(
        text,
        contacts.flatMap(({ people }) => people),
      ),
      /** The suppression keys that would hide something of it (see records/suppression.ts). */
      suppression_keys: suppressionKeys(record)
        .filter((key) => recordOfKey(key) === null)
        .map(suppressionTerm),
      /** What it is about (see search/meaning/embed.ts): bytes in hexadecimal, which are read faster than a list. Absent if no word of it is known. */
      ...(meaning !== null && { meaning: Buffer.from(meaning.buffer).toString('hex') }),
    },
    /** The values by which filters find it. */
    by: filters as Record<MediumFilterField, readonly string[]>,
    /** What finds each contact, in the order of the record. */
    contacts,
    /** The values that facets count and similar records share, for fields that are also found by other forms of a value. */
    counted: counted as Record<ManyFormField, readonly string[]>,
    /** What ranges compare; times in milliseconds. */
    within: Object.fromEntries(mediumRangeFields.map(({ key }) => [key, rangeNumber(record[key])])) as Record<
      MediumRangeField,
      number | null
    >,
    order: {
      id: record.id,
      name_key: nameKey(record.name),
      audience: record.audience,
      prominence: prominenceOf(record),
      updated_at: record.updated_at,
      created_at: record.created_at,
      reachable: isReachable(record) ? 1 : 0,
    },
  };
}

/** What conditions and filters compare of a contact (see contact-text.ts); times in milliseconds. */
function indexContact(contact: Contact, language: string | null) {
  const { contact_kind: kind, title, verified_at, ...values } = filteredContact(contact);
  const { exact, people, concepts } = contactText(contact, language);
  // The beats as they are written, which facets count.
  const sourceFields = { title: title.split(' '), counted_beats: contact.beats };
  return { kind, ...values, verified_at: rangeNumber(verified_at), exact, people, concepts, ...sourceFields };
}

/** A suppression key in the index: 48 bits of a hash, to find the records that it may hide. Whole, those of three contacts take a sixth of the index. */
export function suppressionTerm(key: string): string {
  return hash('sha256', key, 'base64url').slice(0, 8);
}

/** The field of a document with the counted values of a record's field. */
export function countedField(field: FilterField): string {
  if (field === 'beats') return 'contacts.counted_beats';
  return hasManyForms(field) ? `counted.${field}` : `by.${field}`;
}

/** What ranges compare: a number as it is, a time in milliseconds. */
export function rangeNumber<Value extends number | null>(value: string | Value): number | Value {
  return typeof value === 'string' ? Date.parse(value) : value;
}

/** The `_source` of a document. All that is indexed follows from it, by the rules of indexVersion. */
export type KeptDocument = ReturnType<typeof keptOf>;

export function keptOf(record: MediaRecord) {
  const { masked, secret } = splitSecret(record);
  return { record: leanForm(masked), secret };
}

export function documentDigest({ record, secret }: KeptDocument): string {
  return hash('sha256', JSON.stringify([record, secret]), 'base64url').slice(0, 12);
}

const maxDocumentIdBytes = 512;

/** The `_id` of a record's document: its id, or a hash if Elasticsearch does not accept the id (too long, or empty). */
export function documentId(id: string): string {
  if (id !== '' && Buffer.byteLength(id) <= maxDocumentIdBytes) return id;
  return hash('sha256', id, 'base64url');
}

/** The `_id` of a contact's document: 72 bits of a hash, which the engine keeps in 9 bytes. The two ids take three times as much. */
export function contactDocumentId(record: string, contact: string): string {
  return hash('sha256', `${record} ${contact}`, 'base64url').slice(0, 12);
}

/** Elasticsearch's maximum term length in bytes. Longer terms are an error, in queries too. */
const maxTermBytes = 32_766;

/** The values that a document can hold: lone surrogates have no valid JSON form. */
export function indexedTerms(values: readonly string[]): string[] {
  return values.filter((value) => value.isWellFormed() && Buffer.byteLength(value) <= maxTermBytes);
}

/** A folded word as the index stores it. */
export function indexedWord(word: string): string {
  return word.length <= maxTokenLength ? word : word.slice(0, maxTokenLength).toWellFormed();
}
