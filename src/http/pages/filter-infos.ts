import { rangeBounds } from '#records/field-definition.ts';
import { fields, filterFields, identityFields, presenceFields, rangeFields } from '#records/fields.ts';

/** The counts among the facets that are drawn above the bounds of the audience. */
const histogram = { list: 'audiences', upTo: 'max_audience' };

/** The filters of the registry, as the explorer shows them: a new filter needs no change in src/web/. */
export const filterInfos = [
  ...filterFields
    .toSorted((a, b) => placeOf(a) - placeOf(b))
    .map(({ filter, facet, vocabulary }) => ({
      parameter: filter.parameter,
      label: labelOf(filter.parameter),
      ...(facet ? { list: facet.list } : vocabulary && { values: vocabulary }),
    })),
  ...listBounds('integer').map((bound) => ({ ...bound, ...(bound.parameter === 'min_audience' && { histogram }) })),
  ...presenceFields.map(({ presence: { parameter } }) => ({ parameter, label: labelOf(parameter), isSwitch: true })),
  ...listBounds('date'),
  { parameter: 'strict', label: labelOf('strict'), isSwitch: true },
  ...identityFields.map(({ identity: { parameter } }) => ({ parameter, label: labelOf(parameter) })),
];

function listBounds(type: 'date' | 'integer') {
  const parameters = rangeFields
    .filter((field) => field.type === type)
    .flatMap(({ range }) => rangeBounds.map((bound) => range[bound]));
  return parameters
    .filter((parameter) => parameter !== undefined)
    .map((parameter) => ({ parameter, label: labelOf(parameter), bound: type === 'date' ? 'date' : 'number' }));
}

/** Filters with facets come in the order of their lists, the others after them. */
function placeOf({ facet, key }: (typeof filterFields)[number]): number {
  return facet?.position ?? 100 + fields.findIndex((field) => field.key === key);
}

function labelOf(parameter: string): string {
  const words = parameter.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
