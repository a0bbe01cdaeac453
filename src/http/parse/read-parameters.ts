import type { RequestHandler } from 'express';
import { z } from 'zod';
import type { FieldError } from '#src/problem.ts';
import { normalForm } from '#text/fold.ts';
import { addFault, listWords, type Place, suggest, toFault, toProblem } from './faults.ts';
import { meaningfulEmpty, separators } from './parameter-kinds.ts';

type Texts = Map<string, string[]>;

const keyLikeName = /^(api_?-?key|key|token|access_?token|auth(orization)?)$/i;

/**
 * Reads a query string. Empty parameters count as absent, unless one that takes a single value is repeated, or an empty one means
 * something; invalid
 * percent-encoding is taken literally. Throws a Problem that names every invalid parameter, with suggestions.
 */
export function readParameters<Schema extends z.ZodObject>(url: string, schema: Schema) {
  const faults: FieldError[] = [];
  const texts: Texts = new Map();
  for (const [name, value] of new URLSearchParams(queryOf(url))) addText(texts, name, value);
  const parameters = readTexts(texts, schema, faults, { in: 'query', prefix: '' });
  if (parameters === null) throw toProblem(faults);
  return parameters;
}

const noParameters = z.object({});

export const refuseParameters: RequestHandler = (req, _res, next) => {
  readParameters(req.originalUrl, noParameters);
  next();
};

/**
 * Reads parameters from an object, such as the arguments of a tool: texts, numbers and truth values, or lists of them.
 * Null counts as absent. Adds every problem to the faults, and then returns null.
 */
export function readObject<Schema extends z.ZodObject>(
  body: object,
  schema: Schema,
  faults: FieldError[],
  prefix = '',
) {
  const place: Place = { in: 'body', prefix };
  const texts: Texts = new Map();
  const message = 'Use a string, a number, true or false, or a list of them.';
  for (const [name, value] of Object.entries(body)) {
    const items = [value].flat().filter((item) => item !== null);
    const isKnown = Object.hasOwn(schema.shape, name);
    if (isKnown && items.some((item) => typeof item === 'object')) {
      faults.push({ in: 'body', name: prefix + name, code: 'invalid', message });
    } else for (const item of items) addText(texts, name, typeof item === 'object' ? '{}' : String(item));
  }
  const parameters = readTexts(texts, schema, faults, place);
  return faults.length === 0 ? parameters : null;
}

function readTexts<Schema extends z.ZodObject>(texts: Texts, schema: Schema, faults: FieldError[], place: Place) {
  const before = faults.length;
  const names = Object.keys(schema.shape);
  const input: Record<string, string | string[]> = {};
  const repeated = new Set<string>();

  for (const [name, values] of mergeBrackets(texts, schema)) {
    const isKnown = names.includes(name);
    const mayBeEmpty = isKnown && meaningfulEmpty.has(schema.shape[name] as z.ZodType);
    const filled = mayBeEmpty ? values : values.filter((value) => value !== '');
    const [text] = filled;
    const list = isKnown ? findList(schema.shape[name] as z.ZodType) : null;
    if (values.length > 1 && isKnown && list === null) {
      repeated.add(name);
      const message = 'This parameter was given several times. Use one value.';
      faults.push({ in: place.in, name: place.prefix + name, code: 'repeated', message });
    } else if (text === undefined) continue;
    else if (!isKnown) addFault(faults, () => unknownParameter(name, names, place));
    else if (list === null) input[name] = text;
    else {
      const { separate = (text: string) => [text] } = separators.get(list) ?? {};
      const values = filled.flatMap(separate);
      if (values.length > 0) input[name] = values;
    }
  }

  const result = schema.safeParse(input);
  for (const issue of result.error?.issues ?? []) {
    // A repeated parameter is not in the input, but it is not missing either.
    if (!repeated.has(String(issue.path[0]))) addFault(faults, () => toFault(issue, input, place));
  }
  if (!result.success || faults.length > before) return null;

  /** The parameters as given, in the order of the schema; several values separated by `|`, however they came. */
  const givenParameters = new URLSearchParams();
  for (const name of names) {
    const value = input[name];
    if (value !== undefined) givenParameters.set(name, typeof value === 'string' ? value : value.join('|'));
  }
  return { values: result.data, givenParameters };
}

/** `country[]=US` and `country[0]=US` as `country=US`, for parameters that are lists: many programs write lists so. */
function mergeBrackets(texts: Texts, schema: z.ZodObject): Texts {
  const merged: Texts = new Map();
  for (const [name, values] of texts) {
    const plain = name.replace(/\[\d*\]$/, '');
    const isList = Object.hasOwn(schema.shape, plain) && findList(schema.shape[plain] as z.ZodType) !== null;
    const listName = isList ? plain : name;
    merged.set(listName, [...(merged.get(listName) ?? []), ...values]);
  }
  return merged;
}

/** The list that a parameter is read as, whatever is made of it; null for a parameter that may not be repeated. */
function findList(schema: z.ZodType): z.ZodArray | null {
  if (schema instanceof z.ZodPipe) return findList(schema.in as z.ZodType);
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) return findList(schema.unwrap() as z.ZodType);
  return schema instanceof z.ZodArray ? schema : null;
}

export function addText(texts: Texts, name: string, rawText: string): void {
  const text = normalForm(rawText, 'NFC').trim();
  const earlierTexts = texts.get(name);
  if (earlierTexts) earlierTexts.push(text);
  else texts.set(name, [text]);
}

/** What other services call these: too far in letters to be guessed. */
const otherNames: readonly [RegExp, string][] = [
  [/^(query|search|keywords?|text|term|name|title)$/i, 'q'],
  [/^(limit|size|page_?size|count)$/i, 'per_page'],
  [/^(offset|start|from|cursor)$/i, 'page'],
  [/^lang$/i, 'language'],
  [/^state$/i, 'region'],
  [/^topics?$/i, 'category'],
  [/^campaign$/i, 'campaign_id'],
  [/^id$/i, 'ids'],
];

/** The known names, with the one that was most likely meant by a wrong one. */
export function suggestName(name: string, names: readonly string[]) {
  const betterName = otherNames.find(([other, parameter]) => other.test(name) && names.includes(parameter));
  return suggest(betterName?.[1] ?? name, names);
}

function unknownParameter(name: string, names: readonly string[], place: Place) {
  const isKey = place.in === 'query' && keyLikeName.test(name);
  const right = names.length === 0 ? 'This path takes no parameters.' : `Use ${listWords(names)}.`;
  return {
    in: place.in,
    name: place.prefix + name,
    code: 'unknown_parameter',
    message: isKey ? keyInUrl : `This parameter does not exist. ${right}`,
    ...suggestName(name, names),
  };
}

const keyInUrl =
  'Send the key in the header `Authorization: Bearer <key>`, never in the URL. Replace this key: URLs end up in logs.';

/** The query of a request's URL, with its `?`; empty without one. URL would take a path that starts with `//` for a host. */
export function queryOf(url: string): string {
  return url.includes('?') ? url.slice(url.indexOf('?')) : '';
}
