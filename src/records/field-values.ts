import { distinct } from '#text/distinct.ts';
import { memoize } from '#text/memoize.ts';
import { type FilterableField, type FilterField, type ManyFormField, mediumFilterFields } from './fields.ts';
import type { MediaRecord } from './media-record.ts';

export const manyFormFields = mediumFilterFields.filter(
  ({ filter }) => filter.found !== undefined,
) as readonly (FilterableField & {
  key: ManyFormField;
})[];

/** Whether records are also found by forms of the field's values that facets do not count. */
export function hasManyForms(key: FilterField): boolean {
  return manyFormFields.some((field) => field.key === key);
}

/** The forms of a field's values by which filters find the record, without repeats. The value's own form comes first. */
export function filterValues(record: MediaRecord, field: FilterableField): readonly string[] {
  const { found: valuesFound } = field.filter;
  if (valuesFound === undefined) return countedValues(record, field);
  return distinct(valuesOf(record, field).flatMap((value) => valuesFound(value, record))).filter(Boolean);
}

/** The values of a record's field as facets count and show them, without repeats; empty if the field is unknown. */
export function countedValues(record: MediaRecord, field: FilterableField): readonly string[] {
  const { counted } = field.filter;
  const canonical = canonicalForms.get(field.key) ?? field.filter.canonical;
  const forms = valuesOf(record, field).map((value) =>
    counted === undefined ? canonical(value) : counted(value, record),
  );
  return distinct(forms.filter((form) => form !== null));
}

function valuesOf(record: MediaRecord, { key }: FilterableField): readonly string[] {
  const value = record[key];
  if (value === null) return [];
  return typeof value === 'string' ? [value] : value;
}

/** Memoized because imports need the same few forms again and again. */
const canonicalForms = new Map<FilterField, (value: string) => string | null>(
  mediumFilterFields.map(({ key, filter }) => [key, memoize(filter.canonical)]),
);
