import { setImmediate as nextTurn } from 'node:timers/promises';

/** Items encoded in one turn of the event loop: a few milliseconds, so searches don't wait for exports. */
const itemsATurn = 200;
/** What is passed on at once: each piece costs a write to the socket. */
const chunkLength = 64 * 1024;

/**
 * Encodes batches slice by slice. Each is read only when the last was passed on, so memory does not grow with them.
 *
 * @param encode the text of some of them
 * @param options what comes before and after all of them, and how many are encoded at a time
 */
export async function* encodeSlices<Item>(
  batches: AsyncIterable<readonly Item[]>,
  encode: (items: readonly Item[]) => string | Promise<string>,
  { start = '', end = '', sliceItems = itemsATurn }: { start?: string; end?: string; sliceItems?: number } = {},
): AsyncGenerator<Buffer> {
  let text = start;
  for await (const batch of batches) {
    for (let next = 0; next < batch.length; next += sliceItems) {
      // Waiting requests get their turn before the next slice.
      await nextTurn();
      text += await encode(batch.slice(next, next + sliceItems));
      if (text.length < chunkLength) continue;
      yield Buffer.from(text);
      text = '';
    }
  }
  if (text + end !== '') yield Buffer.from(text + end);
}
