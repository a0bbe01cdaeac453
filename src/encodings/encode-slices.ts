import { setImmediate as nextTurn } from 'node:timers/promises';

/** Items encoded in one turn of the event loop: a few milliseconds, so searches don't wait for exports. */
const itemsATurn = 200;
/** The least that is passed on at once, because each piece costs a write to the socket. */
const chunkLength = 64 * 1024;

/**
 * Encodes batches slice by slice. Reads the next batch only when the last one was passed on, so it needs little memory.
 *
 * @param encode returns the text of some items
 * @param options `start` and `end` of the file, and how many items are encoded at a time
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
