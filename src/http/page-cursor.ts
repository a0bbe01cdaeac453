import { createHmac } from 'node:crypto';
import { indexVersion } from '#search/index-maintenance.ts';
import type { Position, SearchQuery } from '#search/search-query.ts';
import type { AppDeps } from './app-deps.ts';
import { toProblem } from './parse/faults.ts';

/*
 * Cursors of a walk through all pages of a search (contract A20): a position as callers have it, opaque. It is good for the search
 * that it came from, on the same store and index: anywhere else, its values would mean other rows.
 */

/** Parameters that may change from page to page. */
const ofOnePage = ['after', 'page', 'per_page', 'fields'];

export interface CursorScope {
  read(text: string): Position | null;
  write(position: Position): string;
}

/** @param given the parameters of the request @param query the query that is asked, after openQuery */
export async function cursorsOf(
  { identity, pepper }: Pick<AppDeps, 'identity' | 'pepper'>,
  given: URLSearchParams,
  { rows, text }: SearchQuery,
): Promise<CursorScope> {
  const parameters = [...given].filter(([name]) => !ofOnePage.includes(name));
  const scope = [await identity.find(), indexVersion, rows, parameters, text?.addresses];
  const sign = (values: string) =>
    createHmac('sha256', pepper)
      .update(JSON.stringify(['cursor', scope, values]))
      .digest('base64url')
      .slice(0, 22);
  return {
    /** Null for an empty text, which stands before the first row. Throws Problem `invalid_request` for a text that is no cursor of the scope. */
    read(text) {
      if (text === '') return null;
      const [values = '', signature] = text.split('.');
      if (signature !== sign(values))
        throw toProblem([{ in: 'query', name: 'after', code: 'invalid_cursor', message }]);
      const [counted, order] = JSON.parse(Buffer.from(values, 'base64url').toString());
      return { counted, values: order };
    },
    write({ counted, values }) {
      const written = Buffer.from(JSON.stringify([counted, values])).toString('base64url');
      return `${written}.${sign(written)}`;
    },
  };
}

const message =
  'This is no cursor of this search. Use the next of the last answer with the same parameters, or begin again with an empty after.';
