import { isUtf8 } from 'node:buffer';
import express, { type ErrorRequestHandler, type Request, type RequestHandler } from 'express';
import { z } from 'zod';
import { type FieldError, Problem } from '#src/problem.ts';
import { isObject } from '#text/json.ts';
import { addFault, listWords, toFault, toProblem } from './faults.ts';
import { filterSchema } from './query-parameters.ts';
import { readObject, suggestName } from './read-parameters.ts';

export interface BodyRules {
  maxKilobytes: number;
  /** Whether no body counts as `{}`, and needs no Content-Type. */
  isOptional?: true;
  /** Whether the handler gets the bytes as they came, of any type. */
  isRaw?: true;
}

/** Reads a body: 413 for one that is too large, 415 for a type that is not JSON, 400 for invalid JSON. */
export function readBody({ maxKilobytes, isOptional, isRaw }: BodyRules): (RequestHandler | ErrorRequestHandler)[] {
  const parser = { limit: maxKilobytes * 1024, type: () => true, inflate: false };
  const tooLarge = () => new Problem('body_too_large', `The body is too large. The limit is ${maxKilobytes} kB.`);
  return [
    (req, _res, next) => {
      // A usual misspelling of the only charset that JSON has.
      req.headers['content-type'] = req.headers['content-type']?.replace(/\butf8\b/i, 'utf-8');
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
  const message = 'The body must be a JSON object, in valid UTF-8.';
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
  const [step, ...rest] = path;
  if (schema instanceof z.ZodArray) return namesAt(schema.element as z.ZodType, rest);
  if ('unwrap' in schema) return namesAt((schema as z.ZodOptional).unwrap() as z.ZodType, path);
  if (!(schema instanceof z.ZodObject)) return [];
  return step === undefined ? Object.keys(schema.shape) : namesAt(schema.shape[String(step)] as z.ZodType, rest);
}

export function choice<const Word extends string>(words: readonly Word[]) {
  return z.enum(words, {
    error: ({ input }) => (input === undefined ? 'This field is required.' : 'This is not a valid value.'),
  });
}

/** A text of at most so many characters, without the space around it. */
export function textOf(most: number, message: string) {
  return z
    .string(message)
    .trim()
    .refine((text) => [...text].length <= most, message);
}

const maxName = 80;
const nameMessage = `The name must be 1 to ${maxName} characters long.`;

/** The name of something that belongs to an account. */
export function nameOf(description: string) {
  return textOf(maxName, nameMessage)
    .refine((name) => name !== '', nameMessage)
    .describe(description);
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

/** The field `filters` of a body: the parameters that select records. */
export const filtersField = z
  .record(z.string(), z.unknown(), 'The filters must be an object, such as {"country":"US"}.')
  .describe('The filters of /export by name. Each value is a string, a number, true or false, or an array of them.');

/** Reads the field. Adds every problem in it to the faults, and then returns null; the schema reports what is no object. */
export function readFilters(body: unknown, faults: FieldError[]) {
  const { filters } = Object(body);
  return readObject(isObject(filters) ? filters : {}, filterSchema, faults, 'filters.');
}
