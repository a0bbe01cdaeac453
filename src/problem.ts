import known from './problems.json' with { type: 'json' };

/**
 * The code of an error: stable, with its HTTP status and meaning in problems.json (contract A11). The detail of a Problem says
 * what is wrong and what to do. It never contains a stack trace, an engine's message or a secret.
 */
export type ProblemCode = keyof typeof known;

/** The errors with their titles: those named there, else the words of the code, such as “Invalid request” for `invalid_request`. */
export const problems = Object.fromEntries(
  Object.entries(known).map(([code, about]) => [code, { title: titleOf(code), ...about }]),
) as Record<ProblemCode, { status: number; title: string; doc: string }>;

function titleOf(code: string): string {
  const words = code.replaceAll('_', ' ');
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
