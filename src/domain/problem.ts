/**
 * Every error an answer can carry: its stable code, HTTP status and title (contract A11).
 * The detail says what is wrong and what to do; it never holds a stack, an engine's message or a secret.
 */
export const problems = {
  invalid_request: { status: 400, title: 'Invalid request' },
  page_too_deep: { status: 400, title: 'Page too deep' },
  key_missing: { status: 401, title: 'API key missing' },
  key_invalid: { status: 401, title: 'API key invalid' },
  plan_required: { status: 403, title: 'Plan required' },
  plan_expired: { status: 403, title: 'Plan expired' },
  not_found: { status: 404, title: 'Not found' },
  order_not_found: { status: 404, title: 'Order not found' },
  method_not_allowed: { status: 405, title: 'Method not allowed' },
  idempotency_conflict: { status: 409, title: 'Idempotency conflict' },
  body_too_large: { status: 413, title: 'Body too large' },
  unsupported_media_type: { status: 415, title: 'Unsupported media type' },
  rate_limited: { status: 429, title: 'Rate limited' },
  internal: { status: 500, title: 'Internal error' },
  payment_failed: { status: 502, title: 'Payment failed' },
  search_unavailable: { status: 503, title: 'Search unavailable' },
  store_unavailable: { status: 503, title: 'Store unavailable' },
} as const satisfies Record<string, { status: number; title: string }>;

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
  required_plan?: 'pro' | 'premium';
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
