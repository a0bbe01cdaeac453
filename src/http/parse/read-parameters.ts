import type { z } from 'zod';
import { type FieldError, Problem } from '#domain/problem.ts';
import { findNearestWord } from '#domain/search/nearest-word.ts';
import type { IssueDetails } from './parameters.ts';

/** The parameters that one path knows. */
export interface ParameterSet<Output> {
  schema: z.ZodType<Output>;
  /** The names of all, in the order in which links write them. */
  names: readonly string[];
  /** Those that may be given more than once. */
  repeatable: ReadonlySet<string>;
}

export interface ReadParameters<Output> {
  values: Output;
  /** The parameters as they were given, in the order of the set's names; several values with `|` between them. */
  given: URLSearchParams;
}

/** Names under which people try to hand over a key. */
const keyLikeName = /^(api_?-?key|key|token|access_?token|auth(orization)?)$/i;

/**
 * Reads the query string of a request. Empty parameters count as absent, unless one that takes one value is repeated;
 * broken percent-encoding is the text it is.
 * Throws a Problem that names every wrong parameter at once, with the nearest right name or value.
 */
export function readParameters<Output>(url: string, set: ParameterSet<Output>): ReadParameters<Output> {
  const read = readTexts(collectTexts(url), set);
  if ('errors' in read) throw toProblem(read.errors);
  return read;
}

/** Reads parameters that were taken apart: the texts of each name, empty ones too. Answers all that is wrong. */
export function readTexts<Output>(
  texts: ReadonlyMap<string, readonly string[]>,
  set: ParameterSet<Output>,
): ReadParameters<Output> | { errors: FieldError[] } {
  const errors: FieldError[] = [];
  const input: Record<string, string | string[]> = {};
  const given = new URLSearchParams();

  for (const [name, all] of texts) {
    const [text, ...others] = all.filter((one) => one !== '');
    const isRepeated = all.length > 1 && set.names.includes(name) && !set.repeatable.has(name);
    if (isRepeated) errors.push(repeatedParameter(name));
    else if (text === undefined) continue;
    else if (!set.names.includes(name)) errors.push(unknownParameter(name, set.names));
    else input[name] = set.repeatable.has(name) ? [text, ...others] : text;
  }

  const result = set.schema.safeParse(input);
  if (!result.success) errors.push(...result.error.issues.map(toFieldError));
  if (!result.success || errors.length > 0) return { errors };

  for (const name of set.names) {
    const value = input[name];
    if (value !== undefined) given.set(name, typeof value === 'string' ? value : value.join('|'));
  }
  return { values: result.data, given };
}

/** Every parameter, in NFC and without space around it, with its values in their order. */
function collectTexts(url: string): Map<string, string[]> {
  const texts = new Map<string, string[]>();
  const query = url.includes('?') ? url.slice(url.indexOf('?')) : '';
  for (const [name, value] of new URLSearchParams(query)) addText(texts, name, value);
  return texts;
}

/** Adds a text that was given, in NFC and without space around it. */
export function addText(texts: Map<string, string[]>, name: string, given: string): void {
  const text = given.normalize('NFC').trim();
  const known = texts.get(name);
  if (known) known.push(text);
  else texts.set(name, [text]);
}

function unknownParameter(name: string, names: readonly string[]): FieldError {
  const nearest = findNearestWord(name, names);
  return {
    in: 'query',
    name,
    code: 'unknown_parameter',
    message: keyLikeName.test(name)
      ? 'A key goes into the header Authorization: Bearer <key>, never into the URL. Replace this key: URLs are logged on their way.'
      : `There is no such parameter here; there ${names.length === 0 ? 'are none' : `are ${names.join(', ')}`}.`,
    allowed: names,
    ...(nearest !== null && { did_you_mean: nearest }),
  };
}

function repeatedParameter(name: string): FieldError {
  return {
    in: 'query',
    name,
    code: 'repeated',
    message: 'This parameter takes one value; it was given several times.',
  };
}

function toFieldError({ path, message, ...issue }: z.core.$ZodIssue): FieldError {
  const details = issue.code === 'custom' ? (issue.params as IssueDetails | undefined) : undefined;
  const { code, ...hints } = details ?? { code: 'invalid' };
  return { in: 'query', name: String(path[0]), code, message, ...hints };
}

/** The code is that of the only error where it has a code of its own among the problems. */
function toProblem(errors: readonly FieldError[]): Problem {
  const [first] = errors;
  if (errors.length === 1 && first?.code === 'page_too_deep') {
    return new Problem('page_too_deep', first.message, { errors });
  }
  const names = [...new Set(errors.map(({ name }) => name))].join(', ');
  return new Problem('invalid_request', `Wrong in this request: ${names}. See errors for what is right.`, { errors });
}
