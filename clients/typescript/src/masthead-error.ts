import type { FieldError, ProblemBody, ProblemCode } from './types.ts';

/** What goes wrong on this side of the connection. */
export type ClientCode =
  /** No answer came: no connection, or one that broke. */
  | 'connection_failed'
  /** An answer came that is not the API's, such as a proxy's page. */
  | 'unexpected_answer'
  /** An export ended before its last row. */
  | 'incomplete_export';

interface Details {
  status?: number;
  problem?: ProblemBody;
  requestId?: string | null;
  retryAfter?: number | null;
  cause?: unknown;
}

/** Every failure of a call. Programs check `code`; it never holds the API key. */
export class MastheadError extends Error {
  override readonly name = 'MastheadError';
  /** Stable: a code of the service (/docs/errors), or of this client. */
  readonly code: ProblemCode | ClientCode;
  /** The HTTP status; null if there was no answer. */
  readonly status: number | null;
  /** With `invalid_request` and `page_too_deep`: what is wrong with each parameter or body field. */
  readonly errors: readonly FieldError[];
  /** The request in the service's log: quote it when you report an error. */
  readonly requestId: string | null;
  /** Seconds until the service wants to be asked again; null if it does not say. */
  readonly retryAfter: number | null;
  /** The whole answer, with what only some errors have, such as `required_plan` and `buy_url`. */
  readonly problem: ProblemBody | null;

  constructor(code: ProblemCode | ClientCode, message: string, details: Details = {}) {
    super(message, details.cause === undefined ? {} : { cause: details.cause });
    this.code = code;
    this.status = details.status ?? null;
    this.problem = details.problem ?? null;
    this.errors = details.problem?.errors ?? [];
    this.requestId = details.requestId ?? details.problem?.request_id ?? null;
    this.retryAfter = details.retryAfter ?? null;
  }
}

/** The error that an answer stands for. */
export async function readError(response: Response): Promise<MastheadError> {
  const { status, headers } = response;
  const details = { status, requestId: headers.get('X-Request-Id'), retryAfter: readRetryAfter(headers) };
  const problem = await readProblem(response);
  if (problem === null) {
    return new MastheadError(
      'unexpected_answer',
      `The answer has status ${status} and is not of the Masthead API. Check baseUrl, and what is between you and the service.`,
      details,
    );
  }
  return new MastheadError(problem.code, describe(problem), { ...details, problem });
}

/** Seconds from Retry-After, which is a number of them or a date; null without one. */
export function readRetryAfter(headers: Headers): number | null {
  const text = headers.get('Retry-After');
  if (text === null) return null;
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1_000;
  return Number.isNaN(seconds) ? null : Math.max(seconds, 0);
}

async function readProblem(response: Response): Promise<ProblemBody | null> {
  if (!response.headers.get('Content-Type')?.startsWith('application/problem+json')) return null;
  try {
    return (await response.json()) as ProblemBody;
  } catch {
    return null;
  }
}

/** The detail of a problem, then each parameter's fault. Of a single one, the detail is all. */
function describe({ detail, errors = [] }: ProblemBody): string {
  return errors.length === 1
    ? detail
    : [detail, ...errors.map(({ name, message }) => `${name}: ${message}`)].join('\n');
}
