import type { MongoRecordSource, Position } from '#backends/mongo/mongo-record-source.ts';
import type { GenerationWriter } from './generation-writer.ts';

/**
 * Brings a generation from a position to the current state of the records; returns the position it has reached.
 *
 * @throws HistoryLost; the reason of the signal when that is aborted.
 */
export async function catchUp(
  source: MongoRecordSource,
  writer: GenerationWriter,
  from: Position,
  signal: AbortSignal,
): Promise<Position> {
  const now = await source.mark();
  for await (const batch of source.follow(from, signal)) {
    await writer.write(await writer.prepare(batch), { signal });
    if (batch.marks.includes(now)) return batch.position;
  }
  throw signal.reason;
}
