import { fold } from '#text/fold.ts';
import { memoize } from '#text/memoize.ts';

/** Placeholders for "nothing", even where a name is expected. */
const always = new Set('n/a, #n/a, n.a., none, null, (null), \\n, undefined, nil'.split(', '));

/** May also be a name (TBC is a broadcaster), a country (NA), a language or another value. */
const mostly = new Set([
  ...[
    'tbd',
    'tba',
    'tbc',
    'na',
    'nan',
    'unknown',
    'not known',
    'unspecified',
    'not specified',
    'not available',
    'not applicable',
  ],
  ...['not provided', 'missing', 'blank', 'empty', 'to be determined', 'to be confirmed', 'no email', 'no website'],
]);

const maxLength = 20;
const dashesAndDots = /^[\s\-\u2010-\u2015\u2212_.\u2026?\uff1f*#/\\]+$/;

const beginnings = new Set([...always, ...mostly].map(([first]) => first));
const letterOrDigit = /^[a-z0-9]/;

/** A quick test that clears most texts, by their first letter. */
function mayBePlaceholder(text: string): boolean {
  if (text.length > maxLength) return false;
  const first = text.charAt(0).toLowerCase();
  return beginnings.has(first) || !letterOrDigit.test(first);
}

const isAlways = memoize((text) => dashesAndDots.test(text) || always.has(fold(text)));
const isMostly = memoize((text) => mostly.has(fold(text)));

/** Whether the text means "nothing" in any field: `N/A`, `none`, `null`, `-`, `?`. */
export function isPlaceholder(text: string): boolean {
  return mayBePlaceholder(text) && isAlways(text);
}

/** Whether the text means "nothing" if it has no other meaning: `NA`, `TBC`, `unknown`. */
export function isLikelyPlaceholder(text: string): boolean {
  return mayBePlaceholder(text) && isMostly(text);
}
