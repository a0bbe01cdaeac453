import { findDuplicates } from '../../indexer/records/find-duplicates.ts';
import { duplicateScore } from '../../src/records/duplicates/compare-media.ts';
import type { Candidate } from '../../src/records/duplicates/duplicate-group.ts';
import type { MediaRecord } from '../../src/records/media-record.ts';
import { Dice } from '../../src/sample/dice.ts';
import { dirtyCopy } from './dirty-copy.ts';

/** Two records that are proposed as duplicates, of which neither is a copy of the other. */
export interface ProposedPair {
  score: number;
  reasons: readonly string[];
  keep: Candidate;
  drop: Candidate;
}

/** A copy that was not found, with the name of its original. */
export interface Missed {
  rules: readonly string[];
  name: string;
  copied: string;
}

/** How many copies were made by a rule, and how many of them were found. */
export interface Recall {
  copies: number;
  found: number;
}

export interface Measured {
  records: number;
  groups: number;
  recall: Recall;
  recallByRule: Record<string, Recall>;
  /** Copies that were not found. */
  missed: Missed[];
  /** Proposed pairs of originals: duplicates that were there before, or mistakes. */
  ofOriginals: ProposedPair[];
  /** Proposed pairs of a copy with another record than its original. */
  ofCopies: ProposedPair[];
  leftOut: object;
  /** The greatest memory of the process, in MB. */
  memory: number;
  seconds: number;
}

export interface Copying {
  /** One of so many records is copied. */
  every: number;
  seed: number;
}

const copyOf = (id: string) => `copy-of-${id}`;

/** Adds dirty copies to records, searches for duplicates, and says which copies were found with their originals. */
export async function measureDuplicates(
  records: AsyncIterable<MediaRecord> | Iterable<MediaRecord>,
  { every, seed }: Copying,
): Promise<Measured> {
  const dice = new Dice(seed);
  const recallByRule: Record<string, Recall> = {};
  const recall: Recall = { copies: 0, found: 0 };
  const unfound = new Map<string, Missed>();
  async function* withCopies() {
    let read = 0;
    for await (const record of records) {
      yield record;
      read += 1;
      if (read % every !== 0) continue;
      const copy = dirtyCopy(record, copyOf(record.id), dice);
      unfound.set(record.id, { rules: copy.rules, name: record.name, copied: copy.record.name });
      recall.copies += 1;
      for (const rule of copy.rules) {
        const { copies = 0, found = 0 } = recallByRule[rule] ?? {};
        recallByRule[rule] = { copies: copies + 1, found };
      }
      yield copy.record;
    }
  }
  const started = performance.now();
  const search = await findDuplicates(withCopies(), { minScore: duplicateScore });
  const ofOriginals: ProposedPair[] = [];
  const ofCopies: ProposedPair[] = [];
  for (const { keep, drop } of search.list()) {
    const members = new Map([keep, ...drop.map(({ record }) => record)].map((one) => [one.id, one]));
    for (const { id } of members.values()) {
      const copy = unfound.get(id);
      if (copy === undefined || !members.has(copyOf(id))) continue;
      recall.found += 1;
      for (const rule of copy.rules) (recallByRule[rule] as Recall).found += 1;
      unfound.delete(id);
    }
    for (const { record, like, score, reasons } of drop) {
      if (record.id === copyOf(like) || like === copyOf(record.id)) continue;
      const pair = { score, reasons, keep: members.get(like) as Candidate, drop: record };
      const hasCopy = [record.id, like].some((id) => id.startsWith(copyOf('')));
      (hasCopy ? ofCopies : ofOriginals).push(pair);
    }
  }
  search.close();
  return {
    records: search.searched,
    groups: search.groups,
    recall,
    recallByRule,
    missed: [...unfound.values()],
    ofOriginals,
    ofCopies,
    leftOut: search.leftOut,
    memory: Math.round(process.resourceUsage().maxRSS / 1_024),
    seconds: (performance.now() - started) / 1_000,
  };
}

export function shareOf({ copies, found }: Recall): number {
  return copies === 0 ? 1 : found / copies;
}
