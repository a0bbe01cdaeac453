import { countEdits } from '#text/edit-distance.ts';
import { isKnown, sourceKeys } from '../fields.ts';
import type { MediaRecord } from '../media-record.ts';
import { type NameTraits, type Traits, traitsOf } from './traits.ts';

export interface Comparison {
  /** From 0 to 100. */
  score: number;
  reasons: string[];
  against: string[];
}

/** From this score on two records are proposed as duplicates: a name and a place or site in common, or a page. */
export const duplicateScore = 60;

/** From this score on they are not two results of one list: a site in common is enough. */
const sameMediumScore = 20;

/** What one trait tells for or against it, in points that add up. */
interface Evidence {
  points: number;
  reason?: string;
  against?: string;
}

/** One page without a name in common: perhaps renamed, perhaps two titles of one publisher. */
export const otherName = 'other name';

/** Whether two records of a kind are the same medium, entered twice, or so close to it that one of them says enough. */
export function isSameMedium(a: MediaRecord, b: MediaRecord): boolean {
  return isCompatible(compareMedia(traitsOf(a), traitsOf(b)));
}

/** Whether a comparison leaves it possible that both are one medium. */
export function isCompatible({ score }: Comparison): boolean {
  return score >= sameMediumScore;
}

/** By names, sites and places (docs/decisions/0087). A place or language tells nothing without a name in common. */
export function compareMedia(a: Traits, b: Traits): Comparison {
  if (a.kind !== b.kind || differ(a.type, b.type)) return { score: 0, reasons: [], against: [] };
  const place = comparePlaces(a, b);
  const site = compareSites(a, b);
  const isRenamed = site.isPage === true && place.points >= 0;
  const name = compareNames(a, b) ?? { points: isRenamed ? 10 : 0, against: otherName };
  const counted = name.reason !== undefined || place.points < 0 ? place : { points: 0 };
  const evidence: Evidence[] = [name, site, counted, compareLanguages(a, b), compareLists(a, b, place)];
  const score = evidence.reduce((sum, { points }) => sum + points, 0);
  return {
    score: Math.max(0, Math.min(100, score)),
    reasons: evidence.flatMap(({ reason }) => reason ?? []),
    against: evidence.flatMap(({ against }) => against ?? []),
  };
}

/** Whether two values are known and differ. */
function differ(a: string | null, b: string | null): boolean {
  return a !== null && b !== null && a !== b;
}

/** What they have in common by name; null: nothing. */
function compareNames(a: Traits, b: Traits): Evidence | null {
  if (a.name.own === b.name.own) return { points: 50, reason: 'same name' };
  if (a.name.loose === b.name.loose) return { points: 48, reason: 'same name but for an article or "and"' };
  if (a.name.bare === b.name.bare && !differ(a.city, b.city)) {
    return { points: 42, reason: 'same name but for the city' };
  }
  if (differInOneLetter(a.name.loose, b.name.loose)) {
    const isLong = Math.min(a.name.loose.length, b.name.loose.length) >= minLongName;
    return { points: isLong ? 40 : 25, reason: 'names that differ in one letter' };
  }
  if (isAmong(a.name, b.aliases) || isAmong(b.name, a.aliases)) {
    return { points: 35, reason: 'the name of one is an alias of the other' };
  }
  return a.aliases.some((alias) => isAmong(alias, b.aliases)) ? { points: 25, reason: 'an alias in common' } : null;
}

function isAmong(name: NameTraits, candidates: readonly NameTraits[]): boolean {
  return candidates.some(({ loose }) => loose === name.loose);
}

/** Below this length, one letter may make another name: call signs, `Star` and `Stir`. */
const minLongName = 7;
const minTypoLength = 4;

/** Digits name a station, an edition or a year, so none of them is a typo; nor is the band of a station. */
function differInOneLetter(a: string, b: string): boolean {
  if (Math.min(a.length, b.length) < minTypoLength || countEdits(a, b, 1) > 1) return false;
  return digitsOf(a) === digitsOf(b) && bandOf(a) === bandOf(b);
}

function digitsOf(name: string): string {
  return name.replace(/\P{N}/gu, '');
}

/** The letters before a frequency or at the end. */
function bandOf(name: string): string | undefined {
  return /[af]m(?=\d|$)/.exec(name)?.[0];
}

function compareSites(a: Traits, b: Traits): Evidence & { isPage?: boolean } {
  const isBroadcast = a.type === 'radio' || a.type === 'tv';
  if (a.kind === 'podcast' && a.feed !== null && b.feed !== null) {
    return a.feed === b.feed ? { points: 70, reason: 'same feed' } : { points: -60, against: 'other feed' };
  }
  if (a.page !== null && a.page === b.page) return { points: 50, reason: 'same page', isPage: true };
  if (a.feed !== null && a.feed === b.feed) return { points: 35, reason: 'same feed' };
  if (a.host === null || b.host === null) return { points: 0 };
  // Stations of one call sign on other frequencies have sites of their own.
  if (a.host !== b.host) return { points: isBroadcast ? -30 : -15, against: 'other site' };
  const isHome = a.page === a.host || b.page === b.host;
  return isHome ? { points: 20, reason: 'same site' } : { points: 5, reason: 'pages of the same site' };
}

function comparePlaces(a: Traits, b: Traits): Evidence {
  if (differ(a.country, b.country)) return { points: -50, against: 'other country' };
  if (differ(a.city, b.city)) return { points: -35, against: 'other city' };
  if (differ(a.region, b.region)) return { points: -35, against: 'other region' };
  if (a.city !== null && b.city !== null) {
    // Without its country or region a city may be another of that name.
    const isCertain = a.country === b.country && a.region === b.region;
    return { points: isCertain ? 30 : 20, reason: 'same city' };
  }
  if (a.country === null || b.country === null) return { points: 0 };
  return { points: a.city === b.city ? 15 : 5, reason: 'same country' };
}

function compareLanguages(a: Traits, b: Traits): Evidence {
  return differ(a.language, b.language) ? { points: -15, against: 'other language' } : { points: 0 };
}

/** A list without sites that came in again, with its country: what one of two namesakes lacks contradicts nothing. */
function compareLists(a: Traits, b: Traits, place: Evidence): Evidence {
  const [linkOfA, linkOfB] = [a, b].map(({ page, feed }) => page ?? feed);
  const isPlaced = [a, b].some(({ country, region, city }) => country !== null || region !== null || city !== null);
  const isOpen = (linkOfA === null || linkOfB === null) && (isPlaced || linkOfA !== linkOfB);
  const isAlike = a.name.own === b.name.own && isOpen && place.points >= 0 && place.points < 10;
  return isAlike ? { points: 10, reason: 'one without a site' } : { points: 0 };
}

export interface DuplicateGroup<Member = Candidate> {
  /** The best record: the fullest, then the latest verified. */
  keep: Member;
  /** The others, likeliest first. */
  drop: Duplicate<Member>[];
}

interface Duplicate<Member = Candidate> {
  record: Member;
  /** How likely it is, from 0 to 100. */
  score: number;
  reasons: string[];
  against: string[];
  /** The id of the record it was compared with: the kept one, or a likelier one of the group. */
  like: string;
}

/** What the search for duplicates keeps of a record, in a temporary file: enough to tell whether it is one, and no address. */
export type Candidate = ReturnType<typeof toCandidate>;

/** The fullest first, of equally full ones the latest verified. */
export function compareFullness(a: Candidate, b: Candidate): number {
  return b.fields - a.fields || (b.last_verified_at ?? '').localeCompare(a.last_verified_at ?? '');
}

/** Contacts count by what the first of them shows. */
const countedKeys = sourceKeys.filter((key) => key !== 'contacts' && key !== 'contact_count');

export function toCandidate(record: MediaRecord) {
  const { id, name, url, city, country, last_verified_at } = record;
  return {
    id,
    name,
    url,
    city,
    country,
    /** How many of its fields are known. */
    fields: countedKeys.filter((key) => isKnown(record[key])).length,
    last_verified_at,
  };
}
