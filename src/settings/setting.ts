import { z } from 'zod';
import { trimEnd } from '#text/fold.ts';

/** One setting: its description, and the schema that parses its text. */
export interface Setting {
  /** The default as text; absent if the setting is optional. */
  default?: string;
  doc: string;
  /** Its value is never shown, not even in an error, and can come from a file: `NAME_FILE` instead of `NAME`. */
  secret?: true;
  /** The message of its issues completes the sentence "NAME must be …". */
  schema: z.ZodType<unknown, string>;
}

/** A setting that a plan or an outbound tool brings along. */
export interface OwnSetting extends Setting {
  name: string;
}

/** Reads a whole number from `min` to `max`. */
export function wholeNumber(min: number, max: number, expected: string) {
  return z
    .string()
    .regex(/^\d{1,9}$/, { message: expected, abort: true })
    .transform(Number)
    .refine((value) => value >= min && value <= max, expected);
}

/** Parses an http(s) URL without credentials, query or fragment, and returns it without a trailing slash. */
export function httpUrl(expected: string) {
  return z.string().transform((text, context) => {
    const url = parseHttpUrl(text);
    if (url !== null && !url.username && !url.password) return trimEnd(url.href, '/');
    context.addIssue(expected);
    return z.NEVER;
  });
}

/** An http(s) URL without query and fragment; null if the text is not one. */
export function parseHttpUrl(text: string): URL | null {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && !/[?#]/.test(text) ? url : null;
}

/** The text of a setting; null if it is absent or blank. */
export function textOf(env: NodeJS.ProcessEnv, name: string): string | null {
  return env[name]?.trim() || null;
}
