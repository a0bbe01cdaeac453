import { wordsOfUse } from '#languages/words.ts';
import { isLikelyPlaceholder, isPlaceholder } from '#records/normalize/clean-text.ts';
import { nameKey } from '#text/fold.ts';
import type { ColumnMap } from './column-map.ts';
import type { RowCells } from './row.ts';

/* Columns that say who wants no mail, such as `Email opt out`: who says so does not come in unasked. */

const optOuts: ReadonlySet<string> = new Set(wordsOfUse('heading.opt_out').map(nameKey));
const noes: ReadonlySet<string> = new Set(wordsOfUse('cell.no').map(nameKey));

export const optedOut = {
  field: null,
  code: 'opted_out',
  reason:
    'the list says that this person wants no mail; suppress her address (`bounces` of this file lists those for `suppress --from`), or import her with --ignore and the heading of that column',
};

/** Whether a heading says that who has a yes below it wants no mail. */
export function saysOptOut(heading: string): boolean {
  return optOuts.has(nameKey(heading.replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')));
}

/** Whether cells below a heading may say so: `Lead status` may be `Unsubscribed`. Our exports have no such word. */
export function mayOptOut(heading: string): boolean {
  return saysOptOut(heading) || isStatus(heading);
}

function isStatus(heading: string): boolean {
  return heading !== 'email_status' && nameKey(heading).endsWith('status');
}

/** Tells from its cells whether a row wants no mail; null for a list without a column that says so, or where it is given a meaning. */
export function findOptOuts(headings: readonly string[], columns: ColumnMap): ((cells: RowCells) => boolean) | null {
  const found = [...headings.entries()].filter(([, heading]) => !columns.names(heading) && mayOptOut(heading));
  if (found.length === 0) return null;
  const isYes = (heading: string, cell: unknown) => {
    const text = String(cell ?? '').trim();
    if (isStatus(heading)) return optOuts.has(nameKey(text));
    return text !== '' && !isPlaceholder(text) && !isLikelyPlaceholder(text) && !noes.has(nameKey(text));
  };
  return (cells) =>
    typeof cells !== 'string' &&
    found.some(([place, heading]) =>
      isYes(heading, Array.isArray(cells) ? cells[place] : (cells as Readonly<Record<string, unknown>>)[heading]),
    );
}
