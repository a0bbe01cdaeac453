import type { Api } from './connect.ts';
import { readAnswer } from './read-answer.ts';
import type { CallOptions, LookupParameters, LookupResult, RecordField } from './types.ts';

/** How many values a request may have (contract A15). */
const maxLookups = 100;

/** What ids, domains, URLs and addresses find; see Masthead.lookUp. */
export async function* lookUp<Field extends RecordField>(
  api: Api,
  { fields, kind, ...asked }: LookupParameters<Field>,
  call: CallOptions = {},
): AsyncGenerator<LookupResult<Field>, void, undefined> {
  for (const part of names.flatMap((name) => inChunks(name, asked[name] ?? []))) {
    const { results } = await readAnswer<{ results: LookupResult<Field>[] }>(call, (init) =>
      api.POST('/api/v1/records/lookup', {
        // A lookup changes nothing: the key, which the service ignores, says that it may be sent again.
        headers: { 'Idempotency-Key': crypto.randomUUID() },
        body: { ...part, ...(kind && { kind: [kind].flat() }), ...(fields && { fields: [...fields] }) },
        ...init,
      }),
    );
    yield* results;
  }
}

/** In the order of results. */
const names = ['ids', 'domains', 'urls', 'emails'] as const;

type Part = Partial<Record<(typeof names)[number], string[]>>;

function inChunks(name: keyof Part, values: readonly string[]): Part[] {
  const starts = Array.from({ length: Math.ceil(values.length / maxLookups) }, (_, chunk) => chunk * maxLookups);
  return starts.map((start) => ({ [name]: values.slice(start, start + maxLookups) }));
}
