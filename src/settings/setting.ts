import { z } from 'zod';
import { trimEnd } from '#domain/trim-end.ts';

/** One setting: what it means, and the schema that reads its text. */
export interface Setting {
  /** The default as text; null if the setting is optional. */
  default: string | null;
  doc: string;
  /** Its value is never shown, not even in an error, and can come from a file: `NAME_FILE` instead of `NAME`. */
  secret?: true;
  /** The message of its issues completes the sentence "NAME must be …". */
  schema: z.ZodType<unknown, string>;
}

/** A setting that a plan, an outbound tool or a payment provider brings along. */
export interface OwnSetting extends Setting {
  name: string;
}

/** Reads a whole number from `min` to `max`. */
export function wholeNumber(min: number, max: number, right: string) {
  return z
    .string()
    .regex(/^\d{1,9}$/, { message: right, abort: true })
    .transform(Number)
    .refine((value) => value >= min && value <= max, right);
}

/** Reads an http(s) URL without credentials, query and fragment; gives it back without a slash at its end. */
export function httpUrl(right: string) {
  return z.string().transform((text, context) => {
    const url = parseHttpUrl(text);
    if (url !== null && !url.username && !url.password) return trimEnd(url.href, '/');
    context.addIssue(right);
    return z.NEVER;
  });
}

/** An http(s) URL without query and fragment; null if the text is not one. */
export function parseHttpUrl(text: string): URL | null {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && !/[?#]/.test(text) ? url : null;
}
