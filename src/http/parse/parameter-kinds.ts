import { z } from 'zod';
import { readIsoDate } from '#records/normalize/normalize-values.ts';
import { listWords, quote, rejectValue, suggest } from './faults.ts';

/*
 * One schema for each kind of parameter. It reads the text of a parameter that is present and not empty: a string, or a
 * list of strings where several values are allowed. `params` of an issue holds what its error says besides the message.
 */

/** Maximum values of one filter. Nobody chooses more by hand, and each costs the engine work. */
export const maxValues = 100;

/** A word of a closed list, in any case. `sayWrong` makes the message for a wrong one. */
export function wordParameter<const Word extends string>(words: readonly Word[], sayWrong: (typed: string) => string) {
  return z.preprocess(
    (typed) => words.find((word) => word === String(typed).toLowerCase()) ?? typed,
    z.enum(words, { error: ({ input }) => sayWrong(String(input)) }),
  );
}

/** 1 or true, 0 or false. */
export function switchParameter(name: string) {
  return wordParameter(
    ['1', 'true', '0', 'false'],
    (typed) => `${quote(typed)} is not a valid value for ${name}.`,
  ).transform((word) => word === '1' || word === 'true');
}

/** A whole number of at most 15 digits. Its error names no upper limit if that is the largest safe integer. */
export function wholeNumberParameter(least: number, most = Number.MAX_SAFE_INTEGER) {
  const right = `a whole number from ${least}${most === Number.MAX_SAFE_INTEGER ? '' : ` to ${most}`}`;
  const error = ({ input }: { input?: unknown }) => `${quote(String(input))} is not ${right}.`;
  return z.preprocess(
    (typed) => (/^\d{1,15}$/.test(String(typed)) ? Number(typed) : typed),
    z.int({ error }).min(least, { error }).max(most, { error }),
  );
}

/** Several values, repeated or separated by `|`. The reference lists `items`; others are accepted too. */
export function listParameter(items: readonly string[] | undefined) {
  const value = items === undefined ? z.string() : z.union([z.enum(items), z.string()]);
  return z.union([z.array(value), z.string()]).transform((texts, context) => {
    const values = [texts].flat().flatMap((text) => text.split('|'));
    const given = values.map((text) => text.trim()).filter((text) => text !== '');
    if (given.length <= maxValues) return given;
    const message = `${given.length} values are too many. Use at most ${maxValues}.`;
    return rejectValue(context, message, { code: 'too_many_values' });
  });
}

/** Several words of a closed list. */
export function wordsParameter<const Word extends string>(name: string, words: readonly Word[]) {
  return listParameter(words).transform((texts, context) =>
    texts.map((text) => {
      const word = words.find((known) => known === text.toLowerCase());
      return word ?? rejectWord(context, `${quote(text)} is not a valid ${name}.`, text, words);
    }),
  );
}

/** Rejects a word, and names the allowed ones and the nearest. */
export function rejectWord(context: z.RefinementCtx, wrong: string, typed: string, words: readonly string[]): never {
  const details = { code: 'unknown_value', ...suggest(typed, words) };
  return rejectValue(context, `${wrong} Use ${listWords(words)}.`, details);
}

/** A `+` that was not encoded in a URL arrives as a space: `T09:30:00 02:00`. */
const zoneAfterSpace = /:(\d{2}(?:\.\d{1,9})?) (\d{2}:?\d{2})$/;

/** A time as records have it: ISO 8601 in UTC, with milliseconds. */
export const timeParameter = z.string().transform((text, context): string => {
  const time = readIsoDate(text.replace(zoneAfterSpace, ':$1+$2'));
  if (time !== null) return time;
  const right = 'Use an ISO 8601 date or time, such as 2026-11-21 or 2026-11-21T09:30:00Z.';
  return rejectValue(context, `${quote(text)} is not a valid date or time. ${right}`, { code: 'invalid_time' });
});

/** Options of a check that also runs if other parameters are invalid, so that the caller learns of all errors at once. */
export const checkedAnyway = { when: ({ value }: { value: unknown }) => typeof value === 'object' };
