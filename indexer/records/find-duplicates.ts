import {
  type Comparison,
  compareFullness,
  compareMedia,
  type DuplicateGroup,
  duplicateScore,
  isCompatible,
  toCandidate,
} from '#records/duplicates/compare-media.ts';
import { type BlockKind, blockingKeys, traitsOf } from '#records/duplicates/traits.ts';
import type { MediaRecord } from '#records/media-record.ts';
import { compareTexts } from '#text/compare-texts.ts';
import { Scratch } from './scratch.ts';

export interface FoundDuplicates {
  searched: number;
  /** The group with the likeliest pair comes first. */
  groups: DuplicateGroup[];
  /** Keys that too many records share, so that they were not compared; counted by kind of key. */
  leftOut: Partial<Record<BlockKind, { keys: number; records: number }>>;
}

/** A key that more records share, such as a platform's host or `Daily News`, says nothing about them. */
const maxBlock = 100;
/** More similar records are not duplicates, but a series such as local editions. */
const maxGroup = 50;
const progressEvery = 5_000;

/**
 * Finds groups of records that seem to be the same medium. Compares only records that share a key (see blockingKeys): comparing
 * every pair would take far too long. Needs memory only for the duplicates. `onProgress`: how many were read or compared.
 */
export async function findDuplicates(
  records: AsyncIterable<readonly MediaRecord[]>,
  onProgress: (step: 'records' | 'pairs', done: number) => void = () => {},
): Promise<FoundDuplicates> {
  using scratch = new Scratch();
  let searched = 0;
  for await (const batch of records) {
    for (const record of batch) {
      const traits = traitsOf(record);
      scratch.add(toCandidate(record), traits, blockingKeys(traits));
    }
    searched += batch.length;
    onProgress('records', searched);
  }
  const { pairs, leftOut } = comparePairs(scratch, (pairCount) => onProgress('pairs', pairCount));
  const groups = groupPairs(scratch, pairs).map((members) => describeGroup(scratch, members));
  return { searched, groups, leftOut };
}

interface LikelyPair {
  a: number;
  b: number;
  score: number;
}

/** The likely pairs, likeliest first, of records that share a key; and the keys that too many records share. */
function comparePairs(scratch: Scratch, onProgress: (pairs: number) => void) {
  const leftOut: FoundDuplicates['leftOut'] = {};
  const pairs = new Map<string, LikelyPair>();
  let pairCount = 0;
  for (const { kind, members } of scratch.blocks()) {
    if (members.length > maxBlock) {
      const { keys, records } = leftOut[kind] ?? { keys: 0, records: 0 };
      leftOut[kind] = { keys: keys + 1, records: records + members.length };
      continue;
    }
    const ordered = members.toSorted((a, b) => a - b);
    for (const [index, a] of ordered.entries()) {
      for (const b of ordered.slice(index + 1)) {
        const { score } = compareMedia(scratch.traits(a), scratch.traits(b));
        if (score >= duplicateScore) pairs.set(`${a} ${b}`, { a, b, score });
        pairCount += 1;
        if (pairCount % progressEvery === 0) onProgress(pairCount);
      }
    }
  }
  return { pairs: [...pairs.values()].toSorted((a, b) => b.score - a.score || a.a - b.a || a.b - b.b), leftOut };
}

/** Joins pairs to groups. Everything in a group must be compatible, so that a chain of pairs cannot join unrelated records. */
function groupPairs(scratch: Scratch, pairs: readonly LikelyPair[]): number[][] {
  const groups = new Map<number, number[]>();
  for (const { a, b } of pairs) {
    const [groupOfA, groupOfB] = [groups.get(a) ?? [a], groups.get(b) ?? [b]];
    if (
      groupOfA === groupOfB ||
      groupOfA.length + groupOfB.length > maxGroup ||
      !areCompatible(scratch, groupOfA, groupOfB)
    )
      continue;
    const joined = [...groupOfA, ...groupOfB];
    for (const record of joined) groups.set(record, joined);
  }
  return [...new Set(groups.values())];
}

function areCompatible(scratch: Scratch, groupOfA: readonly number[], groupOfB: readonly number[]): boolean {
  return groupOfA.every((a) => groupOfB.every((b) => isCompatible(compareMedia(scratch.traits(a), scratch.traits(b)))));
}

type Likeness = Comparison & { like: string };

/** Chooses the record to keep: the fullest one, and among equals the one verified last. Says why the others are duplicates. */
function describeGroup(scratch: Scratch, members: readonly number[]): DuplicateGroup {
  const candidates = members.map((record) => ({ record, candidate: scratch.candidate(record) }));
  const ordered = candidates.toSorted(
    ({ candidate: a }, { candidate: b }) => compareFullness(a, b) || compareTexts(a.id, b.id),
  );
  const drop = ordered.slice(1).map(({ record, candidate }) => {
    const comparisons = ordered.flatMap((other) => {
      const like = other.candidate.id;
      return like === candidate.id
        ? []
        : { like, ...compareMedia(scratch.traits(record), scratch.traits(other.record)) };
    });
    // Compared to the record to keep. If they are not similar enough, to the most similar record.
    const [best] = comparisons as [Likeness];
    const likest = comparisons.reduce((best, other) => (other.score > best.score ? other : best));
    return { record: candidate, ...(best.score >= duplicateScore ? best : likest) };
  });
  return { keep: ordered[0]?.candidate as DuplicateGroup['keep'], drop: drop.toSorted((a, b) => b.score - a.score) };
}
