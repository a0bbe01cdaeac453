import type { Api } from './connect.ts';
import { asDocumented } from './documented.ts';
import { MastheadError } from './masthead-error.ts';
import { readAnswer } from './read-answer.ts';
import type { CallOptions, RecordField, SearchAllParameters, SearchPage, SelectedRecord } from './types.ts';

/** The last record that a page can show, and the longest page (contract A3). */
const maxRow = 10_000;
const perPage = 100;

/** Every record of a search; see Masthead.searchAll. */
export async function* searchAll<Field extends RecordField>(
  api: Api,
  parameters: SearchAllParameters<Field> = {},
  call: CallOptions = {},
): AsyncGenerator<SelectedRecord<Field>, void, undefined> {
  for (let page = 1; ; page += 1) {
    const query = asDocumented<'search'>({ ...parameters, page, per_page: perPage });
    const { results, total, total_pages } = await readAnswer<SearchPage<Field>>(call, (init) =>
      api.GET('/api/v1/search', { params: { query }, ...init }),
    );
    yield* results;
    if (page >= total_pages) return;
    if (page * perPage >= maxRow) {
      throw new MastheadError(
        'page_too_deep',
        `The search has ${total} records and shows the first ${maxRow}. Narrow it, or read all of them with exportRecords() and the same filters.`,
      );
    }
  }
}
