import { isKnown } from '../fields.ts';
import type { MediaRecord } from '../media-record.ts';

/** Records that seem to be the same medium. */
export interface DuplicateGroup {
  /** The best record: the fullest, then the latest verified. */
  keep: Candidate;
  /** The others, likeliest first. */
  drop: Duplicate[];
}

/** A record that seems to be the same medium as another of its group. */
export interface Duplicate {
  record: Candidate;
  /** How likely it is, from 0 to 100. */
  score: number;
  /** Why, in plain words. */
  reasons: string[];
  /** What speaks against it. */
  against: string[];
  /** The id of the record it was compared with: the kept one, or a likelier one of the group. */
  like: string;
}

/** What is shown of a record among duplicates: enough to tell whether it is one, and no address. */
export interface Candidate {
  id: string;
  name: string;
  url: string | null;
  city: string | null;
  country: string | null;
  /** How many of its fields are known. */
  fields: number;
  last_verified_at: string | null;
}

export function toCandidate(record: MediaRecord): Candidate {
  const { id, name, url, city, country, last_verified_at } = record;
  return { id, name, url, city, country, fields: Object.values(record).filter(isKnown).length, last_verified_at };
}
