import type { RecordSource, RecordState } from '#ports/record-source.ts';
import type { GenerationWriter } from './generation-writer.ts';

/** Records that are read and written at a time. */
const pageSize = 1_000;
/** Ranges of ids that are read side by side, each with its own requests to both engines: more gain nothing. */
const readers = 3;
/** So many ranges a reader that a slow one does not keep the others waiting at the end. */
const rangesAReader = 4;

/**
 * Writes all records to an empty generation, as of a version that is not later than the reading.
 *
 * @param onProgress takes the number of records read until then
 */
export async function fillIndex(
  source: RecordSource,
  writer: GenerationWriter,
  version: bigint,
  { signal, onProgress }: { signal: AbortSignal; onProgress?: ((read: number) => void) | undefined },
): Promise<number> {
  const boundaries = ['', ...(await source.findBoundaries(readers * rangesAReader)), null];
  const ranges = boundaries.slice(1).map((upTo, place) => ({ after: boundaries[place] ?? '', upTo }));
  let read = 0;
  const readRanges = async () => {
    for (let range = ranges.shift(); range !== undefined; range = ranges.shift()) {
      for await (const states of readPages(source, range.after, range.upTo)) {
        signal.throwIfAborted();
        const versions = new Map([...states.keys()].map((id) => [id, version]));
        await writer.write(writer.prepareStates(versions, states));
        read += states.size;
        onProgress?.(read);
      }
    }
  };
  await Promise.all(Array.from({ length: readers }, readRanges));
  return read;
}

/** The records of a range, page by page; the next is read ahead. */
async function* readPages(
  source: RecordSource,
  after: string,
  upTo: string | null,
): AsyncGenerator<ReadonlyMap<string, RecordState>> {
  let next: Promise<ReadonlyMap<string, RecordState>> | null = source.readRange({ after, upTo }, pageSize);
  while (next !== null) {
    const page: ReadonlyMap<string, RecordState> = await next;
    const last = [...page.keys()].at(-1);
    next = last === undefined ? null : source.readRange({ after: last, upTo }, pageSize);
    // Whoever stops early never awaits it; its failure is then nobody's.
    next?.catch(() => {});
    if (page.size > 0) yield page;
  }
}
