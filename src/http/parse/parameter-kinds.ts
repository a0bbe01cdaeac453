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

type DocumentedType =
  | { type: 'boolean' | 'string' }
  | { type: 'string'; enum: string[] }
  | { type: 'array'; items: { type: 'string'; enum: string[] } };

/** What the OpenAPI document says of a parameter: what programs should send. People and spreadsheets are forgiven more. */
export function documentedAs(narrow: DocumentedType) {
  return ({ jsonSchema }: { jsonSchema: object }): void => {
    for (const key of ['type', 'enum', 'anyOf', 'items']) Reflect.deleteProperty(jsonSchema, key);
    Object.assign(jsonSchema, narrow);
  };
}

/** A text that is documented as a word of a closed list. Whoever reads the parameter checks it. */
export function listedWord(words: readonly string[], error?: string) {
  return z.string(error).meta({ override: documentedAs({ type: 'string', enum: [...words] }) });
}

/** As listedWord, also with `!` in front, which excludes the word. */
export function excludableWord(words: readonly string[]) {
  return listedWord(words.flatMap((word) => [word, `!${word}`]));
}

/** 1 or true, 0 or false. */
export function switchParameter(name: string) {
  return wordParameter(['1', 'true', '0', 'false'], (typed) => `${quote(typed)} is not a valid value for ${name}.`)
    .transform((word) => word === '1' || word === 'true')
    .meta({ override: documentedAs({ type: 'boolean' }) });
}

/** What every larger number is read as. Nothing real reaches it, so no error names it. */
const maxNumber = 999_999_999_999_999;

/** A whole number. */
export function wholeNumberParameter(least: number, most = maxNumber) {
  const right = `a whole number from ${least}${most === maxNumber ? '' : ` to ${most}`}`;
  const error = ({ input }: { input?: unknown }) => `${quote(String(input))} is not ${right}.`;
  return z.preprocess(
    (typed) => (/^\d+$/.test(String(typed)) ? Math.min(Number(typed), maxNumber) : typed),
    z.int({ error }).min(least, { error }).max(most, { error }),
  );
}

/** How the text of a list parameter becomes its values. A list without an entry takes each text as one value. */
export const separators = z.registry<{ separate: (text: string) => readonly string[] }>();

/** Parameters that say something also where they are empty. */
export const meaningfulEmpty = z.registry<object>();

/** The values between separators, without those that are empty. */
export function separateAt(separator: string, text: string): string[] {
  const values = text.split(separator).map((value) => value.trim());
  return values.filter((value) => value !== '');
}

/** Several values, repeated or separated by `|`. `separate` says which of these values are several between commas. */
export function listParameter(
  item: z.ZodType<string>,
  separate: (value: string) => readonly string[] = (value) => [value],
) {
  const list = z.array(item);
  separators.add(list, { separate: (text) => separateAt('|', text).flatMap(separate) });
  return list.transform((values, context) => {
    if (values.length <= maxValues) return values;
    const message = `${values.length} values are too many. Use at most ${maxValues}.`;
    return rejectValue(context, message, { code: 'too_many_values' });
  });
}

/** Several words of a closed list; none has a comma. */
export function wordsParameter<const Word extends string>(name: string, words: readonly Word[]) {
  return listParameter(listedWord(words), (text) => separateAt(',', text)).transform((texts, context) =>
    texts.map((text) => readWord(context, name, text, words)),
  );
}

/** The same as a field of a body: an array of strings, or a string. */
export function wordsOfBody<const Word extends string>(name: string, words: readonly Word[]) {
  return z
    .union([z.array(z.string()), z.string()], `${name} must be a string or an array of strings.`)
    .meta({ override: documentedAs({ type: 'array', items: { type: 'string', enum: [...words] } }) })
    .transform((texts, context) => {
      const values = [texts].flat().flatMap((text) => separateAt('|', text).flatMap((part) => separateAt(',', part)));
      return values.map((text) => readWord(context, name, text, words));
    });
}

function readWord<const Word extends string>(
  context: z.RefinementCtx,
  name: string,
  text: string,
  words: readonly Word[],
): Word {
  const word = words.find((candidate) => candidate === text.toLowerCase());
  return word ?? rejectWord(context, `${quote(text)} is not a valid ${name}.`, text, words);
}

/** Rejects a word, and names the allowed ones and the nearest. */
export function rejectWord(context: z.RefinementCtx, wrong: string, typed: string, words: readonly string[]): never {
  const details = { code: 'unknown_value', ...suggest(typed, words) };
  return rejectValue(context, `${wrong} Use ${listWords(words)}.`, details);
}

/** A `+` that was not encoded in a URL arrives as a space: `T09:30:00 02:00`. */
const zoneAfterSpace = /:(\d{2}(?:\.\d{1,9})?) (\d{2}:?\d{2})$/;

/** A time as records have it: ISO 8601 in UTC, with milliseconds. */
export const timeParameter = z.string().transform(readTime);

export function readTime(text: string, context: z.RefinementCtx): string {
  const time = readIsoDate(text.replace(zoneAfterSpace, ':$1+$2'));
  if (time !== null) return time;
  const right = 'Use an ISO 8601 date or time, such as 2026-11-21 or 2026-11-21T09:30:00Z.';
  return rejectValue(context, `${quote(text)} is not a valid date or time. ${right}`, { code: 'invalid_time' });
}

/** Options of a check that also runs if other parameters are invalid, so that the caller learns of all errors at once. */
export const checkedAnyway = { when: ({ value }: { value: unknown }) => typeof value === 'object' };
