import type { Api } from './connect.ts';
import { readAnswer } from './read-answer.ts';
import type { CallOptions, LookupParameters, LookupResult, RecordField } from './types.ts';

/** How many ids and domains a request may have (contract A15). */
const maxLookups = 100;

/** What ids and domains find; see Masthead.lookUp. */
export async function* lookUp<Field extends RecordField>(
  api: Api,
  { ids = [], domains = [], fields }: LookupParameters<Field>,
  call: CallOptions = {},
): AsyncGenerator<LookupResult<Field>, void, undefined> {
  for (const asked of [...inChunks('ids', ids), ...inChunks('domains', domains)]) {
    const { results } = await readAnswer<{ results: LookupResult<Field>[] }>(call, (init) =>
      api.POST('/api/v1/records/lookup', {
        // A lookup changes nothing: the key, which the service ignores, says that it may be sent again.
        headers: { 'Idempotency-Key': crypto.randomUUID() },
        body: { ...asked, ...(fields && { fields: [...fields] }) },
        ...init,
      }),
    );
    yield* results;
  }
}

function inChunks<Name extends 'ids' | 'domains'>(
  name: Name,
  values: Iterable<string>,
): Partial<Record<Name, string[]>>[] {
  const all = [...values];
  const starts = Array.from({ length: Math.ceil(all.length / maxLookups) }, (_, chunk) => chunk * maxLookups);
  return starts.map((start) => ({ [name]: all.slice(start, start + maxLookups) }) as Partial<Record<Name, string[]>>);
}
