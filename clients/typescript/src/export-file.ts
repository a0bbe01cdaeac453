import type { Api } from './connect.ts';
import { asDocumented } from './documented.ts';
import { MastheadError } from './masthead-error.ts';
import { type RowCounter, rowCounter } from './row-counters.ts';
import type { CallOptions, ExportFileParameters } from './types.ts';

/** A file while it comes. */
export interface ExportFile {
  /** As the service names it, such as masthead-outlets-2026-11-21.csv. */
  name: string;
  /** Such as text/csv; charset=utf-8. */
  contentType: string;
  /** The number of rows, known before they come. */
  total: number;
  /** The moment of the export, from which changes can be followed; null while the service cannot say. */
  cursor: string | null;
  /** Its bytes, unpacked. Reading fails with `incomplete_export` if the file is not whole. */
  body: ReadableStream<Uint8Array>;
}

/** Starts an export. The service reads on only as fast as its body is read. */
export async function exportFile(
  api: Api,
  query: ExportFileParameters,
  { signal }: CallOptions = {},
): Promise<ExportFile> {
  const { data, response } = await api.GET('/api/v1/export', {
    params: { query: asDocumented<'export'>(query) },
    parseAs: 'stream',
    ...(signal && { signal }),
  });
  const { headers } = response;
  const total = Number(headers.get('X-Total-Count') ?? Number.NaN);
  if (!data || Number.isNaN(total)) {
    await data?.cancel();
    throw new MastheadError(
      'unexpected_answer',
      'The export has no X-Total-Count, so nothing could prove it whole. Does a proxy remove headers?',
      { status: response.status, requestId: headers.get('X-Request-Id') },
    );
  }
  const fault = (found: string, cause?: unknown) =>
    new MastheadError('incomplete_export', `The export is not whole: ${found}. Export again.`, {
      status: response.status,
      requestId: headers.get('X-Request-Id'),
      cause,
    });
  return {
    name: /filename="([^"/\\]+)"/.exec(headers.get('Content-Disposition') ?? '')?.[1] ?? 'masthead-export',
    contentType: headers.get('Content-Type') ?? '',
    total,
    cursor: headers.get('X-Changes-Cursor'),
    body: ReadableStream.from(readWhole(data, { counter: rowCounter(query.format ?? 'csv'), total, fault, signal })),
  };
}

interface Proof {
  counter: RowCounter;
  total: number;
  fault: (found: string, cause?: unknown) => MastheadError;
  signal: AbortSignal | undefined;
}

/** Passes the bytes on, and ends only where the file does. */
async function* readWhole(
  body: ReadableStream<Uint8Array>,
  { counter, total, fault, signal }: Proof,
): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of body) {
      // All of it may be here before the caller ends the call.
      signal?.throwIfAborted();
      counter.add(chunk);
      yield chunk;
    }
  } catch (cause) {
    if (signal?.aborted) throw cause;
    throw fault(`the connection broke after ${counter.rows() ?? 'some'} of ${total} rows`, cause);
  }
  const rows = counter.rows();
  if (!counter.isAtEnd()) throw fault('it ends within a row');
  if (rows !== null && rows !== total) {
    throw fault(`it has ${rows} of ${total} rows. It was cut off, or records were suppressed meanwhile`);
  }
}
