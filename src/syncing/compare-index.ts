import type { IdRange } from '#backends/mongo/mongo-record-source.ts';
import { deadLetterId } from '#domain/dead-letter-id.ts';
import type { Difference } from '#ports/index-maintenance.ts';
import type { GenerationWriter } from './generation-writer.ts';
import type { SyncDeps } from './sync-deps.ts';

/** How an id differed: the expected digest, and the actual one; null: none. */
interface Sighting {
  is: Difference['is'];
  wanted: string | null;
  held: string | null;
}

const pageSize = 500;
/** Far more than a range can have grown while it was compared. */
const maxInRange = 100_000;
/** Differences to collect before they are checked again. */
const maxSuspects = 5_000;

/**
 * Compares all records with a generation, range of ids by range, and gives what differs. Since records change meanwhile,
 * what differs is looked at again once the index has had every change until then: it counts when the record is still
 * the same, and the index too.
 *
 * @param settle resolves when every change until now is in the index, as far as it ever will be
 */
export async function* compareIndex(
  { source, generations, deadLetters }: SyncDeps,
  writer: GenerationWriter,
  settle: () => Promise<void>,
  onProgress?: (compared: number) => void,
): AsyncGenerator<Difference[]> {
  const compareRange = async (range: IdRange, states: Awaited<ReturnType<typeof source.readRange>>) => {
    const held = await generations.readDigests(writer.index, range);
    const sightings = new Map<string, Sighting>();
    const wantedIds = new Set<string>();
    for (const [id, state] of states) {
      const record = writer.recordToFind(state);
      if (record === null) continue;
      wantedIds.add(id);
      const wanted = generations.digestOf(record);
      const has = held.get(id) ?? null;
      if (has !== wanted) sightings.set(id, { is: has === null ? 'missing' : 'stale', wanted, held: has });
    }
    for (const [id, digest] of held) {
      if (!wantedIds.has(id)) sightings.set(id, { is: 'extra', wanted: null, held: digest });
    }
    return sightings;
  };

  const lookAgain = async (suspects: readonly Suspect[]): Promise<Difference[]> => {
    await settle();
    await generations.refresh(writer.index);
    const confirmed: Difference[] = [];
    for (const { range, sightings } of suspects) {
      const again = await compareRange(range, await source.readRange(range, maxInRange));
      for (const [id, { is, wanted, held }] of again) {
        const before = sightings.get(id);
        if (before?.wanted === wanted && before.held === held) confirmed.push({ id, is });
      }
    }
    // What the engine rejected is known.
    const letters = await deadLetters.findAmong(confirmed.map(({ id }) => deadLetterId(id)));
    return confirmed.filter(({ id, is }) => is !== 'missing' || !letters.has(deadLetterId(id)));
  };

  await generations.refresh(writer.index);
  let suspects: Suspect[] = [];
  let compared = 0;
  for (let after: string | null = ''; after !== null; ) {
    const states = await source.readRange({ after, upTo: null }, pageSize);
    const last: string | null = states.size < pageSize ? null : ([...states.keys()].at(-1) ?? null);
    const range: IdRange = { after, upTo: last };
    const sightings = await compareRange(range, states);
    if (sightings.size > 0) suspects.push({ range, sightings });
    compared += states.size;
    onProgress?.(compared);
    if (suspects.reduce((sum, suspect) => sum + suspect.sightings.size, 0) >= maxSuspects) {
      yield await lookAgain(suspects);
      suspects = [];
    }
    after = last;
  }
  if (suspects.length > 0) yield await lookAgain(suspects);
}

interface Suspect {
  range: IdRange;
  sightings: ReadonlyMap<string, Sighting>;
}
