import type { FieldDefinition } from '#records/field-definition.ts';
import { fields } from '#records/fields.ts';

/** What pages need to know of fields: in which part and under which label a record's page shows them, and the columns of tables. */
export const shownFields = {
  rows: (fields as readonly FieldDefinition[])
    .flatMap(({ shown, ...field }) => ('position' in shown ? [{ ...shown, ...formOf(field) }] : []))
    .sort((a, b) => a.position - b.position)
    .map(({ position: _, ...row }) => row),
  columns: [...Map.groupBy(fields as readonly FieldDefinition[], ({ column }) => column?.[0])]
    .flatMap(([name, [field]]) =>
      name === undefined || !field ? [] : [{ name, field: formOf(field), at: field.column?.[1] ?? 0 }],
    )
    .sort((a, b) => a.at - b.at)
    .map(({ at: _, ...column }) => column),
};

/** How a value of the field is written. `filter`: the parameter that finds records with the same value. */
function formOf({ key, type, vocabulary, filter }: Pick<FieldDefinition, 'key' | 'type' | 'vocabulary' | 'filter'>) {
  return { key, type, isWord: vocabulary !== undefined, filter: filter?.parameter ?? null };
}
