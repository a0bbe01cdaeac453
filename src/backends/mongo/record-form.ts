import type { Document } from 'mongodb';
import { holdsAddress } from '#records/addresses/scrub-addresses.ts';
import type { FieldDefinition } from '#records/field-definition.ts';
import { fields } from '#records/fields.ts';
import { isPlain } from '#records/normalize/clean-text.ts';
import { joinTags } from '#records/normalize/join-tags.ts';
import { isMerelyTag } from '#records/normalize/normalize-record.ts';
import { isLikelyPlaceholder, isPlaceholder } from '#records/normalize/placeholders.ts';
import { aliasLimit, emailLimit, textLimits, urlLimit } from '#records/normalize/text-limits.ts';
import { countryName } from '#records/places/countries.ts';
import { memoize } from '#text/memoize.ts';

type Check = (value: unknown) => boolean;

/** URLs in stored form, without anything to decode. */
const webAddress = /^https?:\/\/(?:[a-z0-9]+(?:-+[a-z0-9]+)*\.)+[a-z]{2,63}\/[\w.~:/?#!$()*+,;=-]*$/;
/** A step to another folder, and hosts that are not public. */
const oddAddress = /\/\.|\/\/www\d?\.[a-z]+\/|\.(?:local|localhost|internal)\//;
const emailAddress = /^[\w+-]+(?:\.[\w+-]+)*@(?:[a-z0-9]+(?:-[a-z0-9]+)*\.)+[a-z]{2,63}$/;
const meaningful = /[\p{L}\p{N}]/u;
const plainPhone = /^[+()./ -]*\d[+()./ -]*\d[+()./ -]*\d[\d+()./ -]*$/;

const isText: Check = (value) =>
  typeof value === 'string' && isPlain(value) && meaningful.test(value) && !isPlaceholder(value);
const isUrl: Check = (value) =>
  typeof value === 'string' &&
  value.length <= urlLimit &&
  webAddress.test(value) &&
  !oddAddress.test(value) &&
  !holdsAddress(value);
const isEmail: Check = (value) => typeof value === 'string' && value.length <= emailLimit && emailAddress.test(value);
const isInteger: Check = (value) => Number.isSafeInteger(value) && (value as number) >= 0;

const isPhone: Check = (value) => isText(value) && plainPhone.test(value as string);
const isList = (value: unknown): value is unknown[] =>
  Array.isArray(value) && value.length <= aliasLimit && new Set(value).size === value.length;

const time = /^\d{4}-(?:0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/;

/** Whether the text is a time as Date formats it. Only the last days of a month need the calendar. */
const isTime: Check = (value) => {
  const day = typeof value === 'string' ? time.exec(value)?.[1] : undefined;
  return day !== undefined && (day < '29' || new Date(value as string).toJSON() === value);
};

/** Whether a known value of the field is in the form in which records are stored. */
function checkFor(field: FieldDefinition): Check {
  const item = itemCheck(field);
  if (field.key === 'tags') {
    return (value) => isList(value) && value.every(item) && joinTags(value as string[]).length === value.length;
  }
  return field.type === 'list' ? (value) => isList(value) && value.every(item) : item;
}

function itemCheck({ key, type, vocabulary, filter }: FieldDefinition): Check {
  if (vocabulary) {
    const words = new Set<unknown>(vocabulary);
    return (value) => words.has(value);
  }
  if (filter?.allowed) {
    const isCanonical = memoize((text) => filter.canonical(text) === text);
    return (value) => typeof value === 'string' && isCanonical(value);
  }
  if (type === 'url') return isUrl;
  if (type === 'email') return isEmail;
  if (type === 'integer') return isInteger;
  if (type === 'date') return isTime;
  const limit: number = (textLimits as Partial<Record<string, number>>)[key] ?? Number.POSITIVE_INFINITY;
  if (key === 'phone') return (value) => isPhone(value) && (value as string).length <= limit;
  if (key === 'tags')
    return (value) => isText(value) && (value as string).length <= limit && isMerelyTag(value as string);
  const mayBeAnyWord = key === 'name';
  return (value) =>
    isText(value) && (value as string).length <= limit && (mayBeAnyWord || !isLikelyPlaceholder(value as string));
}

const checks = new Map<string, Check>(
  (fields as readonly FieldDefinition[])
    .filter(({ key }) => key !== 'id')
    .map((field) => [field.key, checkFor(field)] as const),
);

/**
 * Whether a document can be used as a record unchanged, because an import would read it the same way: every value has
 * its type, vocabulary and length, texts are clean, only `email` holds an address, and the fields derived from the
 * country are present. A quick test that accepts nearly everything that Masthead wrote itself.
 */
export function isInRecordForm(document: Document): boolean {
  const { _id: id, kind, name, type, country, continent, updated_at } = document;
  if (typeof id !== 'string' || id.length > textLimits.id || id.trim() !== id || !isText(id)) return false;
  if (kind == null || name == null || updated_at == null) return false;
  if (type != null && kind !== 'outlet') return false;
  for (const key in document) {
    const value: unknown = document[key];
    if (value !== null && checks.get(key)?.(value) === false) return false;
  }
  if (country == null) return document.country_name == null;
  return continent != null && document.country_name === countryName(country);
}
