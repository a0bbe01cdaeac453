import { applyFinding, type Finding } from '#indexer/records/assess-address.ts';
import { joinRecords } from '#records/duplicates/join-records.ts';
import { mergePatches } from '#records/duplicates/merge-patches.ts';
import type { MediaRecord, RecordKey, RecordPatch } from '#records/media-record.ts';
import { amendRecord, mergeRecord } from '#records/merge-record.ts';

/** Records by id. */
export type RecordState = ReadonlyMap<string, MediaRecord>;

/** The `updated_at` of what a step changed; a store has the time of the step instead. */
export const timeOfStep = '9999-01-01T00:00:00.000Z';

/** What a check of addresses makes of a record if it finds this. */
export const checkOf =
  (finding: Finding) =>
  (record: MediaRecord): ReturnType<typeof applyFinding> =>
    record.email === null ? null : applyFinding(record, finding, '2026-06-01T00:00:00.000Z');

/** A change set as the model sees it: the whole states around it. */
export interface ModelSet {
  id: string;
  undoes: string | null;
  before: RecordState;
  after: RecordState;
  /** Whether a later undo of the same set has nothing left to do; for an undo only. */
  isComplete: boolean;
}

/**
 * Records and change sets in memory, as imports, deletions, merges, checks of addresses and undos leave them: what stores
 * are compared with. It keeps the whole state before and after each change set, and knows nothing of how a store does it.
 */
export class RecordModel {
  readonly sets: ModelSet[] = [];
  #records: RecordState;
  /** Where the ids of merged records lead; none of them has a record. */
  readonly #leads = new Map<string, string>();

  constructor(records: RecordState) {
    this.#records = records;
  }

  get records(): RecordState {
    return this.#records;
  }

  /** @param before the state in which a batch of patches comes */
  importing(patches: readonly RecordPatch[], before = this.#records): RecordState {
    const state = new Map(before);
    const isHidden = () => false;
    for (const [id, own] of Map.groupBy(patches, ({ id }) => (before.has(id) ? id : this.follow(id)))) {
      const context = { now: new Date(timeOfStep), isHidden, isKept: [...this.#leads.values()].includes(id) };
      const { record } = mergePatches(state.get(id) ?? null, id, own, context);
      if (record !== null) state.set(id, record);
    }
    return state;
  }

  /** The id that this one leads to over all merges; itself if it was not merged. */
  follow(id: string): string {
    const kept = this.#leads.get(id);
    return kept === undefined ? id : this.follow(kept);
  }

  /** The state after a merge; the same if there is nothing to merge. */
  merging(keepId: string, dropId: string): RecordState {
    const [keep, drop] = [this.#records.get(keepId), this.#records.get(dropId)];
    if (!keep || !drop || keep === drop) return this.#records;
    const result = mergeRecord(keep, joinRecords(keep, [drop]), new Date(timeOfStep));
    const state = new Map(this.#records);
    state.delete(dropId);
    return 'record' in result ? state.set(keepId, result.record) : state;
  }

  /** The state after a check of the addresses of these records. */
  checking(ids: readonly string[], finding: Finding): RecordState {
    const amend = (record: MediaRecord) => amendRecord(record, checkOf(finding)(record), new Date(timeOfStep));
    return new Map([...this.#records].map(([id, record]) => [id, ids.includes(id) ? amend(record) : record]));
  }

  deleting(ids: readonly string[]): RecordState {
    return new Map([...this.#records].filter(([id]) => !ids.includes(id)));
  }

  /** The state after an undo, and whether something stays because it changed later. */
  undoing({ before, after }: ModelSet): { state: RecordState; isComplete: boolean } {
    const state = new Map(this.#records);
    let isComplete = true;
    for (const id of new Set([...before.keys(), ...after.keys()])) {
      const [was, became, present] = [before.get(id), after.get(id), state.get(id)];
      if (same(was, became)) continue;
      if (was === undefined) {
        if (present && saysSame(present, became)) state.delete(id);
        else if (present) isComplete = false;
      } else if (became === undefined) {
        if (!present) state.set(id, was);
        else if (!saysSame(present, was)) isComplete = false;
      } else if (present) {
        const undone = undoFields(present, was, became);
        state.set(id, undone.record);
        isComplete &&= undone.isComplete;
      }
    }
    return { state, isComplete };
  }

  /** The undo of a change set that was not undone itself; undefined if there is none. */
  undoOf(id: string): ModelSet | undefined {
    return this.sets.findLast((one) => one.undoes === id && this.undoOf(one.id) === undefined);
  }

  /** Takes over what a store has after a change set, or after more of it: the states around it are all that counts. */
  note(
    set: Omit<ModelSet, 'before' | 'after'>,
    after: RecordState,
    merge: { keep: string; drop: string } | null = null,
  ): void {
    if (merge !== null && this.#records.has(merge.drop) && !after.has(merge.drop))
      this.#leads.set(merge.drop, merge.keep);
    for (const id of after.keys()) this.#leads.delete(id);
    const earlier = this.sets.find(({ id }) => id === set.id);
    if (earlier) Object.assign(earlier, set, this.#extend(earlier, after));
    else this.sets.push({ ...set, before: this.#records, after });
    this.#records = after;
  }

  /** The states around a change set that goes on: records that others changed meanwhile are left out of it. */
  #extend(earlier: ModelSet, after: RecordState): Pick<ModelSet, 'before' | 'after'> {
    const around = { before: new Map<string, MediaRecord>(), after: new Map<string, MediaRecord>() };
    for (const id of new Set([...earlier.before.keys(), ...earlier.after.keys(), ...after.keys()])) {
      const [was, became] = [earlier.before.get(id), earlier.after.get(id)];
      const [wasNow, isNow] = [this.#records.get(id), after.get(id)];
      const isTouchedAgain = !same(wasNow, isNow);
      const first = same(was, became) ? wasNow : isTouchedAgain ? reset(wasNow, was, became) : was;
      const last = isTouchedAgain ? isNow : became;
      if (same(was, became) && !isTouchedAgain) continue;
      if (first) around.before.set(id, first);
      if (last) around.after.set(id, last);
    }
    return around;
  }
}

/** The record with the fields that a change set changed as they were before it. */
function reset(
  present: MediaRecord | undefined,
  was: MediaRecord | undefined,
  became: MediaRecord | undefined,
): MediaRecord | undefined {
  if (!present || !was || !became) return was;
  const noted = notedKeys(was, became);
  return { ...present, ...Object.fromEntries(noted.map((key) => [key, was[key]])) };
}

/** The fields that say something about others. */
const about: [RecordKey[], RecordKey[]][] = [
  [['kind'], ['type']],
  [['email'], ['email_status', 'email_source', 'last_verified_at']],
  [['country'], ['country_name', 'continent']],
  [['city', 'region', 'country'], ['city_size']],
];

function notedKeys(was: MediaRecord, became: MediaRecord): RecordKey[] {
  const changed = keysOf(was).filter((key) => !same(was[key], became[key]));
  const noted = new Set<RecordKey>([...changed, 'updated_at']);
  for (const [leaders, led] of about) {
    for (const key of led) {
      if ([key, ...leaders].some((one) => changed.includes(one))) for (const one of [key, ...leaders]) noted.add(one);
    }
  }
  return [...noted];
}

function undoFields(
  present: MediaRecord,
  was: MediaRecord,
  became: MediaRecord,
): { record: MediaRecord; isComplete: boolean } {
  const record: Record<string, unknown> = { ...present };
  const kept: RecordKey[] = [];
  const changed = (key: RecordKey) => !same(was[key], became[key]);
  const stands = (key: RecordKey) => same(present[key], became[key]);
  const goBack = (key: RecordKey) => {
    record[key] = was[key];
  };
  const led = about.flatMap(([, keys]) => keys);
  for (const key of keysOf(was).filter((one) => one !== 'updated_at' && !led.includes(one))) {
    if (!changed(key)) continue;
    if (stands(key)) goBack(key);
    else if (!same(present[key], was[key])) kept.push(key);
  }
  for (const [leaders, keys] of about) {
    for (const key of keys) {
      const isLed = leaders.some(changed);
      if ((!isLed && !changed(key)) || same(present[key], was[key])) continue;
      if (leaders.every(stands) && (isLed || stands(key))) goBack(key);
      else kept.push(key);
    }
  }
  const place = ['city', 'region', 'country'] as const;
  const hasNewPlace = place.some((key) => !same(record[key], present[key]));
  if (hasNewPlace && !place.every((key) => same(record[key], was[key]))) {
    const derived = mergeRecord(null, { ...(record as unknown as MediaRecord), city_size: null }, new Date(0));
    record.city_size = 'record' in derived ? derived.record.city_size : null;
  }
  const isComplete = kept.length === 0;
  if (isComplete && present.updated_at === became.updated_at) record.updated_at = was.updated_at;
  else if (!same(record, present)) record.updated_at = timeOfStep;
  return { record: record as unknown as MediaRecord, isComplete };
}

function keysOf(record: MediaRecord): RecordKey[] {
  return Object.keys(record) as RecordKey[];
}

function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function saysSame(one: MediaRecord, other: MediaRecord | undefined): boolean {
  return same({ ...one, updated_at: '' }, { ...other, updated_at: '' });
}

/** The expected state with the times that the store gave what the step changed. */
export function withTimes(expected: RecordState, actual: RecordState): RecordState {
  return new Map(
    [...expected].map(([id, record]) => {
      const time = actual.get(id)?.updated_at ?? timeOfStep;
      return [id, record.updated_at === timeOfStep ? { ...record, updated_at: time } : record];
    }),
  );
}
