import { isUtf8 } from 'node:buffer';
import express, { type ErrorRequestHandler, type Request, type RequestHandler } from 'express';
import { z } from 'zod';
import { Problem } from '#src/problem.ts';
import { type Fault, type FaultDetails, Faults, invalidRequest, listWords, suggest } from './faults.ts';

const kilobyte = 1024;

/**
 * Reads a JSON body of at most this many kilobytes: 413 for a larger one, 415 for another type, 400 for invalid JSON.
 *
 * @param isOptional whether no body counts as `{}`, and needs no Content-Type
 */
export function readJsonBody(
  maxKilobytes: number,
  { isOptional = false }: { isOptional?: boolean } = {},
): (RequestHandler | ErrorRequestHandler)[] {
  const limit = maxKilobytes * kilobyte;
  return [
    refuseLargerThan(maxKilobytes),
    isOptional ? requireJsonOrNone : requireJson,
    express.json({ limit, type: () => true, inflate: false, verify: requireUtf8 }),
    explainBody(maxKilobytes),
  ];
}

/** Checked before reading: the body parser would first buffer everything. */
function refuseLargerThan(maxKilobytes: number): RequestHandler {
  return (req, _res, next) => {
    if (Number(req.get('Content-Length')) > maxKilobytes * kilobyte) throw bodyTooLarge(maxKilobytes);
    next();
  };
}

/** Clients say that a POST has no body by a length of zero, or not at all. */
function hasBody(req: Request): boolean {
  return req.get('Transfer-Encoding') !== undefined || Number(req.get('Content-Length') ?? 0) > 0;
}

const requireJson: RequestHandler = (req, _res, next) => {
  if (!req.is('application/json')) {
    throw new Problem(
      'unsupported_media_type',
      'The body must be JSON, sent with the header Content-Type: application/json.',
    );
  }
  next();
};

const requireJsonOrNone: RequestHandler = (req, res, next) => {
  if (hasBody(req)) return requireJson(req, res, next);
  req.body = {};
  next();
};

/** The body parser accepts more charsets, and replaces invalid bytes. */
function requireUtf8(_req: unknown, _res: unknown, bytes: Buffer, charset: string): void {
  if (!/^utf-?8$/i.test(charset)) throw Object.assign(new Error(), { type: 'charset.unsupported' });
  if (!isUtf8(bytes)) throw Object.assign(new Error(), { type: 'entity.verify.failed' });
}

/** Reads a body of any type as raw bytes into `req.body`. */
export function readRawBody(maxKilobytes: number): (RequestHandler | ErrorRequestHandler)[] {
  const limit = maxKilobytes * kilobyte;
  return [
    refuseLargerThan(maxKilobytes),
    express.raw({ limit, type: () => true, inflate: false }),
    explainBody(maxKilobytes),
  ];
}

/** Turns the body parser's exceptions into problems. */
function explainBody(maxKilobytes: number): ErrorRequestHandler {
  return (error: unknown, _req, _res, next) => {
    next(toBodyProblem(error, maxKilobytes) ?? error);
  };
}

function toBodyProblem(error: unknown, maxKilobytes: number): Problem | null {
  const type = error instanceof Error && 'type' in error ? error.type : null;
  switch (type) {
    case 'entity.too.large':
      return bodyTooLarge(maxKilobytes);
    case 'encoding.unsupported':
    case 'charset.unsupported':
      return new Problem('unsupported_media_type', 'The body must be uncompressed UTF-8.');
    case 'entity.parse.failed':
    case 'entity.verify.failed':
    case 'request.size.invalid':
    case 'request.aborted':
      return invalidRequest({
        in: 'body',
        name: '',
        code: 'not_json',
        wrong: 'The body is not valid UTF-8 JSON.',
        right: 'Send a JSON object in UTF-8.',
      });
    default:
      return null;
  }
}

function bodyTooLarge(maxKilobytes: number): Problem {
  return new Problem('body_too_large', `The body is too large. The limit is ${maxKilobytes} kB.`);
}

/**
 * The body as the schema reads it. Throws a Problem that names every invalid field, with suggestions. The messages are
 * the schema's; values are not repeated.
 */
export function readFields<Output>(body: unknown, schema: z.ZodObject & z.ZodType<Output>): Output {
  const faults = new Faults();
  const fields = collectFields(body, schema, faults);
  if (fields === null) throw faults.toProblem();
  return fields;
}

/** The body as the schema reads it; null if something is wrong, which is added to the faults. */
export function collectFields<Output>(
  body: unknown,
  schema: z.ZodObject & z.ZodType<Output>,
  faults: Faults,
): Output | null {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  const names = Object.keys(schema.shape);
  for (const issue of result.error.issues) {
    if (issue.code === 'unrecognized_keys') for (const key of issue.keys) faults.add(() => unknownField(key, names));
    else faults.add(() => toFault(issue, body));
  }
  return null;
}

function toFault(issue: z.core.$ZodIssue, body: unknown): Fault {
  const name = issue.path.join('.');
  const details = issue.code === 'custom' ? (issue.params as FaultDetails | undefined) : undefined;
  if (details !== undefined) return { in: 'body', name, wrong: issue.message, ...details };
  if (issue.code !== 'invalid_value') return { in: 'body', name, code: 'invalid', wrong: issue.message };
  const allowed = issue.values.map(String);
  const given = valueAt(body, issue.path);
  return {
    in: 'body',
    name,
    ...(given === undefined
      ? { code: 'missing', wrong: 'This field is required.' }
      : { code: 'unknown_value', wrong: 'This is not a valid value.' }),
    right: `Use ${listWords(allowed)}.`,
    ...(typeof given === 'string' ? suggest(given, allowed) : { allowed }),
  };
}

function unknownField(name: string, names: readonly string[]): Fault {
  return {
    in: 'body',
    name,
    code: 'unknown_field',
    wrong: 'This field does not exist.',
    right: `Use ${listWords(names)}.`,
    ...suggest(name, names),
  };
}

function valueAt(body: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((value, key) => (value as Record<PropertyKey, unknown> | null | undefined)?.[key], body);
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const longText = /^[\x21-\x7e]{32,255}$/;

/**
 * The Idempotency-Key of a request; null without one. Throws Problem `invalid_request` for one that another caller
 * could use by chance.
 */
export function readIdempotencyKey(req: Request): string | null {
  const key = req.get('Idempotency-Key')?.trim() ?? '';
  if (key === '') return null;
  if (uuid.test(key)) return key.toLowerCase();
  if (longText.test(key)) return key;
  throw invalidRequest({
    in: 'header',
    name: 'Idempotency-Key',
    code: 'invalid',
    wrong: 'Use a UUID, or 32 to 255 random ASCII characters without spaces.',
  });
}

export const idempotencyHeader = z.object({
  'Idempotency-Key': z
    .string()
    .optional()
    .describe(
      'A UUID, or 32 to 255 random characters. For 24 hours, the same key and body get the same answer, even while the first request is running.',
    ),
});
