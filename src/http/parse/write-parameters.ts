import { filterFields, identityFields, presenceFields, rangeFields } from '#records/fields.ts';
import type { Filter, SearchQuery } from '#search/search-query.ts';

/** Parameters that are on, or say nothing. */
const switches: ReadonlySet<string> = new Set(['strict', ...presenceFields.map(({ presence }) => presence.parameter)]);

/**
 * Parameters that were read, each in the one form that pages compare: `country=us` as `country=US`, `has_email=true` as
 * `has_email=1`, and `has_email=0`, which asks for nothing, not at all. Values that are not from a list stay as typed.
 */
export function writeFilters(given: URLSearchParams, { text, filters }: SearchQuery): URLSearchParams {
  const texts = new Map(filters.map((filter) => [parameterOf(filter), textOf(filter)]));
  if (text?.isStrict) texts.set('strict', '1');
  const written = new URLSearchParams();
  for (const [name, typed] of given) {
    if (!switches.has(name) || texts.has(name)) written.set(name, texts.get(name) ?? typed);
  }
  return written;
}

function parameterOf(filter: Filter): string {
  if ('field' in filter) return find(filterFields, filter.field).filter.parameter;
  if ('identity' in filter) return find(identityFields, filter.identity).identity.parameter;
  if ('present' in filter) return find(presenceFields, filter.present).presence.parameter;
  return find(rangeFields, filter.range).range[filter.bound] ?? filter.bound;
}

/** Null for what is not from a list of values. */
function textOf(filter: Filter): string | null {
  if ('present' in filter) return '1';
  if ('range' in filter) return typeof filter.value === 'number' ? String(filter.value) : writeTime(filter.value);
  const { allowed } =
    'field' in filter ? find(filterFields, filter.field).filter : find(identityFields, filter.identity).identity;
  return allowed === undefined ? null : [...filter.any, ...filter.none.map((value) => `!${value}`)].join('|');
}

/** As fields for dates and times take it: a day at midnight, otherwise without the zone, which is UTC. */
function writeTime(iso: string): string {
  return iso.replace(/T00:00:00\.000Z$/, '').replace(/(?::00)?\.000Z$|Z$/, '');
}

function find<Field extends { key: string }>(fields: readonly Field[], key: Field['key']): Field {
  const found = fields.find((field) => field.key === key);
  if (found === undefined) throw new Error(`The registry has no ${key} of this kind.`);
  return found;
}
