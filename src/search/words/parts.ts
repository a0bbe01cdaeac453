/* What a part of a typed text is, and what its concepts say. */

export const anyKind = /^(?:kind|type)\./;
/** The nature of a medium: how far it reaches and how often it appears. */
export const anyNature = /^(?:coverage|frequency)\./;
export const anyLanguage = /^language\./;
export const anyNews = /^topic\.(?:general|local)_news$/;
export const anySubject = /^(?:topic|same|network)\./;
export const anyPlace = /^(?:country|region|city)\./;

/** A part of what was typed: words that stand for something together, or one word of a name or a text. */
export interface Part {
  words: readonly string[];
  /** A record has any of them. Empty for a word that stands for nothing. */
  concepts: readonly string[];
  /** Of topics between which there is "and" or "or": a record has one of them. */
  either?: readonly Part[];
  /** What the last word of a text may begin, alone or with those before it: `vermo` → region.us.vt. */
  begun?: readonly string[];
}

/** Whether a part stands for something, as "radio" does and "weathercock" does not. */
export const isRecognized = ({ concepts }: Part): boolean => concepts.length > 0;

/** What a part stands for, or else what it begins. */
export const likelyConcepts = ({ concepts, begun = [] }: Part) => (concepts.length > 0 ? concepts : begun);

/** Whether a part stands for something, or begins what does. */
export const isLikely = (part: Part): boolean => likelyConcepts(part).length > 0;

export const isOfLanguage = ({ concepts }: Part): boolean => concepts.some((concept) => anyLanguage.test(concept));

export const isPlace = (part: Part): boolean => likelyConcepts(part).some((concept) => anyPlace.test(concept));

/** A last word of so few letters says nothing yet. In UTF-16 code units. */
const maxHardlyBegun = 2;

/**
 * The parts of which one may be missing from a record: words, beside these also topics (`student paper at harvard`), and beside
 * a place if no record `isFound` (`sports radio boston`).
 */
export function partsToLeave(parts: readonly Part[], isFound: boolean): Part[] {
  const isWord = (part: Part) => likelyConcepts(part).length === 0;
  // Who has typed `pbs ki` goes on: not all that begins so is meant instead.
  const isHardlyBegun = (part: Part) => part === parts.at(-1) && part.words.join('').length <= maxHardlyBegun;
  const mayLeaveTopics = parts.some((part) => (isWord(part) && !isHardlyBegun(part)) || (!isFound && isPlace(part)));
  return parts.filter((part) => isWord(part) || (mayLeaveTopics && isTopic(part)));
}

const isTopic = (part: Part) => !isOfKind(part) && part.concepts.some((concept) => anySubject.test(concept));

/** Whether these parts may be a name: nothing but words for a kind is recognized. */
export const mayBeName = (parts: readonly Part[]) => parts.every((part) => !isRecognized(part) || isOfKind(part));

/** Whether a part only says what kind of media is meant, as "radio" and "news" do. */
export function isOfKind(part: Part): boolean {
  const concepts = likelyConcepts(part);
  return concepts.length > 0 && concepts.every(isKind);
}

/** Whether a part says what kind of media is meant, or begins what may: `maga` begins Magadan and "magazine". */
export const mayBeOfKind = (part: Part) => isOfKind(part) || (part.begun ?? []).some(isKind);

/** Whether a concept says what kind of media is meant. */
export const isKind = (concept: string) => [anyKind, anyNews, anyNature].some((pattern) => pattern.test(concept));

/** Stands for media of which nobody knows how far they reach, or how often they appear. */
export const unknownNature = '.unknown';

/** An unfinished word may begin one kind. `sho` begins several, and says none. */
export const hasKind = ({ concepts, begun = [] }: Part) =>
  concepts.some((concept) => anyKind.test(concept)) ||
  (concepts.length === 0 && begun.filter((concept) => anyKind.test(concept)).length === 1);

export const hasNature = ({ concepts }: Part) => concepts.some((concept) => anyNature.test(concept));

/** The part without `frequency.unknown` and `coverage.unknown`; null if it has neither. */
export function withoutUnknown({ words, concepts }: Part): Part | null {
  const knownNatures = concepts.filter((concept) => !concept.endsWith(unknownNature));
  return knownNatures.length < concepts.length ? { words, concepts: knownNatures } : null;
}
