import { wordsOfUse } from '#languages/words.ts';
import { isLikelyPlaceholder, isPlaceholder } from '#records/normalize/clean-text.ts';
import { nameKey } from '#text/fold.ts';
import { memoize } from '#text/memoize.ts';
import type { RowCells } from '../row.ts';
import type { ColumnMap } from './column-map.ts';

/* Columns that say who wants no mail, such as `Email opt out`: who says so does not come in unasked. */

const optOuts: ReadonlySet<string> = new Set(wordsOfUse('heading.opt_out').map(nameKey));
const noes: ReadonlySet<string> = new Set(wordsOfUse('cell.no').map(nameKey));

export const optedOut = {
  field: null,
  code: 'opted_out',
  reason:
    'the list says that this person wants no mail; suppress her address (`bounces` of this file lists those for `suppress --from`), or import her with --ignore and the heading of that column',
};

/** Whether a heading says that who has a yes below it wants no mail: `doNotContact`, `Opt-out status`, `Editor opted out`. */
export const saysOptOut = memoize((heading) => {
  const words = keyOf(heading.replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')).split(' ');
  if (words.length > 1 && words.at(-1) === 'status') words.pop();
  const endings = words.slice(0, -1).map((_, place) => words.slice(place).join(' '));
  return optOuts.has(words.join(' ')) || endings.some((ending) => optOuts.has(ending));
});

/** Without what stands in brackets: `Unsubscribed (2024)`. */
function keyOf(text: string): string {
  return nameKey(text.replace(/\([^()]*\)/g, ''));
}

/** Whether cells below a heading may say so: `Lead status` may be `Unsubscribed`. Our exports have no such word. */
export const mayOptOut = memoize((heading) => saysOptOut(heading) || isStatus(heading));

function isStatus(heading: string): boolean {
  return heading !== 'email_status' && nameKey(heading).endsWith('status') && !saysOptOut(heading);
}

/** Tells from its cells whether a row wants no mail; null for a list whose headings do not say so, or where these are given a meaning. Without headings, each row has its own. */
export function findOptOuts(
  headings: readonly string[] | null,
  columns: ColumnMap,
): ((cells: RowCells) => boolean) | null {
  const isAsked = (heading: string) => mayOptOut(heading) && !columns.names(heading);
  if (headings === null) return (cells) => wantsNoMail(cells, isAsked);
  const askedColumns = [...headings.entries()].filter(([, heading]) => isAsked(heading));
  if (askedColumns.length === 0) return null;
  return (cells) => Array.isArray(cells) && askedColumns.some(([place, heading]) => saysYes(heading, cells[place]));
}

/** Whether an object says so, or one of its contacts. */
function wantsNoMail(value: unknown, isAsked: (heading: string) => boolean): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.some((item) => wantsNoMail(item, isAsked));
  return Object.entries(value).some(([key, cell]) =>
    key === 'contacts' ? wantsNoMail(cell, isAsked) : isAsked(key) && saysYes(key, cell),
  );
}

/** Whether a cell says that somebody wants no mail: a spreadsheet writes "no" as `FALSCH`, too, and boxes without a tick. */
function saysYes(heading: string, cell: unknown): boolean {
  const text = String(cell ?? '').trim();
  if (isStatus(heading)) return optOuts.has(keyOf(text));
  const isEmpty = !/[\p{L}\p{N}✓✔☑]/u.test(text) || /^0[.,]0+$/.test(text);
  return !isEmpty && !isPlaceholder(text) && !isLikelyPlaceholder(text) && !noes.has(nameKey(text));
}
