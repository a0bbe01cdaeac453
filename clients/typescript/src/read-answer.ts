import { MastheadError } from './masthead-error.ts';
import type { CallOptions } from './types.ts';

/**
 * The body of an answer, which has the type of its caller: the document says "these keys or all of them", the caller
 * knows which.
 *
 * @throws MastheadError also if the connection breaks within the body, or the body is not JSON.
 */
export async function readAnswer<Answer>(
  { signal }: CallOptions,
  call: (init: { signal?: AbortSignal }) => Promise<{ data?: unknown }>,
): Promise<Answer> {
  try {
    const { data } = await call(signal ? { signal } : {});
    return data as Answer;
  } catch (cause) {
    if (signal?.aborted || cause instanceof MastheadError) throw cause;
    if (cause instanceof SyntaxError) {
      throw new MastheadError('unexpected_answer', 'The answer is not JSON. Does a proxy answer for the service?', {
        cause,
      });
    }
    if (!isOfConnection(cause)) throw cause;
    throw new MastheadError('connection_failed', 'The connection broke within the answer.', { cause });
  }
}

/** What `fetch` and its bodies reject with: a TypeError that has a cause where there is one. */
function isOfConnection(error: unknown): boolean {
  return error instanceof TypeError && error.cause !== undefined;
}
