import { readFileSync } from 'node:fs';
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

/** The name of the setting that gives the secret `name` as a file. */
export const fileSettingOf = (name: string) => `${name}_FILE`;

/**
 * Returns the environment with each secret that is given as a file, as Docker and Kubernetes do: `NAME_FILE` is the
 * path of a file whose trimmed content is the value of `NAME`. Faults are lines that say what is wrong and what to do.
 * They don't repeat the path, since someone may have put the secret itself there.
 */
export function readSecretFiles(
  env: NodeJS.ProcessEnv,
  names: readonly string[],
): { env: NodeJS.ProcessEnv; faults: string[] } {
  const values: NodeJS.ProcessEnv = {};
  const faults: string[] = [];
  for (const name of names) {
    const fileSetting = fileSettingOf(name);
    const path = env[fileSetting]?.trim();
    if (!path) continue;
    if (env[name]?.trim()) {
      faults.push(`${name} and ${fileSetting} are both set. Set only one of them.`);
      continue;
    }
    try {
      const value = readFileSync(path, 'utf8').trim();
      if (value === '') faults.push(`${fileSetting} names an empty file. Write the value of ${name} into it.`);
      values[name] = value;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      faults.push(`${fileSetting} names an unreadable file (${code}). Use a file that this user can read.`);
    }
  }
  return { env: { ...env, ...values }, faults };
}
