import { z } from 'zod';
import { rejectValue } from './faults.ts';

/**
 * A list of strings in a body. One that is too long is refused by its length alone: thousands of wrong items would each
 * cost an error that no answer lists.
 *
 * @param sayItem what is wrong with an item that is not a string
 * @param sayTooMany what is wrong with a list of so many items
 */
export function shortList(name: string, sayItem: string, most: number, sayTooMany: (count: number) => string) {
  return z
    .array(z.unknown(), `${name} must be an array of strings.`)
    .meta({ override: { type: 'array', items: { type: 'string' } } })
    .transform((items, context) =>
      items.length <= most ? items : rejectValue(context, sayTooMany(items.length), { code: 'too_many_values' }),
    )
    .pipe(z.array(z.string(sayItem)));
}
