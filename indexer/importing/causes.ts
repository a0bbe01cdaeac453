import { holdsAddress } from '#records/addresses/scrub-addresses.ts';
import { quoteHeading } from './row.ts';

/** Why rows were rejected, or values changed or skipped: all rows with one cause. */
export interface Cause {
  field: string | null;
  code: string;
  message: string;
  count: number;
  first_line: number;
  /** The commonest values that were skipped, each as it stood. */
  values: { value: string; count: number }[];
}

type Counted = Omit<Cause, 'values'> & { values: Map<string, number> };

/** Fields whose values are about people. */
const privateFields: ReadonlySet<string | null> = new Set(['email', 'phone', 'contact_name']);
/** Codes of values that were not understood; others were read in part, or are unfit for a list. */
const skipped: ReadonlySet<string> = new Set([
  'unreadable',
  'unknown_value',
  'unknown_topics',
  'not_a_web_address',
  'not_public',
]);
/** Values counted for a cause, and their length: enough for the words of a column. */
const maxValues = 1_000;
const maxLength = 200;
const shownValues = 10;

/** Counts causes, in bounded memory. */
export class Causes {
  readonly #causes = new Map<string, Counted>();

  /** @param value as it stands in the source; undefined if it is not to be shown */
  add({ field, code, message }: Pick<Cause, 'field' | 'code' | 'message'>, line: number, value?: unknown): void {
    const key = `${field} ${code}`;
    let cause = this.#causes.get(key);
    if (cause === undefined) {
      cause = { field, code, message, count: 0, first_line: line, values: new Map() };
      this.#causes.set(key, cause);
    }
    cause.count += 1;
    cause.first_line = Math.min(cause.first_line, line);
    if (typeof value !== 'string' || value.length > maxLength || !skipped.has(code) || privateFields.has(field)) return;
    const count = cause.values.get(value);
    if (count !== undefined || cause.values.size < maxValues) cause.values.set(value, (count ?? 0) + 1);
  }

  /** The commonest first. */
  list(): Cause[] {
    return [...this.#causes.values()]
      .toSorted((a, b) => b.count - a.count || a.first_line - b.first_line)
      .map((cause) => ({ ...cause, values: commonest(cause.values) }));
  }
}

function commonest(values: ReadonlyMap<string, number>): Cause['values'] {
  return [...values]
    .toSorted(([, a], [, b]) => b - a)
    .filter(([value]) => !holdsAddress(value))
    .slice(0, shownValues)
    .map(([value, count]) => ({ value: quoteHeading(value), count }));
}
