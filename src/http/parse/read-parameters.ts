import type { RequestHandler } from 'express';
import { z } from 'zod';
import { normalForm } from '#text/fold.ts';
import { type Fault, type FaultDetails, Faults, listWords, suggest } from './faults.ts';

interface ReadParameters<Output> {
  values: Output;
  /** The parameters as given, in the order of the schema; several values separated by `|`. */
  given: URLSearchParams;
}

/** Where parameters are, for errors: their location, and a prefix for their names. */
interface ParameterPlace {
  in: 'query' | 'body';
  prefix: string;
}

/** Names that people use to pass a key. */
const keyLikeName = /^(api_?-?key|key|token|access_?token|auth(orization)?)$/i;

/**
 * Reads the query string of a request. Empty parameters count as absent, unless one that takes a single value is
 * repeated; invalid percent-encoding is taken literally. Throws a Problem that names every invalid parameter, with
 * suggestions.
 *
 * @param schema of each parameter as a text, or as a list of texts if it takes several values
 */
export function readParameters<Schema extends z.ZodObject>(
  url: string,
  schema: Schema,
): ReadParameters<z.output<Schema>> {
  const faults = new Faults();
  const texts = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(queryOf(url))) addText(texts, name, value);
  const read = readTexts(texts, schema, faults, { in: 'query', prefix: '' });
  if (read === null) throw faults.toProblem();
  return read;
}

const none = z.object({});

/** For paths without parameters. */
export const refuseParameters: RequestHandler = (req, _res, next) => {
  readParameters(req.originalUrl, none);
  next();
};

/**
 * Reads parsed parameters: the texts of each name, including empty ones. Adds every problem to the faults, and then
 * returns null.
 */
export function readTexts<Schema extends z.ZodObject>(
  texts: ReadonlyMap<string, readonly string[]>,
  schema: Schema,
  faults: Faults,
  place: ParameterPlace,
): ReadParameters<z.output<Schema>> | null {
  const before = faults.count;
  const names = Object.keys(schema.shape);
  const input: Record<string, string | string[]> = {};
  const repeated = new Set<string>();

  for (const [name, all] of texts) {
    const [text, ...others] = all.filter((one) => one !== '');
    const isKnown = names.includes(name);
    if (all.length > 1 && isKnown && !takesList(schema, name)) {
      repeated.add(name);
      faults.add(() => repeatedParameter(name, place));
    } else if (text === undefined) continue;
    else if (!isKnown) faults.add(() => unknownParameter(name, names, place));
    else input[name] = takesList(schema, name) ? [text, ...others] : text;
  }

  const result = schema.safeParse(input);
  for (const issue of result.error?.issues ?? []) {
    // A repeated parameter is not in the input, but it is not missing either.
    if (!repeated.has(String(issue.path[0]))) faults.add(() => toFault(issue, input, place));
  }
  if (!result.success || faults.count > before) return null;

  const given = new URLSearchParams();
  for (const name of names) {
    const value = input[name];
    if (value !== undefined) given.set(name, typeof value === 'string' ? value : value.join('|'));
  }
  return { values: result.data, given };
}

/** Whether a parameter may be repeated: its schema is a list, whatever is made of it. */
export function takesList({ shape }: z.ZodObject, name: string): boolean {
  return isList(shape[name] as z.ZodType);
}

function isList(schema: z.ZodType): boolean {
  if (schema instanceof z.ZodPipe) return isList(schema.in as z.ZodType);
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) return isList(schema.unwrap() as z.ZodType);
  if (schema instanceof z.ZodUnion) return schema.options.some((option) => isList(option as z.ZodType));
  return schema instanceof z.ZodArray;
}

/** Adds a given text, NFC-normalized and trimmed. */
export function addText(texts: Map<string, string[]>, name: string, given: string): void {
  const text = normalForm(given, 'NFC').trim();
  const known = texts.get(name);
  if (known) known.push(text);
  else texts.set(name, [text]);
}

function unknownParameter(name: string, names: readonly string[], place: ParameterPlace): Fault {
  const isKey = place.in === 'query' && keyLikeName.test(name);
  return {
    in: place.in,
    name: place.prefix + name,
    code: 'unknown_parameter',
    ...(isKey ? { wrong: keyInUrl } : { wrong: 'This parameter does not exist.', right: rightNames(names) }),
    ...suggest(name, names),
  };
}

const keyInUrl =
  'Send the key in the header `Authorization: Bearer <key>`, never in the URL. Replace this key: URLs end up in logs.';

function rightNames(names: readonly string[]): string {
  return names.length === 0 ? 'This path takes no parameters.' : `Use ${listWords(names)}.`;
}

function repeatedParameter(name: string, place: ParameterPlace): Fault {
  return {
    in: place.in,
    name: place.prefix + name,
    code: 'repeated',
    wrong: 'This parameter was given several times. Use one value.',
  };
}

function toFault(issue: z.core.$ZodIssue, input: Readonly<Record<string, unknown>>, place: ParameterPlace): Fault {
  const parameter = String(issue.path[0]);
  const where = { in: place.in, name: place.prefix + parameter, wrong: issue.message };
  if (issue.code === 'invalid_value') {
    const words = issue.values.map(String);
    const right = `Use ${listWords(words)}.`;
    return { ...where, code: 'unknown_value', right, ...suggest(String(input[parameter]), words) };
  }
  const isNumber =
    issue.code === 'too_small' ||
    issue.code === 'too_big' ||
    (issue.code === 'invalid_type' && issue.expected !== 'string');
  if (isNumber) return { ...where, code: 'out_of_range' };
  const details = issue.code === 'custom' ? (issue.params as FaultDetails | undefined) : undefined;
  return { ...where, ...(details ?? { code: 'invalid' }) };
}

/** The query of a request's URL, with its `?`; empty without one. URL would take a path that starts with `//` for a host. */
export function queryOf(url: string): string {
  return url.includes('?') ? url.slice(url.indexOf('?')) : '';
}
