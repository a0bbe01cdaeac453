/**
 * Every error an answer can contain: its stable code, HTTP status and meaning (contract A11). The detail of a Problem says
 * what is wrong and what to do. It never contains a stack trace, an engine's message or a secret.
 */
const known = {
  invalid_request: { status: 400, doc: '`errors` lists every problem and how to fix it.' },
  page_too_deep: { status: 400, doc: 'page × per_page is at most 10,000. GET /api/v1/export has all results.' },
  key_missing: { status: 401, doc: 'This request needs an API key in the header `Authorization: Bearer <key>`.' },
  key_invalid: { status: 401, doc: 'The key is mistyped, unknown or revoked, or its scheme is not Bearer.' },
  plan_required: { status: 403, doc: '`required_plan` names a plan that includes this.' },
  plan_expired: { status: 403, doc: 'Your plan has expired. Buy a new one at `buy_url`.' },
  origin_not_allowed: {
    status: 403,
    doc: "Only pages of the service, and at /mcp of the browser's own machine, may do this.",
  },
  not_found: { status: 404, doc: 'The path, the record or the list does not exist.' },
  order_not_found: { status: 404, doc: 'No order has this id and claim_token.' },
  method_not_allowed: { status: 405, doc: 'The header `Allow` lists the supported methods.' },
  idempotency_conflict: { status: 409, doc: 'This Idempotency-Key was used with another body. Use a new one.' },
  list_changed: { status: 412, doc: 'The list was written since the version in If-Match. Read it again.' },
  body_too_large: { status: 413, doc: 'The body exceeds the size limit of this path.' },
  unsupported_media_type: { status: 415, doc: 'The Content-Type of the body is not supported here.' },
  misdirected_request: {
    status: 421,
    doc: 'The service does not answer to this host name. With the default sandbox it answers only to localhost, names that end in .localhost, and loopback addresses.',
  },
  too_many_lists: { status: 422, doc: 'An account has at most 200 lists. Delete one.' },
  list_full: { status: 422, doc: 'A list holds at most 10,000 records. Nothing was changed.' },
  meaning_unavailable: { status: 422, doc: 'This service does not search by meaning. Leave out `match`.' },
  too_many_leads: { status: 422, doc: 'The filters match more leads than a push can send. Nothing was sent.' },
  too_many_rows: { status: 422, doc: 'The filters match more records than a file of this format can hold.' },
  tool_key_rejected: {
    status: 422,
    doc: 'The tool rejected the api_key: wrong, or without permission. Nothing was sent.',
  },
  campaign_not_found: { status: 422, doc: 'The tool has no such campaign for this api_key. Nothing was sent.' },
  rate_limited: {
    status: 429,
    doc: 'You used up your requests for this minute, or your exports or pushes at once. `Retry-After` says when to try again.',
  },
  internal: { status: 500, doc: 'The service failed. Quote the request_id when you report it.' },
  tool_failed: {
    status: 502,
    doc: 'The outbound tool failed. The counts show what was sent before. You can safely push again: no lead is added to a campaign twice.',
  },
  payment_failed: { status: 502, doc: 'The payment provider failed. Nothing was bought; you can safely try again.' },
  search_unavailable: { status: 503, doc: 'Try again in `Retry-After` seconds.' },
  store_unavailable: { status: 503, doc: 'Try again in `Retry-After` seconds.' },
} as const satisfies Record<string, { status: number; doc: string }>;

export type ProblemCode = keyof typeof known;

/** Titles that are not simply the words of the code. */
const ownTitles: Record<string, string> = {
  key_missing: 'API key missing',
  key_invalid: 'API key invalid',
  meaning_unavailable: 'Search by meaning unavailable',
  internal: 'internal error',
};

/** The errors with their titles, such as “Invalid request” for `invalid_request`. */
export const problems = Object.fromEntries(
  Object.entries(known).map(([code, about]) => [code, { ...about, title: titleOf(code) }]),
) as Record<ProblemCode, { status: number; title: string; doc: string }>;

function titleOf(code: string): string {
  const words = ownTitles[code] ?? code.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export interface FieldError {
  in: 'query' | 'body' | 'path' | 'header';
  name: string;
  /** For programs, such as `unknown_value`. */
  code: string;
  message: string;
  allowed?: readonly string[];
  did_you_mean?: string;
}

/** What a problem may contain besides its code and detail. */
interface ProblemExtras {
  errors?: readonly FieldError[];
  more_errors?: number;
  required_plan?: string;
  /** The result of a push before it failed, as its answer would have shown it. */
  push?: object;
  headers?: Readonly<Record<string, string>>;
}

/** An error meant for the caller. Any other exception becomes `internal`. */
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

/**
 * Why the service cannot start with these settings, and what to do, in one line without secrets. Not for an engine that is
 * merely down: for that, it waits.
 */
export class StartupError extends Error {
  override readonly name = 'StartupError';
}

/** What a thrown value says. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
