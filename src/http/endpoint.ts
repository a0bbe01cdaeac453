import type { Request, RequestHandler, Response } from 'express';
import { z } from 'zod';
import { type Right, requireRight } from '#accounts/plans.ts';
import type { Caller, StoredKey } from '#accounts/stored-key.ts';
import { Problem, type ProblemCode } from '#src/problem.ts';
import type { AppDeps } from './app-deps.ts';
import { type BodyRules, readBody } from './parse/read-body.ts';
import { refuseParameters } from './parse/read-parameters.ts';

interface RequestState {
  requestId: string;
  /** The caller, or why it is refused: allowance used up, invalid key, key store down. Absent outside /api/v1. */
  admission?: { caller: Caller } | { refusal: Problem };
  /** The HMAC of the secret that the caller sent. Absent without a valid key. */
  secret?: string;
  speaksJsonRpc?: true;
}

export function stateOf(res: Response): RequestState {
  return res.locals as RequestState;
}

/** Throws why the caller is refused: 429, 401 or 503. */
export function requireAdmission(res: Response): void {
  const { admission } = stateOf(res);
  if (admission && 'refusal' in admission) throw admission.refusal;
}

export function callerOf(res: Response): Caller {
  const { admission } = stateOf(res);
  if (admission === undefined || 'refusal' in admission) throw new Error('The caller was not admitted.');
  return admission.caller;
}

/** The caller's key. Throws Problem `key_missing` if there is none. */
export function keyOf(res: Response): StoredKey {
  const { key } = callerOf(res);
  if (key !== null) return key;
  throw new Problem('key_missing', 'This request needs a key. Send it in the header `Authorization: Bearer <key>`.');
}

/** The HMAC of the secret that the caller sent: the key's current one, or the one before it. */
export function secretOf(res: Response): string {
  const { secret } = stateOf(res);
  if (secret === undefined) throw new Error('The route does not require a key.');
  return secret;
}

/** All of an operation of the API: what it takes, what it answers, and what the reference says about it. */
export interface Endpoint extends Steps {
  operationId: string;
  tag: 'Media' | 'Lists' | 'Plans' | 'Operations';
  summary: string;
  description: string;
  path?: z.ZodObject;
  headers?: z.ZodObject;
  body?: BodyRules & { schema: z.ZodType; example: object };
  answer: Answer;
  /** Answers of other statuses that are not errors of A11. */
  others?: Readonly<Record<number, Answer>>;
  /** Errors that `listErrors` cannot derive from the other properties. */
  errors?: readonly ProblemCode[];
}

export interface Answer {
  description?: string;
  /** The schema of a JSON body, or the schemas by media type. Absent for an answer without a body. */
  schema?: z.ZodType | Readonly<Record<string, { schema: z.ZodType }>>;
  example?: object;
  headers?: Readonly<Record<string, z.ZodType>>;
}

/** The part of an endpoint that decides which steps a request passes. */
export interface Steps {
  /** `own pages`: only pages of the service may ask. */
  access: 'open' | 'key or none' | 'key' | 'own pages';
  /** The right that the plan must include. It is checked before the body is read. */
  right?: Right;
  /** The parameters, which the handler reads. If absent, every parameter is refused. `ignored`: parameters are not checked. */
  query?: z.ZodObject | 'ignored';
  body?: BodyRules;
  handle(req: Request<{ id: string }>, res: Response): void | Promise<void>;
}

/** The steps of a request to an endpoint after the guards, and what each refuses (contract A2). */
export function stepsOf(endpoint: Steps, deps: AppDeps): RequestHandler[] {
  return [
    admit(endpoint, deps), // 429, 401, 403
    ...(endpoint.body ? readBody(endpoint.body) : []), // 413, 415, 400
    ...(endpoint.query === undefined ? [refuseParameters] : []), // 400
    endpoint.handle as RequestHandler<never>,
  ] as RequestHandler[];
}

/** Admits callers who are within their limit and have what `access` and `right` ask for. An expired key is a valid key. */
function admit({ access, right }: Steps, { plans, publicUrl, now }: AppDeps): RequestHandler {
  return (req, res, next) => {
    requireAdmission(res);
    if (access === 'key') {
      const { plan } = keyOf(res);
      if (right !== undefined) requireRight(plans, plan, right, now());
    }
    // Otherwise another site could sign a browser in or out, by a form or a fetch.
    if (access === 'own pages' && !isOwnPage(req, publicUrl)) {
      throw new Problem(
        'origin_not_allowed',
        'Only the pages of this service can sign a browser in or out. Programs send the key in the header Authorization.',
      );
    }
    next();
  };
}

/**
 * Whether a page of the service sent the request. Browsers say so in Sec-Fetch-Site, older ones in Origin. Requests of other
 * sites, of subdomains and of programs are not our own, whatever their method.
 */
export function isOwnPage(req: Request<object>, publicUrl: string): boolean {
  const site = req.get('Sec-Fetch-Site');
  const origin = req.get('Origin');
  // A service may have several names. The cookie belongs to the one that was asked.
  const isOwn =
    origin === undefined || origin === new URL(publicUrl).origin || URL.parse(origin)?.host === req.get('Host');
  return isOwn && (site === undefined ? origin !== undefined : site === 'same-origin');
}

export const moment = z.string().meta({ format: 'date-time' });
export const count = z.int().min(0);
export const masked = z.boolean().describe('Whether addresses are masked, for lack of an active plan.');

/** The numbers of a page of records, beside its results. */
export const pageNumbers = {
  total: count.describe('The exact number of records.'),
  page: z.int().min(1),
  per_page: z.int().min(1).max(100),
  total_pages: count.describe('Includes pages too deep to reach.'),
  masked,
};

/** How the records of a page match. These keys are absent if they have nothing to say. */
export const howMatched = {
  corrected: z
    .literal(true)
    .optional()
    .describe('Present if some of the records match `q` only after its spelling was corrected or a word was left out.'),
  match: z
    .literal('meaning')
    .optional()
    .describe('Present if these are the records nearest in meaning to `q`: with `match=meaning`.'),
};

/** The headers of answers that `sendRevalidatable` sends, of pages, and of merged ids. */
export const caching = {
  ETag: header('ETag', 'Send it as If-None-Match. If nothing has changed, the answer is 304 without a body.'),
  'Cache-Control': header(
    'CacheControl',
    'private, no-cache: only the caller may store the answer, and must revalidate it each time.',
  ),
};
export const paging = {
  Link: header('Link', 'Links to the first, previous, next and last reachable page (RFC 8288).'),
};

export const notModified = { 304: { description: 'Not modified since the ETag in If-None-Match.' } };
export const movedToKept = {
  308: {
    description: 'The record is a duplicate that was merged into another one: `Location` is the path of that one.',
    headers: { Location: header('Location', 'Where the answer is, relative to the path of the request.') },
  },
};

/** A header. The OpenAPI document describes it once, among its components. */
export function header(id: string, description: string, schema: z.ZodType = z.string()): z.ZodType {
  return schema.meta({ header: { id, description } });
}
