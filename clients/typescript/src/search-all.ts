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
  hasKey: boolean,
  parameters: SearchAllParameters<Field> = {},
  call: CallOptions = {},
): AsyncGenerator<SelectedRecord<Field>, void, undefined> {
  const read = (place: { page: number } | { after: string }) => {
    const query = asDocumented<'search'>({ ...parameters, ...place, per_page: perPage });
    return readAnswer<SearchPage<Field>>(call, (init) => api.GET('/api/v1/search', { params: { query }, ...init }));
  };
  // Without a key there are no cursors, and none are needed by meaning.
  if (hasKey && parameters.match !== 'meaning') {
    for (let after: string | null = ''; after !== null; ) {
      const { results, next = null }: SearchPage<Field> = await read({ after });
      yield* results;
      after = next;
    }
    return;
  }
  for (let page = 1; ; page += 1) {
    const { results, total, total_pages = 0 } = await read({ page });
    yield* results;
    if (page >= total_pages) return;
    if (page * perPage >= maxRow) {
      throw new MastheadError(
        'page_too_deep',
        `The search has ${total} records and shows the first ${maxRow} without a key. Narrow it, or read all of them with a key.`,
      );
    }
  }
}
