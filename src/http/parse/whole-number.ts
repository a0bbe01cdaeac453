import { z } from 'zod';
import { quote, rejectValue } from './faults.ts';

/** A whole number; without an upper limit if `most` is the largest safe integer. */
export function wholeNumberParameter(least: number, most: number) {
  const right = `a whole number from ${least}${most === Number.MAX_SAFE_INTEGER ? '' : ` to ${most}`}`;
  return z.string().transform((text, context): number => {
    const value = /^\d+$/.test(text) ? Math.min(Number(text), Number.MAX_SAFE_INTEGER) : Number.NaN;
    if (value >= least && value <= most) return value;
    return rejectValue(context, `${quote(text)} is not ${right}.`, { code: 'out_of_range' });
  });
}
