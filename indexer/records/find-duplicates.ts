import {
  type Comparison,
  compareMedia,
  type DuplicateGroup,
  isCompatible,
  toCandidate,
} from '#records/duplicates/compare-media.ts';
import { type BlockKind, blockingKeys, traitsOf } from '#records/duplicates/traits.ts';
import type { MediaRecord } from '#records/media-record.ts';
import { Scratch } from './scratch.ts';

/** Keys that so many records share that these were not compared for them, by what they share. */
type LeftOut = Partial<Record<BlockKind, { keys: number; records: number }>>;

/** What a search for duplicates found. */
export interface FoundDuplicates {
  /** How many records were searched. */
  searched: number;
  /** How many groups there are, and how many records they have. */
  groups: number;
  records: number;
  leftOut: LeftOut;
  /** The groups, in the order of their likeliest pair. */
  list(): Iterable<DuplicateGroup>;
  /** Removes what was noted down; no group can be listed afterwards. */
  close(): void;
}

interface Options {
  /** The least score of two duplicates. */
  minScore: number;
  /** Takes how many records were read, or pairs of them compared, until then. */
  onProgress?: (step: 'records' | 'pairs', done: number) => void;
}

/** A key that more records share tells nothing about any of them: a platform's host, or `Daily News`. */
const maxBlock = 100;
/** More records are no duplicates but a series that nobody told apart. */
const maxGroup = 50;
const progressEvery = 5_000;

/**
 * Finds records that are the same medium. Records are compared only if they share a key (see blockingKeys), so the
 * work grows with the records and not with their square; memory stays the same for any number of them.
 */
export async function findDuplicates(
  records: AsyncIterable<MediaRecord> | Iterable<MediaRecord>,
  { minScore, onProgress = () => {} }: Options,
): Promise<FoundDuplicates> {
  const scratch = new Scratch();
  try {
    let searched = 0;
    for await (const record of records) {
      const traits = traitsOf(record);
      scratch.add(toCandidate(record), traits, blockingKeys(traits));
      searched += 1;
      if (searched % progressEvery === 0) onProgress('records', searched);
    }
    const leftOut = comparePairs(scratch, minScore, (compared) => onProgress('pairs', compared));
    groupPairs(scratch);
    return {
      searched,
      ...scratch.countGroups(),
      leftOut,
      list: () => listGroups(scratch, minScore),
      close: () => scratch.close(),
    };
  } catch (error) {
    scratch.close();
    throw error;
  }
}

/** Compares the records of every block, and notes down the likely pairs; returns the blocks that are too large. */
function comparePairs(scratch: Scratch, minScore: number, onProgress: (pairs: number) => void): LeftOut {
  const leftOut: LeftOut = {};
  let compared = 0;
  for (const { kind, members } of scratch.blocks()) {
    if (members.length > maxBlock) {
      const { keys, records } = leftOut[kind] ?? { keys: 0, records: 0 };
      leftOut[kind] = { keys: keys + 1, records: records + members.length };
      continue;
    }
    for (const [a, b] of pairsOf(members)) {
      const { score } = compareMedia(scratch.traits(a), scratch.traits(b));
      if (score >= minScore) scratch.addPair({ a, b, score });
      compared += 1;
      if (compared % progressEvery === 0) onProgress(compared);
    }
  }
  return leftOut;
}

function* pairsOf(members: readonly number[]): Generator<[number, number]> {
  for (const [place, a] of members.entries()) for (const b of members.slice(place + 1)) yield [a, b];
}

/**
 * Joins pairs into groups, likeliest first. A record joins only if it may be the same medium as every other of the
 * group, so that no chain of pairs ties unrelated ones together.
 */
function groupPairs(scratch: Scratch): void {
  let groups = 0;
  for (const { a, b } of scratch.pairs()) {
    const [groupA, groupB] = [scratch.groupOf(a), scratch.groupOf(b)];
    if (groupA !== null && groupA === groupB) continue;
    const membersA = groupA === null ? [a] : scratch.members(groupA);
    const membersB = groupB === null ? [b] : scratch.members(groupB);
    if (membersA.length + membersB.length > maxGroup || !areCompatible(scratch, membersA, membersB)) continue;
    if (groupA !== null && groupB !== null) {
      scratch.joinGroups(Math.min(groupA, groupB), Math.max(groupA, groupB));
      continue;
    }
    if (groupA === null && groupB === null) groups += 1;
    for (const record of [a, b]) scratch.putInGroup(record, groupA ?? groupB ?? groups);
  }
}

function areCompatible(scratch: Scratch, some: readonly number[], others: readonly number[]): boolean {
  return some.every((a) => others.every((b) => isCompatible(compareMedia(scratch.traits(a), scratch.traits(b)))));
}

function* listGroups(scratch: Scratch, minScore: number): Generator<DuplicateGroup> {
  for (const group of scratch.groups()) {
    const [best = 0, ...others] = scratch.members(group);
    const drop = others.map((record) => {
      const [like, comparison] = findLikest(scratch, record, [best, ...others], minScore);
      return { record: scratch.candidate(record), like: scratch.candidate(like).id, ...comparison };
    });
    yield { keep: scratch.candidate(best), drop: drop.toSorted((a, b) => b.score - a.score) };
  }
}

/** The first record of a group if it is likely enough, otherwise the likeliest. */
function findLikest(
  scratch: Scratch,
  record: number,
  [best = 0, ...others]: readonly number[],
  minScore: number,
): [number, Comparison] {
  const compare = (other: number) => compareMedia(scratch.traits(record), scratch.traits(other));
  let likest: [number, Comparison] = [best, compare(best)];
  for (const other of likest[1].score >= minScore ? [] : others) {
    const comparison = other === record ? null : compare(other);
    if (comparison !== null && comparison.score > likest[1].score) likest = [other, comparison];
  }
  return likest;
}
