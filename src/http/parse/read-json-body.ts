import { isUtf8 } from 'node:buffer';
import express, { type ErrorRequestHandler, type RequestHandler } from 'express';
import type { z } from 'zod';
import { type FieldError, Problem } from '#domain/problem.ts';
import { findNearestWord } from '#domain/search/nearest-word.ts';

const kilobyte = 1024;

/** Reads a JSON body of at most so many kilobytes: 413 for a larger one, 415 for another type, 400 for broken JSON. */
export function readJsonBody(mostKilobytes: number): (RequestHandler | ErrorRequestHandler)[] {
  const limit = mostKilobytes * kilobyte;
  return [
    refuseLargerThan(mostKilobytes),
    requireJson,
    express.json({ limit, type: () => true, inflate: false, verify: requireUtf8 }),
    explainBody(mostKilobytes),
  ];
}

/** Before a byte of it is read: the body parser would first take in the whole. */
function refuseLargerThan(mostKilobytes: number): RequestHandler {
  return (req, _res, next) => {
    if (Number(req.get('Content-Length')) > mostKilobytes * kilobyte) throw bodyTooLarge(mostKilobytes);
    next();
  };
}

const requireJson: RequestHandler = (req, _res, next) => {
  if (!req.is('application/json')) {
    throw new Problem(
      'unsupported_media_type',
      'The body must be JSON, with the header Content-Type: application/json.',
    );
  }
  next();
};

/** The body parser knows more charsets, and reads broken letters as others. */
function requireUtf8(_req: unknown, _res: unknown, bytes: Buffer, charset: string): void {
  if (!/^utf-?8$/i.test(charset)) throw Object.assign(new Error(), { type: 'charset.unsupported' });
  if (!isUtf8(bytes)) throw Object.assign(new Error(), { type: 'entity.verify.failed' });
}

/** Reads a body of any type as the bytes it is, into `req.body`. */
export function readRawBody(mostKilobytes: number): (RequestHandler | ErrorRequestHandler)[] {
  const limit = mostKilobytes * kilobyte;
  return [
    refuseLargerThan(mostKilobytes),
    express.raw({ limit, type: () => true, inflate: false }),
    explainBody(mostKilobytes),
  ];
}

/** Turns what the body parser throws into problems. */
function explainBody(mostKilobytes: number): ErrorRequestHandler {
  return (error: unknown, _req, _res, next) => {
    next(toBodyProblem(error, mostKilobytes) ?? error);
  };
}

function toBodyProblem(error: unknown, mostKilobytes: number): Problem | null {
  const type = error instanceof Error && 'type' in error ? error.type : null;
  switch (type) {
    case 'entity.too.large':
      return bodyTooLarge(mostKilobytes);
    case 'encoding.unsupported':
    case 'charset.unsupported':
      return new Problem('unsupported_media_type', 'The body must be plain UTF-8, in no other charset or compression.');
    case 'entity.parse.failed':
    case 'entity.verify.failed':
    case 'request.size.invalid':
    case 'request.aborted':
      return invalidBody([
        {
          in: 'body',
          name: '',
          code: 'not_json',
          message: 'The body is no JSON in UTF-8: it must be one object, such as {"tier":"pro"}.',
        },
      ]);
    default:
      return null;
  }
}

function bodyTooLarge(mostKilobytes: number): Problem {
  return new Problem('body_too_large', `The body is too large; at most ${mostKilobytes} kB are taken.`);
}

/**
 * The body as the schema reads it. Throws a Problem that names every wrong field at once, with the nearest right word.
 * The message of an issue is the schema's; values are not repeated.
 */
export function readFields<Output>(body: unknown, schema: z.ZodObject & z.ZodType<Output>): Output {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  throw invalidBody(result.error.issues.flatMap((issue) => toFieldErrors(issue, body, Object.keys(schema.shape))));
}

function toFieldErrors(issue: z.core.$ZodIssue, body: unknown, names: readonly string[]): FieldError[] {
  const name = issue.path.join('.');
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => unknownField(key, names));
    case 'invalid_value': {
      const allowed = issue.values.map(String);
      const nearest = findNearestWord(String(valueAt(body, issue.path)), allowed);
      const message = `Right is one of ${allowed.join(', ')}.`;
      return [
        {
          in: 'body',
          name,
          code: valueAt(body, issue.path) === undefined ? 'missing' : 'unknown_value',
          message,
          allowed,
          ...(nearest !== null && { did_you_mean: nearest }),
        },
      ];
    }
    default:
      return [{ in: 'body', name, code: 'invalid', message: issue.message }];
  }
}

function unknownField(name: string, names: readonly string[]): FieldError {
  const nearest = findNearestWord(name, names);
  return {
    in: 'body',
    name,
    code: 'unknown_field',
    message: `There is no such field here; there are ${names.join(', ')}.`,
    allowed: names,
    ...(nearest !== null && { did_you_mean: nearest }),
  };
}

function valueAt(body: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((value, key) => (value as Record<PropertyKey, unknown> | null | undefined)?.[key], body);
}

/** The problem of a body with these faults. */
export function invalidBody(errors: readonly FieldError[]): Problem {
  const names = [...new Set(errors.map(({ name }) => name || 'the body'))].join(', ');
  return new Problem('invalid_request', `Wrong in this request: ${names}. See errors for what is right.`, { errors });
}
