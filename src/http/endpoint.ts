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
  /** The HMAC of the key that was sent, if it is the caller's. */
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

/** The HMAC of the key that the caller sent: of its current secret or of the one before. */
export function secretOf(res: Response): string {
  const { secret } = stateOf(res);
  if (secret === undefined) throw new Error('The route does not require a key.');
  return secret;
}

/** An operation of the API, all of it: what it takes, what it answers, and what the reference says. */
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
  /** Its errors besides those that `listErrors` derives from the above. */
  errors?: readonly ProblemCode[];
}

export interface Answer {
  description?: string;
  /** As JSON; or by media type. Absent for an answer without a body. */
  schema?: z.ZodType | Readonly<Record<string, { schema: z.ZodType }>>;
  example?: object;
  headers?: Readonly<Record<string, z.ZodType>>;
}

/** What of an endpoint decides which steps a request passes. */
export interface Steps {
  /** Whether a key changes the answer or is needed for one; or only pages of the service may ask. */
  access: 'open' | 'key or none' | 'key' | 'own pages';
  /** What the plan must include, checked before the body is read. */
  right?: Right;
  /** Its parameters, which its handler reads. Without them, any parameter is refused; `ignored`: none is looked at. */
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

/** Admits callers within their allowance, with a valid key where one is needed, even expired, and the right to this. */
function admit({ access, right }: Steps, { plans, publicUrl, now }: AppDeps): RequestHandler {
  return (req, res, next) => {
    requireAdmission(res);
    if (access === 'key') {
      const { plan } = keyOf(res);
      if (right !== undefined) requireRight(plans, plan, right, now());
    }
    // A form, a fetch or a subdomain of another site starts and ends nothing.
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
 * Whether a page of the service sent the request: the browser says so in Sec-Fetch-Site, or in Origin where it is too old
 * for that. Both count on every method, and what another site, a subdomain or no page at all sent is not ours.
 */
export function isOwnPage(req: Request<object>, publicUrl: string): boolean {
  const site = req.get('Sec-Fetch-Site');
  const origin = req.get('Origin');
  // Where the service has several names, the cookie is of the one that was asked.
  const isOwn =
    origin === undefined || origin === new URL(publicUrl).origin || URL.parse(origin)?.host === req.get('Host');
  return isOwn && (site === undefined ? origin !== undefined : site === 'same-origin');
}

export const moment = z.string().meta({ format: 'date-time' });
export const count = z.int().min(0);
export const masked = z.boolean().describe('Whether addresses are masked, for lack of an active plan.');

/** What says a page of records; where its results are, the endpoint says. */
export const pageNumbers = {
  total: count.describe('The exact number of records.'),
  page: z.int().min(1),
  per_page: z.int().min(1).max(100),
  total_pages: count.describe('Includes pages too deep to reach.'),
  masked,
};

/** Absent unless they have something to say, like every key that is not always there. */
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

/** A header, which the document describes once, among its components. */
export function header(id: string, description: string, schema: z.ZodType = z.string()): z.ZodType {
  return schema.meta({ header: { id, description } });
}
