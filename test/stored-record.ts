import type { MediaRecord } from '#domain/media-record.ts';
import type { RecordSource } from '#ports/record-source.ts';

/** What a store holds that an index follows. */
interface Stored {
  upkeep: { source: Pick<RecordSource, 'read'> };
}

/** The record that a store holds under an id; null where there is none, or none that can be read. */
export async function storedRecord({ upkeep }: Stored, id: string): Promise<MediaRecord | null> {
  const state = (await upkeep.source.read([id])).get(id);
  return state !== undefined && 'record' in state ? state.record : null;
}
