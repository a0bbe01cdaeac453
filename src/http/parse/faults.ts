import { z } from 'zod';
import { type FieldError, Problem } from '#src/problem.ts';
import { findNearestWord } from '#text/edit-distance.ts';

/** Maximum number of errors in one answer (contract A11): it stays small, however much of a request is wrong. */
const maxErrors = 20;
const maxShown = 60;

export type FaultDetails = Pick<FieldError, 'code' | 'allowed' | 'did_you_mean'>;

/** Adds an error. Errors beyond the maximum are only counted, because describing them takes time. */
export function addFault(faults: FieldError[], describe: () => FieldError): void {
  faults.push(faults.length < maxErrors ? describe() : { in: 'body', name: '', code: 'invalid', message: '' });
}

/** The problem to answer. If the only fault has a problem code of its own, the problem has that code. */
export function toProblem(faults: readonly FieldError[]): Problem {
  const errors = faults.slice(0, maxErrors);
  const [first] = errors;
  if (faults.length === 1 && first !== undefined) {
    const code = first.code === 'page_too_deep' ? 'page_too_deep' : 'invalid_request';
    return new Problem(code, describeFault(first), { errors });
  }
  const names = [...new Set(errors.map(nameOf))].join(', ');
  const detail = `Invalid in this request: ${names}. See errors for details.`;
  const more = faults.length - errors.length;
  if (more === 0) return new Problem('invalid_request', detail, { errors });
  const rest = more === 1 ? 'One more error is not listed.' : `${more} more errors are not listed.`;
  return new Problem('invalid_request', `${detail} ${rest}`, { errors, more_errors: more });
}

/** A fault in one text: many programs show people nothing but the detail, and a terminal nothing else. */
export function describeFault(fault: FieldError): string {
  const suggestion = fault.did_you_mean === undefined ? '' : ` Did you mean ${fault.did_you_mean}?`;
  const name = nameOf(fault);
  const isNamed = fault.message.toLowerCase().startsWith(name.toLowerCase());
  return `${isNamed ? '' : `${name}: `}${fault.message}${suggestion}`;
}

function nameOf({ in: place, name }: FieldError): string {
  return shorten(name) || (place === 'query' ? 'a parameter without a name' : 'the body');
}

/** Where an input is, and the prefix of its name in errors. */
export interface Place {
  in: 'query' | 'body';
  prefix: string;
}

export function toFault(issue: z.core.$ZodIssue, input: unknown, place: Place): FieldError {
  const name = place.prefix + issue.path.join('.');
  const { code, message = issue.message, ...more } = detailsOf(issue, input, place);
  return { in: place.in, name, code, message, ...more };
}

function detailsOf(issue: z.core.$ZodIssue, input: unknown, place: Place): FaultDetails & { message?: string } {
  if (issue.code === 'custom' && issue.params !== undefined) return issue.params as FaultDetails;
  const sentValue = issue.path.reduce<unknown>((value, key) => Object(value)[key], input);
  if (issue.code === 'invalid_value') {
    const words = issue.values.map(String);
    return {
      code: sentValue === undefined ? 'missing' : 'unknown_value',
      message: `${issue.message} Use ${listWords(words)}.`,
      ...(typeof sentValue === 'string' ? suggest(sentValue, words) : { allowed: words }),
    };
  }
  if (issue.code === 'too_big' && issue.origin === 'array') return { code: 'too_many_values' };
  if (place.in === 'body' && issue.code === 'invalid_type' && sentValue === undefined) return { code: 'missing' };
  const isNumber =
    issue.code === 'too_small' ||
    issue.code === 'too_big' ||
    (issue.code === 'invalid_type' && issue.expected !== 'string');
  return { code: place.in === 'query' && isNumber ? 'out_of_range' : 'invalid' };
}

/** The allowed words for a mistyped one, and the one that was most likely meant. */
export function suggest(typed: string, allowed: readonly string[], candidates: Iterable<string> = allowed) {
  const nearest = findNearestWord(typed, candidates);
  return { allowed, ...(nearest !== null && { did_you_mean: nearest }) };
}

/** Joins words, such as `outlet, podcast and newsletter`. */
export const andWords = new Intl.ListFormat('en-GB');
const orWords = new Intl.ListFormat('en-GB', { type: 'disjunction' });

export function listWords(words: readonly string[]): string {
  return orWords.format(words);
}

export function shorten(text: string): string {
  const characters = [...text];
  return characters.length > maxShown ? `${characters.slice(0, maxShown).join('')}…` : text;
}

export function quote(value: string): string {
  return JSON.stringify(shorten(value));
}

/** Adds an issue with a message and further details of its error. */
export function rejectValue(context: z.RefinementCtx, message: string, details: FaultDetails): never {
  context.addIssue({ code: 'custom', message, params: details });
  return z.NEVER;
}
