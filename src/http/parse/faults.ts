import { z } from 'zod';
import { type FieldError, Problem } from '#src/problem.ts';
import { findNearestWord } from '#text/edit-distance.ts';

/** Maximum number of errors in one answer (contract A11): it stays small, however much of a request is wrong. */
const maxErrors = 20;
/** Maximum code points that an error repeats of a name or a value. */
const maxShown = 60;

/** One problem with a request. */
export interface Fault extends Omit<FieldError, 'message'> {
  /** A sentence that says what is wrong. */
  wrong: string;
  /** A sentence that says what to use. An answer contains each such sentence and each `allowed` list only once. */
  right?: string;
}

/** What a fault says besides where and what is wrong. */
export type FaultDetails = Pick<Fault, 'code' | 'right' | 'allowed' | 'did_you_mean'>;

/** What can be used instead of a mistyped word: all that is allowed, and what was most likely meant. */
export function suggest(typed: string, allowed: readonly string[], meant: Iterable<string> = allowed) {
  const nearest = findNearestWord(typed, meant);
  return { allowed, ...(nearest !== null && { did_you_mean: nearest }) };
}

/** All problems with a request: the first 20, and their number. */
export class Faults {
  readonly #listed: Fault[] = [];
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** Counts one more. Describes it only if the answer will list it. */
  add(describe: () => Fault): void {
    if (this.#count < maxErrors) this.#listed.push(describe());
    this.#count += 1;
  }

  /** The problem to answer. A problem code of its own is used only if it is the only fault. */
  toProblem(): Problem {
    const errors = toFieldErrors(this.#listed);
    const [first] = errors;
    if (this.#count === 1 && first?.code === 'page_too_deep') {
      return new Problem('page_too_deep', first.message, { errors });
    }
    const names = [...new Set(this.#listed.map(({ name }) => shorten(name) || 'the body'))].join(', ');
    const more = this.#count - errors.length;
    const detail = `Invalid in this request: ${names}. See errors for details.`;
    return more === 0
      ? new Problem('invalid_request', detail, { errors })
      : new Problem('invalid_request', `${detail} ${sayMore(more)}`, { errors, more_errors: more });
  }
}

/** The problem for a request with this one fault. */
export function invalidRequest(fault: Fault): Problem {
  const faults = new Faults();
  faults.add(() => fault);
  return faults.toProblem();
}

function toFieldErrors(faults: readonly Fault[]): FieldError[] {
  const said = new Set<string>();
  return faults.map(({ wrong, right = '', allowed, did_you_mean, in: place, name, code }) => {
    const rule = JSON.stringify([right, allowed]);
    const isNew = !said.has(rule);
    said.add(rule);
    return {
      in: place,
      name,
      code,
      message: isNew ? `${wrong} ${right}`.trim() : wrong,
      ...(isNew && allowed && { allowed }),
      ...(did_you_mean !== undefined && { did_you_mean }),
    };
  });
}

/** Joins words, such as `outlet, podcast and newsletter`. */
export const andWords = new Intl.ListFormat('en-GB');
const orWords = new Intl.ListFormat('en-GB', { type: 'disjunction' });

/** Such as `outlet, podcast or newsletter`. */
export function listWords(words: readonly string[]): string {
  return orWords.format(words);
}

function sayMore(more: number): string {
  return more === 1 ? 'One more error is not listed.' : `${more} more errors are not listed.`;
}

/** At most a line of what somebody typed. */
export function shorten(text: string): string {
  const characters = [...text];
  return characters.length > maxShown ? `${characters.slice(0, maxShown).join('')}…` : text;
}

/** The value as an error shows it. */
export function quote(value: string): string {
  return JSON.stringify(shorten(value));
}

/** Adds an issue whose message says what is wrong, with what its error says besides. */
export function rejectValue(context: z.RefinementCtx, message: string, details: FaultDetails): never {
  context.addIssue({ code: 'custom', message, params: details });
  return z.NEVER;
}
