import { isUtf8 } from 'node:buffer';
import express, { type ErrorRequestHandler, type Request, type RequestHandler } from 'express';
import { z } from 'zod';
import { type FieldError, Problem } from '#src/problem.ts';
import { normalForm } from '#text/fold.ts';
import { addFault, listWords, type Place, suggest, toFault, toProblem } from './faults.ts';

interface ReadParameters<Output> {
  values: Output;
  /** The parameters as given, in the order of the schema; several values separated by `|`. */
  given: URLSearchParams;
}

type Texts = Map<string, string[]>;

const keyLikeName = /^(api_?-?key|key|token|access_?token|auth(orization)?)$/i;

/**
 * Reads a query string. Empty parameters count as absent, unless one that takes a single value is repeated; invalid
 * percent-encoding is taken literally. Throws a Problem that names every invalid parameter, with suggestions.
 */
export function readParameters<Schema extends z.ZodObject>(
  url: string,
  schema: Schema,
): ReadParameters<z.output<Schema>> {
  const faults: FieldError[] = [];
  const texts: Texts = new Map();
  for (const [name, value] of new URLSearchParams(queryOf(url))) addText(texts, name, value);
  const read = readTexts(texts, schema, faults, { in: 'query', prefix: '' });
  if (read === null) throw toProblem(faults);
  return read;
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
  given: object,
  schema: Schema,
  faults: FieldError[],
  prefix = '',
): ReadParameters<z.output<Schema>> | null {
  const place: Place = { in: 'body', prefix };
  const texts: Texts = new Map();
  const message = 'Use a string, a number, true, false, or a list of strings.';
  for (const [name, value] of Object.entries(given)) {
    const items = [value].flat().filter((item) => item !== null);
    const isKnown = Object.hasOwn(schema.shape, name);
    if (isKnown && items.some((item) => typeof item === 'object')) {
      faults.push({ in: 'body', name: prefix + name, code: 'invalid', message });
    } else for (const item of items) addText(texts, name, typeof item === 'object' ? '{}' : String(item));
  }
  const read = readTexts(texts, schema, faults, place);
  return faults.length === 0 ? read : null;
}

function readTexts<Schema extends z.ZodObject>(
  texts: Texts,
  schema: Schema,
  faults: FieldError[],
  place: Place,
): ReadParameters<z.output<Schema>> | null {
  const before = faults.length;
  const names = Object.keys(schema.shape);
  const input: Record<string, string | string[]> = {};
  const repeated = new Set<string>();

  for (const [name, all] of texts) {
    const [text, ...others] = all.filter((one) => one !== '');
    const isKnown = names.includes(name);
    const takesList = isKnown && isList(schema.shape[name] as z.ZodType);
    if (all.length > 1 && isKnown && !takesList) {
      repeated.add(name);
      const message = 'This parameter was given several times. Use one value.';
      faults.push({ in: place.in, name: place.prefix + name, code: 'repeated', message });
    } else if (text === undefined) continue;
    else if (!isKnown) addFault(faults, () => unknownParameter(name, names, place));
    else input[name] = takesList ? [text, ...others] : text;
  }

  const result = schema.safeParse(input);
  for (const issue of result.error?.issues ?? []) {
    // A repeated parameter is not in the input, but it is not missing either.
    if (!repeated.has(String(issue.path[0]))) addFault(faults, () => toFault(issue, input, place));
  }
  if (!result.success || faults.length > before) return null;

  const given = new URLSearchParams();
  for (const name of names) {
    const value = input[name];
    if (value !== undefined) given.set(name, typeof value === 'string' ? value : value.join('|'));
  }
  return { values: result.data, given };
}

/** Whether a parameter may be repeated: its schema is a list, whatever is made of it. */
function isList(schema: z.ZodType): boolean {
  if (schema instanceof z.ZodPipe) return isList(schema.in as z.ZodType);
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) return isList(schema.unwrap() as z.ZodType);
  if (schema instanceof z.ZodUnion) return schema.options.some((option) => isList(option as z.ZodType));
  return schema instanceof z.ZodArray;
}

export function addText(texts: Texts, name: string, given: string): void {
  const text = normalForm(given, 'NFC').trim();
  const known = texts.get(name);
  if (known) known.push(text);
  else texts.set(name, [text]);
}

/** What other services call these: too far in letters to be guessed. */
const otherNames: readonly [RegExp, string][] = [
  [/^(query|search|keywords?|text|term)$/i, 'q'],
  [/^(limit|size|page_?size|count)$/i, 'per_page'],
  [/^lang$/i, 'language'],
  [/^state$/i, 'region'],
  [/^topics?$/i, 'category'],
  [/^campaign$/i, 'campaign_id'],
  [/^id$/i, 'ids'],
];

function suggestName(name: string, names: readonly string[]) {
  const known = otherNames.find(([other, own]) => other.test(name) && names.includes(own));
  return suggest(known?.[1] ?? name, names);
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

const kilobyte = 1024;

export interface BodyRules {
  maxKilobytes: number;
  /** Whether no body counts as `{}`, and needs no Content-Type. */
  isOptional?: true;
  /** Whether the handler gets the bytes as they came, of any type. */
  isRaw?: true;
}

/** Reads a body: 413 for one that is too large, 415 for a type that is not JSON, 400 for invalid JSON. */
export function readBody({ maxKilobytes, isOptional, isRaw }: BodyRules): (RequestHandler | ErrorRequestHandler)[] {
  const parser = { limit: maxKilobytes * kilobyte, type: () => true, inflate: false };
  const tooLarge = () => new Problem('body_too_large', `The body is too large. The limit is ${maxKilobytes} kB.`);
  return [
    (req, _res, next) => {
      // Checked before reading: the body parser would first buffer everything.
      if (Number(req.get('Content-Length')) > parser.limit) throw tooLarge();
      if (isOptional && !hasBody(req)) req.body = {};
      else if (!isRaw && !req.is('application/json')) {
        throw new Problem(
          'unsupported_media_type',
          'The body must be JSON, sent with the header Content-Type: application/json.',
        );
      }
      next();
    },
    isRaw ? express.raw(parser) : express.json({ ...parser, verify: requireUtf8 }),
    (error: unknown, _req, _res, next) => {
      // The body parser's exceptions have the status that it would answer with.
      const { status } = Object(error);
      const isOfBody = { 400: notJson, 413: tooLarge, 415: notUtf8 }[status as 400 | 413 | 415];
      next(isOfBody?.() ?? error);
    },
  ] satisfies [RequestHandler, RequestHandler, ErrorRequestHandler];
}

/** Some shells send Latin-1 unless told, and the parser would replace its letters. */
function requireUtf8(_req: unknown, _res: unknown, bytes: Buffer): void {
  if (!isUtf8(bytes)) throw Object.assign(new Error(), { status: 400 });
}

/** Clients say that a POST has no body by a length of zero, or not at all. */
function hasBody(req: Request): boolean {
  return req.get('Transfer-Encoding') !== undefined || Number(req.get('Content-Length') ?? 0) > 0;
}

const notUtf8 = () => new Problem('unsupported_media_type', 'The body must be uncompressed UTF-8.');
const notJson = () => {
  const message = 'The body is not valid UTF-8 JSON. Send a JSON object in UTF-8.';
  return toProblem([{ in: 'body', name: '', code: 'not_json', message }]);
};

/** Throws a Problem that names every invalid field, with the schema's messages and suggestions, but no values. */
export function readFields<Output>(body: unknown, schema: z.ZodObject & z.ZodType<Output>): Output {
  const faults: FieldError[] = [];
  const fields = collectFields(body, schema, faults);
  if (fields === null) throw toProblem(faults);
  return fields;
}

export function collectFields<Output>(
  body: unknown,
  schema: z.ZodObject & z.ZodType<Output>,
  faults: FieldError[],
): Output | null {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  for (const issue of result.error.issues) {
    if (issue.code !== 'unrecognized_keys') addFault(faults, () => toFault(issue, body, { in: 'body', prefix: '' }));
    else {
      const names = namesAt(schema, issue.path);
      const message = `This field does not exist. Use ${listWords(names)}.`;
      for (const key of issue.keys) {
        const name = [...issue.path, key].join('.');
        addFault(faults, () => ({ in: 'body', name, code: 'unknown_field', message, ...suggestName(key, names) }));
      }
    }
  }
  return null;
}

/** The fields of the object at a path, which may lead through lists. */
function namesAt(schema: z.ZodType, path: readonly PropertyKey[]): string[] {
  const [step, ...others] = path;
  if (schema instanceof z.ZodArray) return namesAt(schema.element as z.ZodType, others);
  if ('unwrap' in schema) return namesAt((schema as z.ZodOptional).unwrap() as z.ZodType, path);
  if (!(schema instanceof z.ZodObject)) return [];
  return step === undefined ? Object.keys(schema.shape) : namesAt(schema.shape[String(step)] as z.ZodType, others);
}

export function choice<const Word extends string>(words: readonly Word[]) {
  return z.enum(words, {
    error: ({ input }) => (input === undefined ? 'This field is required.' : 'This is not a valid value.'),
  });
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const longText = /^[\x21-\x7e]{32,255}$/;

/** The Idempotency-Key of a request; null without one. Refuses what another caller could use by chance. */
export function readIdempotencyKey(req: Request): string | null {
  const key = req.get('Idempotency-Key')?.trim() ?? '';
  if (key === '') return null;
  if (uuid.test(key)) return key.toLowerCase();
  if (longText.test(key)) return key;
  const message = 'Use a UUID, or 32 to 255 random ASCII characters without spaces.';
  throw toProblem([{ in: 'header', name: 'Idempotency-Key', code: 'invalid', message }]);
}

export const idempotencyHeader = z.object({
  'Idempotency-Key': z
    .string()
    .optional()
    .describe(
      'A UUID, or 32 to 255 random characters. For 24 hours, the same key and body get the same answer, even while the first request is running.',
    ),
});
