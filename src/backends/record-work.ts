import { digestContent, type RecordChange, type Transition } from '#records/changes/record-change.ts';
import { type Reversal, revertChange } from '#records/changes/revert-change.ts';
import type { KeptContact } from '#records/contacts/contact.ts';
import { leaveOutHidden } from '#records/contacts/leave-out-hidden.ts';
import { joinRecords, keptPatch, redirectPatch } from '#records/duplicates/join-records.ts';
import type { MediaRecord, RecordPatch } from '#records/media-record.ts';
import { amendRecord, mergeRecord } from '#records/merge-record.ts';
import { rereadRecord } from '#records/normalize/reread-record.ts';
import type {
  Amended,
  Amendment,
  ContactsChange,
  MergedDuplicates,
  MergedId,
  OnContacts,
  RecordStore,
  SaveOutcome,
} from '#records/record-store.ts';
import { type Suppressible, withoutSuppressed } from '#records/suppression.ts';

/** What is known about an id during a batch, and what becomes of it. */
export interface Standing {
  id: string;
  /** Whether something is stored, valid record or not. */
  exists: boolean;
  stored: MediaRecord | null;
  /** The record to write; null for none. */
  next: MediaRecord | null;
  /** Whether to delete what is stored, even if it is not a readable record. */
  isGone?: boolean;
  /** The id of the record that it is merged into, or taken out of. */
  keptId?: string | undefined;
  /** Whether an undo brings it back. Then its id no longer leads to another record. */
  comesBack?: boolean;
  /** The patch that made `next`, if the record was made ahead (see RecordStore.prepare). */
  madeOf?: RecordPatch;
}

interface WorkContext {
  now: Date;
  /** The standing of an id, as earlier steps left it. If the work has `patches`, a merged id gets the kept record's. */
  standingOf(id: string): Standing;
  /** The keys on the suppression list, at least those that hide something of this record or patch. */
  suppressedKeys(suppressible: Suppressible): ReadonlySet<string>;
  /** Adds entries to the suppression list, each by the key that it follows from. */
  suppressAlso(following: ReadonlyMap<string, string>): void;
  /** Whether records were merged into this one. */
  isKept(id: string): boolean;
}

/** A change of records in one atomic step, which both backends do in the same way. */
export interface RecordWork<Result> {
  ids: readonly string[];
  /** Set if the id of a merged record stands for the kept one. */
  patches?: readonly RecordPatch[];
  decide(context: WorkContext): Result;
}

/**
 * Merges patches into records: for each record first those with its id, then those with ids that lead to it. The same patches
 * again change nothing.
 *
 * @param ahead records made ahead, by the patch that makes them if nothing is stored
 */
export function mergeWork(
  patches: readonly RecordPatch[],
  {
    ahead,
    onContacts,
  }: { ahead?: ReadonlyMap<RecordPatch, { record: MediaRecord }>; onContacts?: OnContacts | undefined } = {},
): RecordWork<SaveOutcome[]> {
  return {
    ids: patches.map(({ id }) => id),
    patches,
    decide(context) {
      const { standingOf, suppressedKeys, isKept } = context;
      const outcomes = new Map<RecordPatch, SaveOutcome>();
      const note = (patch: RecordPatch, { outcome, change }: MergedPatch) => {
        outcomes.set(patch, outcome);
        if (change !== null) onContacts?.(patch, change);
      };
      for (const [standing, patchesOfRecord] of Map.groupBy(patches, ({ id }) => standingOf(id))) {
        const { id } = standing;
        const [first] = patchesOfRecord;
        const madeAhead =
          first && patchesOfRecord.length === 1 && !standing.exists && first.id === id ? ahead?.get(first) : undefined;
        // What was made ahead knows no suppressions.
        if (first && madeAhead && withoutSuppressed(first, suppressedKeys(first)) === first) {
          note(first, takeMadeAhead(standing, first, madeAhead.record));
          continue;
        }
        const hasOthers = isKept(id);
        for (const patch of patchesOfRecord.filter((each) => each.id === id)) {
          const ownPatch = hasOthers && standing.next ? keptPatch(patch, standing.next) : patch;
          note(patch, mergeIntoStanding(standing, ownPatch, context));
        }
        for (const patch of patchesOfRecord.filter((each) => each.id !== id)) {
          const visiblePatch = withoutSuppressed(patch, suppressedKeys(patch));
          if (visiblePatch === null) continue;
          note(patch, mergeIntoStanding(standing, redirectPatch(visiblePatch, id, standing.next), context));
        }
      }
      return patches.map((patch) => outcomes.get(patch) ?? 'unchanged');
    },
  };
}

/** What became of a patch, and of the contacts that it names; null if it names none. */
interface MergedPatch {
  outcome: SaveOutcome;
  change: ContactsChange | null;
}

function takeMadeAhead(standing: Standing, patch: RecordPatch, record: MediaRecord): MergedPatch {
  Object.assign(standing, { next: record, madeOf: patch });
  const { name, contacts } = record;
  const named = contacts.map(({ id }) => id);
  const change = { recordId: standing.id, name, before: [], after: contacts, named, suppressed: 0 };
  return { outcome: 'created', change };
}

/** Merges a patch without what is suppressed. Nobody is told of hidden contacts. */
function mergeIntoStanding(
  standing: Standing,
  patch: RecordPatch,
  { now, suppressedKeys, suppressAlso }: WorkContext,
): MergedPatch {
  const before = standing.next;
  const keysOfPatch = suppressedKeys(patch);
  const keys = before === null ? keysOfPatch : keysOfPatch.union(suppressedKeys(before));
  const { patch: visiblePatch, hidden, suppressed, following } = leaveOutHidden(patch, before, keys);
  suppressAlso(following);
  const result = mergeRecord(before, visiblePatch, now);
  if ('record' in result) standing.next = result.record;
  if (!('named' in result) || standing.next === null) return { outcome: result.outcome, change: null };
  const { name, contacts } = standing.next;
  const visible = (list: readonly KeptContact[]) => list.filter((contact) => !hidden.has(contact));
  const [contactsBefore, contactsAfter] = [visible(before?.contacts ?? []), visible(contacts)];
  const change = { before: contactsBefore, after: contactsAfter, named: result.named, suppressed };
  return { outcome: result.outcome, change: { recordId: standing.id, name, ...change } };
}

/** The next state of a record. Its date stays where only what suppressions hide has changed: nobody is shown that. */
function dateIfShown(stored: MediaRecord, next: MediaRecord, keys: ReadonlySet<string>): MediaRecord {
  if (keys.size === 0 || next === stored) return next;
  const [before, after] = [stored, next].map((record) => withoutSuppressed(record, keys));
  const isShown = after && (!before || digestContent(before) !== digestContent(after));
  return isShown ? next : { ...next, updated_at: stored.updated_at };
}

function amendWork(ids: readonly string[], amendment: Amendment): RecordWork<Amended[]> {
  return {
    ids,
    decide: ({ now, standingOf, suppressedKeys }) =>
      [...new Set(ids)].flatMap((id) => {
        const standing = standingOf(id);
        const { stored } = standing;
        if (stored === null) return [];
        const next = dateIfShown(stored, amendRecord(stored, amendment(stored), now), suppressedKeys(stored));
        standing.next = next;
        return [{ before: stored, after: next }];
      }),
  };
}

function revertWork(changes: readonly RecordChange[]): RecordWork<Reversal[]> {
  return {
    ids: changes.map(({ id }) => id),
    decide: ({ now, standingOf, suppressedKeys }) =>
      changes.map((change) => {
        const standing = standingOf(change.id);
        const present = standing.next;
        const reversal = asStoredToday(revertChange(present, change, now));
        const { record } = reversal;
        standing.next = present && record ? dateIfShown(present, record, suppressedKeys(present)) : record;
        if (reversal.outcome === 'recreated') {
          standing.comesBack = true;
          // An undone merge takes the record out of another.
          if (change.is === 'deleted') standing.keptId ??= change.kept;
        }
        return reversal;
      }),
  };
}

/** A reversal whose record has the city and the texts that this version would store: the history may be of an earlier one. */
function asStoredToday(reversal: Reversal): Reversal {
  const { outcome, record } = reversal;
  if (record === null || (outcome !== 'restored' && outcome !== 'recreated')) return reversal;
  const reread = rereadRecord(record);
  return 'record' in reread ? { ...reversal, record: reread.record } : reversal;
}

/** Deletes whatever is stored under these ids. Returns how many there were. */
function removeWork(ids: readonly string[]): RecordWork<number> {
  return {
    ids,
    decide: ({ standingOf }) => {
      const standings = [...new Set(ids)].map(standingOf);
      for (const standing of standings) Object.assign(standing, { next: null, isGone: true });
      return standings.filter(({ exists }) => exists).length;
    },
  };
}

function joinWork(keepId: string, otherIds: readonly string[]): RecordWork<MergedDuplicates> {
  return {
    ids: [keepId, ...otherIds],
    decide({ now, standingOf }) {
      const keeper = standingOf(keepId);
      const goneStandings = otherIds.map(standingOf);
      const missing = [keeper, ...goneStandings].filter(({ stored }) => stored === null).map(({ id }) => id);
      if (keeper.stored === null || missing.length > 0) return { missing };
      const goneRecords = goneStandings.flatMap(({ stored }) => stored ?? []);
      const result = mergeRecord(keeper.stored, joinRecords(keeper.stored, goneRecords), now);
      if (result.outcome === 'too_many_contacts') return { tooManyContacts: true };
      if ('record' in result) keeper.next = result.record;
      for (const standing of goneStandings) Object.assign(standing, { next: null, keptId: keepId });
      return { record: keeper.next ?? keeper.stored };
    },
  };
}

/** Whether there is something to write. Something stored that is not a record stays, unless it is removed by its id. */
export function isChanged({ exists, stored, next, isGone }: Standing): boolean {
  return next === stored ? exists && isGone === true : next !== null || exists;
}

export function transitionOf({ id, exists, stored: before, next: after, keptId }: Standing): Transition[] {
  return before === after ? [] : [{ id, before, after, keptId, replacesUnreadable: exists && before === null }];
}

/** The ids that lead to a kept record from now on. */
export function mergedIdsOf(standings: readonly Standing[], changeSet: string, now: Date): MergedId[] {
  return standings.flatMap(({ id, stored, next, keptId }) =>
    stored !== null && next === null && keptId !== undefined
      ? [{ id, keptId, changeSet, mergedAt: now.toISOString() }]
      : [],
  );
}

const removedAtOnce = 1_000;

/** The methods of a record store that both backends share. */
export abstract class RecordWorker
  implements Omit<RecordStore, 'merge' | 'prepare' | 'find' | 'findAny' | 'findByAddresses' | 'count' | 'readAll'>
{
  /** Does work in one atomic step, and notes what it changed. */
  protected abstract change<Result>(work: RecordWork<Result>, changeSet: string | undefined): Promise<Result>;
  /** Returns what `change` would return, and writes nothing. */
  protected abstract plan<Result>(work: RecordWork<Result>): Promise<Result>;
  protected abstract listIds(prefix: string): Promise<string[]>;

  preview(patches: readonly RecordPatch[], onContacts?: OnContacts): Promise<SaveOutcome[]> {
    return this.plan(mergeWork(patches, { onContacts }));
  }

  amend(ids: readonly string[], amendment: Amendment, changeSet: string | null): Promise<Amended[]> {
    const work = amendWork(ids, amendment);
    return changeSet === null ? this.plan(work) : this.change(work, changeSet);
  }

  mergeDuplicates(keepId: string, otherIds: readonly string[], changeSet: string): Promise<MergedDuplicates> {
    return this.change(joinWork(keepId, otherIds), changeSet);
  }

  revert(changes: readonly RecordChange[], changeSet: string | null): Promise<Reversal[]> {
    const work = revertWork(changes);
    return changeSet === null ? this.plan(work) : this.change(work, changeSet);
  }

  async remove(ids: readonly string[], changeSet?: string): Promise<number> {
    let removed = 0;
    for (let start = 0; start < ids.length; start += removedAtOnce) {
      removed += await this.change(removeWork(ids.slice(start, start + removedAtOnce)), changeSet);
    }
    return removed;
  }

  async removeByIdPrefix(prefix: string, changeSet?: string): Promise<number> {
    return this.remove(await this.listIds(prefix), changeSet);
  }
}
