import { remember } from '#domain/remember.ts';
import { fold } from '#domain/search/fold.ts';

/** What people and programs write for "nothing" where a name could stand as well. */
const always = new Set([
  'n/a',
  '#n/a',
  'n.a.',
  'none',
  'null',
  '(null)',
  '\\n',
  'undefined',
  'nil',
  'tbd',
  'tba',
  'tbc',
]);

/** What may also be a name, a country (NA), a language or a value of its own. */
const mostly = new Set([
  ...['na', 'nan', 'unknown', 'not known', 'unspecified', 'not specified', 'not available', 'not applicable'],
  ...['not provided', 'missing', 'blank', 'empty', 'to be determined', 'to be confirmed', 'no email', 'no website'],
]);

const maxLength = 20;
const dashesAndDots = /^[\s\-\u2010-\u2015\u2212_.\u2026?\uff1f*#/\\]+$/;

const isAlways = remember((text) => dashesAndDots.test(text) || always.has(fold(text)));
const isMostly = remember((text) => mostly.has(fold(text)));

/** Whether the text stands for "nothing" in any field: `N/A`, `none`, `null`, `-`, `?`, `TBD`. */
export function isPlaceholder(text: string): boolean {
  return text.length <= maxLength && isAlways(text);
}

/** Whether the text stands for "nothing" where it means nothing else: `NA`, `unknown`, `not available`. */
export function isLikelyPlaceholder(text: string): boolean {
  return text.length <= maxLength && isMostly(text);
}
