import type { IdRange, MongoRecordSource, RecordState } from '#backends/mongo/mongo-record-source.ts';
import type { GenerationWriter } from './generation-writer.ts';

/** Ranges of ids that are read in parallel, each with its own requests to both engines: more gain nothing. */
const readers = 3;
/** Ranges per reader, enough that a slow one does not delay the end. */
const rangesAReader = 4;
/** Records read at a time. */
const pageSize = 500;

/**
 * Writes all records to an empty generation, as of a version that is not later than the reading.
 *
 * @param onProgress takes the number of records read until then
 */
export async function fillIndex(
  source: MongoRecordSource,
  writer: GenerationWriter,
  version: bigint,
  { signal, onProgress }: { signal: AbortSignal; onProgress?: ((read: number) => void) | undefined },
): Promise<number> {
  const boundaries = ['', ...(await source.findBoundaries(readers * rangesAReader)), null];
  const ranges = boundaries.slice(1).map((upTo, place) => ({ after: boundaries[place] ?? '', upTo }));
  let read = 0;
  const readRanges = async () => {
    for (let range = ranges.shift(); range !== undefined; range = ranges.shift()) {
      for await (const states of readPages(source, range)) {
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
export async function* readPages(
  source: MongoRecordSource,
  { after, upTo }: IdRange,
): AsyncGenerator<ReadonlyMap<string, RecordState>> {
  let next: Promise<ReadonlyMap<string, RecordState>> | null = source.readRange({ after, upTo }, pageSize);
  while (next !== null) {
    const page: ReadonlyMap<string, RecordState> = await next;
    const last = page.size < pageSize ? undefined : [...page.keys()].at(-1);
    next = last === undefined ? null : source.readRange({ after: last, upTo }, pageSize);
    // A reader that stops early never awaits it, so its error must not be unhandled.
    next?.catch(() => {});
    if (page.size > 0) yield page;
  }
}
