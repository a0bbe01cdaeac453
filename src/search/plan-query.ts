import { isSpaceless } from '#text/fold.ts';
import { once } from '#text/memoize.ts';
import {
  allOf,
  anyOf,
  type Condition,
  concept,
  described,
  isName,
  named,
  phrase,
  planHosts,
  type Tier,
} from './conditions.ts';
import { withoutLastOfTwo } from './name-forms.ts';
import { asksForWords, planNames } from './plan-names.ts';
import { fuzzyWord, readText, strictWord, type WordPlanner } from './plan-words.ts';
import { isOfKind, type Part, readParts } from './read-parts.ts';
import type { TextQuery } from './search-query.ts';
import { conceptsOf } from './search-words.ts';
import { maxEdits } from './typo-tolerance.ts';

/**
 * The query plan: what a typed text searches for and in which order, decided once for every engine (docs/search.md). An
 * engine renders conditions and decides nothing. Which of the plans of a text is used says choosePlan.
 */

export interface PlannedQuery {
  match: Condition;
  /** Best first; within a tier the more prominent ones (order-equals.ts). All are within `match`, which is the last. */
  tiers: readonly Tier[];
  /** The typed name, which order-equals.ts compares. */
  nameKey: string;
}

/** With more words the rarest is not looked for, because each is rare enough. */
const maxToLeave = 4;

export function wholeName({ nameKey }: Pick<TextQuery, 'nameKey'>): Condition {
  return isName('whole', [nameKey]);
}

/** A name that differs from the typed one by one slip; null if what was typed stands for something as it is. */
function planSlip(text: TextQuery): Condition | null {
  const parts = readParts(text.typedWords);
  if (text.hosts.length > 0 || (parts.length > 0 && parts.every(({ concepts }) => concepts.length > 0))) return null;
  const { near, shorter } = planNames(text);
  const slips = [...near, ...(mayBeName(parts) ? shorter : [])];
  return slips.length === 0 ? null : anyOf(slips);
}

/** Every word (the last also as a prefix) or what it stands for, phrase and host. Null if only exclusions. */
export function planStrict(text: TextQuery): PlannedQuery | null {
  const isOnlyExclusions = text.excluded.length + text.excludedHosts.length > 0;
  const reading = readText(text, strictWord);
  if (reading.isEmpty && isOnlyExclusions) return null;
  const names = planNames(text);
  // Behind an article, a word that stands for something may begin a name: `El Fin`.
  const begun = text.words.length < text.typedWords.length ? names.begun : [];
  const byName = [...names.whole, ...names.same, ...names.known, ...begun, ...names.abbreviated, ...names.people];
  return arrange(text, anyOf([...byName, ...(reading.isEmpty ? [] : [reading.match])]), () => [
    ...named([...names.whole, ...names.same, ...names.known, ...names.begun, ...names.longer]),
    ...described(reading.described),
    ...named(names.abbreviated),
    ...reading.tiers,
  ]);
}

/**
 * Corrected: each word or one near it; a name may be typed with two slips, or with a word too many. What was recognized
 * binds; of three or more words that were not, one may be missing. Null if there is nothing to correct.
 */
export function planFuzzy(text: TextQuery): PlannedQuery | null {
  return planCorrected(text, 1, readParts(text.typedWords));
}

/** A name that the fuzzy query is right about: with one slip, or with all of the words. */
function planCalled(text: TextQuery): Condition {
  const { near } = planNames(text);
  const parts = readParts(text.typedWords);
  const inNames = allOf(
    parts.map((part, place): Condition => {
      const [word = ''] = part.words;
      const isLast = place === parts.length - 1;
      if (part.words.length > 1 || isSpaceless(word)) return strictWord(part, isLast, 'names');
      return { is: 'word', word, unfinished: isLast, edits: Math.min(maxEdits(word), 1) as 0 | 1, in: 'names' };
    }),
  );
  return anyOf([...near, ...(text.words.length < 2 ? [] : [inNames])]);
}

/** With names that have two slips, which take an engine longer than all else; null if there can be none. */
function planFar(text: TextQuery): PlannedQuery | null {
  const parts = readParts(text.typedWords);
  const isDescribed = parts.length > 0 && parts.every(({ concepts }) => concepts.length > 0);
  return isDescribed || planNames(text).far.length === 0 ? null : planCorrected(text, 1, parts, { mayBeFar: true });
}

/** The words beside what was recognized, of which the last query leaves one out, each as it is looked for. */
function wordsToLeave(text: TextQuery): { part: Part; condition: Condition }[] {
  const parts = readParts(text.typedWords);
  const words = parts.filter(({ concepts }) => concepts.length === 0);
  if (words.length < 2 || words.length > maxToLeave || words.length === parts.length) return [];
  return words.map((part) => ({ part, condition: fuzzyWord(part, false, 'anywhere', 1, text) }));
}

/** Whether a text says so much of what is meant that hardly anything is all of it. */
function isDescription(text: TextQuery): boolean {
  const parts = readParts(text.typedWords);
  return parts.length > 2 && parts.some(({ concepts }) => concepts.length > 0);
}

/**
 * The last query, if the others find nothing, or hardly anything that was described: two slips in a word, a name and a word
 * that is not of it, and without the words that only say what kind of media is meant.
 *
 * @param telling the rarest word, which may not be missing
 */
function planLast(text: TextQuery, telling: Part | null, mayBeFar: boolean): PlannedQuery | null {
  const name = asksForWords(text) ? null : withoutLastOfTwo(text.nameKey);
  const shorter = name === null ? [] : [isName('compact', [name])];
  const parts = readParts(text.typedWords);
  const needed = parts.filter((part) => !isOfKind(part));
  const isBound = parts.some(({ concepts }) => concepts.length > 0);
  const ways = [
    planCorrected(text, 2, needed.length === 0 ? parts : needed, { telling, mayBeFar }),
    ...(isBound ? [planCorrected(text, 2, parts, { telling, mayMiss: true, mayBeFar })] : []),
  ].filter((way) => way !== null);
  if (ways.length + shorter.length === 0) return null;
  return arrange(text, anyOf([...shorter, ...ways.map(({ match }) => match)]), () => [
    ...named(shorter),
    ...ways.flatMap(({ tiers }) => tiers),
  ]);
}

function planCorrected(
  text: TextQuery,
  mostEdits: 1 | 2,
  parts: readonly Part[],
  {
    telling = null,
    mayMiss = false,
    mayBeFar = false,
  }: { telling?: Part | null; mayMiss?: boolean; mayBeFar?: boolean } = {},
): PlannedQuery | null {
  const fuzzy: WordPlanner = (part, isLast, scope) => fuzzyWord(part, isLast, scope, mostEdits, text);
  const reading = readText(text, fuzzy, parts, telling);
  if (reading.isEmpty) return null;
  const isFree = mayMiss || parts.every(({ concepts }) => concepts.length === 0);
  const match = isFree ? reading.mostOf : reading.match;
  const names = planNames(text);
  const byName = [
    ...names.whole,
    ...names.same,
    ...names.known,
    ...names.near,
    ...(mayBeFar ? names.far : []),
    ...names.byConsonants,
    ...names.abbreviated,
    ...names.shorter,
    ...names.outlined,
    ...names.people,
  ];
  const found = anyOf([...byName, match]);
  return arrange(text, found, () => {
    const strict = readText(text, strictWord);
    const far = mayBeFar ? names.far : names.far.map((one) => allOf([one, found]));
    return [
      ...named([...names.whole, ...names.same, ...names.known, ...names.begun, ...names.longer, ...names.near]),
      // Beside a place or a topic, the name that is left may be of another medium.
      ...(mayBeName(parts) ? named([...far, ...names.shorter]) : []),
      ...described(strict.described),
      ...strict.tiers,
      ...named([...far, ...names.byConsonants]),
      ...described(reading.described),
      ...reading.tiers,
      ...named([...names.shorter, ...names.outlined]),
    ];
  });
}

/** Whether nothing but kinds was recognized. */
const mayBeName = (parts: readonly Part[]) => parts.every((part) => part.concepts.length === 0 || isOfKind(part));

/** The match is the last tier; some may be there twice. Counts of facets, and plans that are not chosen, need no tiers. */
function arrange({ nameKey }: TextQuery, match: Condition, makeTiers: () => readonly Tier[]): PlannedQuery {
  const tiers = once(() => {
    const all = [...makeTiers(), { condition: match, comparesNames: false }];
    return all.filter(({ condition }) => !('of' in condition && condition.of.length === 0));
  });
  return {
    match,
    nameKey,
    get tiers() {
      return tiers();
    },
  };
}

/** Words for only one concept exclude it too: "-radio" all radio stations, "-news" only the word. */
export function planExclusions(text: TextQuery): Condition[] {
  const concepts = text.excluded
    .map((run) => (run.length === 1 ? conceptsOf(run[0] ?? '') : []))
    .filter(({ length }) => length === 1)
    .flat();
  return [
    ...text.excluded.map((run) => phrase(run, 'anywhere')),
    ...concepts.map(concept),
    ...text.excludedHosts.map((host) => planHosts([host])),
  ];
}

/** What an engine is asked before a plan is chosen: how many records meet each condition, counted up to `limit`. */
export interface Count {
  condition: Condition;
  limit: number;
  /** Whether all that it finds is among what the likely plan finds. */
  isWithin?: true;
}

/** The plan by which a text is answered; null if the text has only exclusions. */
export interface ChosenPlan {
  plan: PlannedQuery | null;
  /** The strict plan, if the chosen one is another. */
  asTyped: PlannedQuery | null;
}

/** Counts to answer, and the plan that will most likely be chosen: an engine may begin with it. */
interface Question {
  counts: readonly Count[];
  likely: PlannedQuery;
}

/** Words of so many records are alike in telling nothing. */
const common = 2_000;

/**
 * Chooses the strict plan if it finds enough, unless there is a name that only differs by a slip, or if a name equals the
 * text; otherwise the fuzzy one, with names that have two slips if it finds none with one; the last one if that finds nothing,
 * or few that were described. The choice depends on the text alone, over the whole database: never on filters.
 * Yields what it needs to know, for engines that answer at once or later.
 */
export function* choosePlan(text: TextQuery): Generator<Question, ChosenPlan, readonly number[]> {
  const strict = planStrict(text);
  if (strict === null || text.isStrict) return { plan: strict, asTyped: null };
  // A host or a phrase with any match was meant; a word may be mistyped.
  const enough = text.words.length === 0 ? 1 : 5;
  const counts: Count[] = [
    { condition: strict.match, limit: enough },
    { condition: wholeName(text), limit: 1, isWithin: true },
  ];
  const [all = 0, named = 0] = yield { counts, likely: strict };
  if (named > 0) return { plan: strict, asTyped: null };
  if (all >= enough) {
    const slip = planSlip(text);
    const [slips = 0] = slip === null ? [] : yield { counts: [{ condition: slip, limit: 1 }], likely: strict };
    if (slips === 0) return { plan: strict, asTyped: null };
  }
  const fuzzy = planFuzzy(text);
  if (fuzzy === null) return { plan: strict, asTyped: null };
  const least = isDescription(text) ? enough : 1;
  // What is there as it was typed has hardly two slips.
  const called: Count[] = all > 0 ? [] : [{ condition: planCalled(text), limit: 1, isWithin: true }];
  // Nine of ten that have such words come to the last query.
  const words = wordsToLeave(text);
  const rare: Count[] = words.map(({ condition }) => ({ condition, limit: common }));
  const [corrected = 0, ...counted] = yield {
    counts: [{ condition: fuzzy.match, limit: least }, ...called, ...rare],
    likely: fuzzy,
  };
  const rarity = counted.slice(called.length);
  const far = called.length > 0 && counted[0] === 0 ? planFar(text) : null;
  const [found = 0] =
    far === null ? [corrected] : yield { counts: [{ condition: far.match, limit: least }], likely: far };
  if (found >= least) return { plan: far ?? fuzzy, asTyped: strict };
  const known = words.filter((_, place) => (rarity[place] ?? 0) > 0);
  const [telling] = known.toSorted((a, b) => (rarity[words.indexOf(a)] ?? 0) - (rarity[words.indexOf(b)] ?? 0));
  const last = planLast(text, telling?.part ?? null, far !== null && found > 0);
  return { plan: last ?? fuzzy, asTyped: strict };
}
