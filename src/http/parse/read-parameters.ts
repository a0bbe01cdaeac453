import type { RequestHandler } from 'express';
import { z } from 'zod';
import { normalForm } from '#text/fold.ts';
import { type Fault, type FaultDetails, Faults, listWords, suggest } from './faults.ts';

/** The parameters of one path. */
export interface ParameterSet<Output> {
  schema: z.ZodType<Output>;
  /** All names, in the order used in links. */
  names: readonly string[];
  /** Those that may be repeated. */
  repeatable: ReadonlySet<string>;
}

export interface ReadParameters<Output> {
  values: Output;
  /** The parameters as given, in the order of the set's names; several values separated by `|`. */
  given: URLSearchParams;
}

/** Where parameters are, for errors: their location, and a prefix for their names. */
export interface ParameterPlace {
  in: 'query' | 'body';
  prefix: string;
}

/** Names that people use to pass a key. */
const keyLikeName = /^(api_?-?key|key|token|access_?token|auth(orization)?)$/i;

/**
 * Reads the query string of a request. Empty parameters count as absent, unless one that takes a single value is
 * repeated; invalid percent-encoding is taken literally. Throws a Problem that names every invalid parameter, with
 * suggestions.
 */
export function readParameters<Output>(url: string, set: ParameterSet<Output>): ReadParameters<Output> {
  const faults = new Faults();
  const read = readTexts(collectTexts(url), set, faults, { in: 'query', prefix: '' });
  if (read === null) throw faults.toProblem();
  return read;
}

export const noParameters: ParameterSet<object> = { schema: z.object({}), names: [], repeatable: new Set() };

/** For paths without parameters. */
export const refuseParameters: RequestHandler = (req, _res, next) => {
  readParameters(req.originalUrl, noParameters);
  next();
};

/**
 * Reads parsed parameters: the texts of each name, including empty ones. Adds every problem to the faults, and then
 * returns null.
 */
export function readTexts<Output>(
  texts: ReadonlyMap<string, readonly string[]>,
  set: ParameterSet<Output>,
  faults: Faults,
  place: ParameterPlace,
): ReadParameters<Output> | null {
  const before = faults.count;
  const input: Record<string, string | string[]> = {};
  const given = new URLSearchParams();
  const repeated = new Set<string>();

  for (const [name, all] of texts) {
    const [text, ...others] = all.filter((one) => one !== '');
    const isRepeated = all.length > 1 && set.names.includes(name) && !set.repeatable.has(name);
    if (isRepeated) {
      repeated.add(name);
      faults.add(() => repeatedParameter(name, place));
    } else if (text === undefined) continue;
    else if (!set.names.includes(name)) faults.add(() => unknownParameter(name, set.names, place));
    else input[name] = set.repeatable.has(name) ? [text, ...others] : text;
  }

  const result = set.schema.safeParse(input);
  for (const issue of result.error?.issues ?? []) {
    // A repeated parameter is not in the input, but it is not missing either.
    if (!repeated.has(String(issue.path[0]))) faults.add(() => toFault(issue, place));
  }
  if (!result.success || faults.count > before) return null;

  for (const name of set.names) {
    const value = input[name];
    if (value !== undefined) given.set(name, typeof value === 'string' ? value : value.join('|'));
  }
  return { values: result.data, given };
}

/** Every parameter, NFC-normalized and trimmed, with its values in order. */
function collectTexts(url: string): Map<string, string[]> {
  const texts = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(queryOf(url))) addText(texts, name, value);
  return texts;
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

function toFault({ path, message, ...issue }: z.core.$ZodIssue, place: ParameterPlace): Fault {
  const details = issue.code === 'custom' ? (issue.params as FaultDetails | undefined) : undefined;
  const { code, ...hints } = details ?? { code: 'invalid' };
  return { in: place.in, name: `${place.prefix}${String(path[0])}`, code, wrong: message, ...hints };
}

/** The query of a request's URL, with its `?`; empty without one. URL would take a path that starts with `//` for a host. */
export function queryOf(url: string): string {
  return url.includes('?') ? url.slice(url.indexOf('?')) : '';
}
