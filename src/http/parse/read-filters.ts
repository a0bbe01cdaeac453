import { z } from 'zod';
import type { FieldError } from '#src/problem.ts';
import { isObject } from '#text/json.ts';
import { filterSchema } from './parameters.ts';
import { readObject } from './read-parameters.ts';

/** The field `filters` of a body: the parameters that select records. */
export const filtersField = z
  .record(z.string(), z.unknown(), 'The filters must be an object, such as {"country":"US"}.')
  .describe('The filters of /export by name. Each value is a string, a number, true or false, or an array of them.');

/** Reads the field. Adds every problem in it to the faults, and then returns null; the schema reports what is no object. */
export function readFilters(body: unknown, faults: FieldError[]) {
  const { filters } = Object(body);
  return readObject(isObject(filters) ? filters : {}, filterSchema, faults, 'filters.');
}
