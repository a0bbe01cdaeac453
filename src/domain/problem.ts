/**
 * Every error an answer can carry: its stable code, HTTP status, title (contract A11) and what it means.
 * The detail says what is wrong and what to do; it never holds a stack, an engine's message or a secret.
 */
export const problems = {
  invalid_request: {
    status: 400,
    title: 'Invalid request',
    doc: 'Something in the request is wrong; `errors` names every part and what is right.',
  },
  page_too_deep: {
    status: 400,
    title: 'Page too deep',
    doc: 'page × per_page reaches 10,000 at most; GET /api/v1/export gives the whole set.',
  },
  key_missing: {
    status: 401,
    title: 'API key missing',
    doc: 'This needs an API key, in the header Authorization: Bearer <key>.',
  },
  key_invalid: {
    status: 401,
    title: 'API key invalid',
    doc: 'The key is mistyped, unknown or revoked, or the Authorization header has another scheme than Bearer.',
  },
  plan_required: {
    status: 403,
    title: 'Plan required',
    doc: 'The plan of this key does not include this; `required_plan` names one that does.',
  },
  plan_expired: {
    status: 403,
    title: 'Plan expired',
    doc: 'The plan of this key has run out; a new one can be bought.',
  },
  not_found: {
    status: 404,
    title: 'Not found',
    doc: 'There is nothing at this path, or no record with this id.',
  },
  order_not_found: {
    status: 404,
    title: 'Order not found',
    doc: 'There is no such order, or its claim_token is another one.',
  },
  method_not_allowed: {
    status: 405,
    title: 'Method not allowed',
    doc: 'The path is right, the method is not; the header Allow lists those that are.',
  },
  idempotency_conflict: {
    status: 409,
    title: 'Idempotency conflict',
    doc: 'This Idempotency-Key came before with another body; take a new one for a new request.',
  },
  body_too_large: {
    status: 413,
    title: 'Body too large',
    doc: 'The body is larger than this path takes.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'Unsupported media type',
    doc: 'The body is not of the Content-Type that this path takes.',
  },
  misdirected_request: {
    status: 421,
    title: 'Misdirected request',
    doc: 'The service is not served under the host name of this request. A sandbox that was set up by nobody answers only under localhost, names that end in .localhost, and loopback addresses.',
  },
  too_many_leads: {
    status: 422,
    title: 'Too many leads',
    doc: 'More leads are under these filters than one push takes. Nothing was sent.',
  },
  tool_key_rejected: {
    status: 422,
    title: 'Tool key rejected',
    doc: 'The outbound tool refuses the api_key: it is wrong, or may not add leads. Nothing was sent.',
  },
  campaign_not_found: {
    status: 422,
    title: 'Campaign not found',
    doc: 'The outbound tool knows no such campaign under this api_key. Nothing was sent.',
  },
  rate_limited: {
    status: 429,
    title: 'Rate limited',
    doc: 'The allowance for this minute is used up, or as many exports or pushes run as may at once; the header Retry-After says, in seconds, when to try again.',
  },
  internal: {
    status: 500,
    title: 'Internal error',
    doc: 'A fault of the service. It is logged under the request_id, which helps whoever looks into it.',
  },
  tool_failed: {
    status: 502,
    title: 'Tool failed',
    doc: 'The outbound tool failed; the counts say what had been sent by then. No lead is added to a campaign twice, so pushing again is safe.',
  },
  payment_failed: {
    status: 502,
    title: 'Payment failed',
    doc: 'The payment provider did not do its part; nothing was bought. Trying again is safe.',
  },
  search_unavailable: {
    status: 503,
    title: 'Search unavailable',
    doc: 'The search index does not answer; the header Retry-After says, in seconds, when to try again.',
  },
  store_unavailable: {
    status: 503,
    title: 'Store unavailable',
    doc: 'The store does not answer; the header Retry-After says, in seconds, when to try again.',
  },
} as const satisfies Record<string, { status: number; title: string; doc: string }>;

export type ProblemCode = keyof typeof problems;

/** One thing wrong with a request: where, what, and what would be right. */
export interface FieldError {
  in: 'query' | 'body' | 'path' | 'header';
  name: string;
  code: string;
  message: string;
  allowed?: readonly string[];
  did_you_mean?: string;
}

/** What a problem may carry beyond its code and detail. */
export interface ProblemExtras {
  errors?: readonly FieldError[];
  /** How many more there are than `errors` lists. */
  more_errors?: number;
  required_plan?: 'pro' | 'premium';
  /** What a push came to before it failed, as its answer would have said it. */
  push?: object;
  /** Answer headers, such as Allow or Retry-After. */
  headers?: Readonly<Record<string, string>>;
}

/** An error that is meant for the caller. Everything else that is thrown becomes `internal`. */
export class Problem extends Error {
  readonly code: ProblemCode;
  readonly extras: ProblemExtras;

  constructor(code: ProblemCode, detail: string, extras: ProblemExtras = {}, options?: ErrorOptions) {
    super(detail, options);
    this.name = 'Problem';
    this.code = code;
    this.extras = extras;
  }
}
