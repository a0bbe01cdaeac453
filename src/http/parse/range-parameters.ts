import { z } from 'zod';
import type { RangeBound } from '#records/field-definition.ts';
import type { rangeFields } from '#records/fields.ts';
import { readIsoDate } from '#records/normalize/normalize-date.ts';
import type { RangeFilter } from '#search/search-query.ts';
import { quote, rejectValue } from './faults.ts';
import { parameterPattern } from './patterns.ts';
import { wholeNumberParameter } from './whole-number.ts';

type RangeField = (typeof rangeFields)[number];

/** One bound of a field's values. */
export function rangeParameter({ key, type, doc }: RangeField, bound: RangeBound) {
  const words = (type === 'date' ? wordsForTimes : wordsForNumbers)[bound];
  const value = type === 'date' ? timeParameter() : wholeNumberParameter(0, Number.MAX_SAFE_INTEGER);
  const forms = type === 'date' ? timeForms : numberForms;
  return value
    .transform((value): RangeFilter => ({ range: key, bound, value }))
    .meta({
      description: `${doc.slice(0, -1)}: ${words}. Leaves out records where it is unknown.${type === 'date' ? aboutTimes : ''}`,
      override: forms,
    });
}

const aboutTimes = ' An ISO 8601 date or time, in UTC unless it has a zone. A date means its midnight.';

const wordsForTimes: Record<RangeBound, string> = {
  from: 'at this time or later',
  before: 'before this time',
  to: 'at this time or earlier',
};
const wordsForNumbers: Record<RangeBound, string> = {
  from: 'this number or more',
  before: 'less than this number',
  to: 'this number or less',
};

/** A plus sign that was not encoded in a URL arrives as a space. */
const zoneAfterSpace = /:(\d{2}(?:\.\d{1,9})?) (\d{2}:?\d{2})$/;

/** A time as records have it: ISO 8601 in UTC, with milliseconds. */
function timeParameter() {
  return z.string().transform((text, context): string => {
    const time = readIsoDate(text.replace(zoneAfterSpace, ':$1+$2'));
    if (time !== null) return time;
    return rejectValue(context, `${quote(text)} is not a valid date or time.`, {
      code: 'invalid_time',
      right: 'Use an ISO 8601 date or time, such as 2026-11-21 or 2026-11-21T09:30:00Z.',
    });
  });
}

/** With and without a zone. Days that every month has: which others exist, no pattern can say. */
const timeForms = {
  type: 'string' as const,
  anyOf: [
    { type: 'string' as const, format: 'date' },
    { type: 'string' as const, format: 'date-time' },
    {
      type: 'string' as const,
      pattern: parameterPattern(
        '[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1[0-9]|2[0-8])(?:[T ](?:[01][0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9](?:\\.[0-9]{1,9})?)?)?',
      ),
    },
  ],
};

const numberForms = {
  type: ['integer', 'string'] as ['integer', 'string'],
  minimum: 0,
  pattern: parameterPattern('[0-9]+'),
};

/** Whether a lower bound is not beyond the upper one. What could not be read is reported elsewhere. */
export function isInOrder(least: unknown, most: unknown): boolean {
  return !isBound(least) || !isBound(most) || least.value <= most.value;
}

function isBound(value: unknown): value is RangeFilter {
  return typeof value === 'object' && value !== null && 'range' in value;
}
