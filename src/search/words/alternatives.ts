import { kinds } from '#records/vocabularies.ts';
import { linkingWords, orWords, smallWords } from '#text/name-keys.ts';
import { anyKind, anyLanguage, anyNews, anySubject, hasKind, hasNature, isOfKind, type Part } from './parts.ts';
import { isFiller } from './query-words.ts';

export const anyTopic = /^topic\./;

/** Kinds of concepts, of which a medium mostly has one. Several of one kind are alternatives. */
const otherLevels = ['same', 'network', 'country', 'region', 'city', 'coverage', 'frequency'];
const levels = [anyKind, anyTopic, anyLanguage, ...otherLevels.map((level) => new RegExp(`^${level}\\.`))];

/** Joins kinds, communities, places or languages around "and" or "or" to one part: `radio in spain, portugal and italy`. */
export function joinAlternatives(parts: readonly Part[]): Part[] {
  const joined: Part[] = [];
  for (const typed of parts.map(asKindAmongKinds)) {
    const place = placeBeforeLink(joined);
    const [before, link, ...between] = joined.slice(place);
    const isLinked = linkingWords.has(link?.words[0] ?? '') && between.length <= maxBetween;
    const part = before && isLinked ? asAlternative(typed, before) : typed;
    if (before && link && isLinked && areAlternatives([before, part])) {
      joined.splice(place + 1);
      const alternatives = joined.splice(joined.findLastIndex((other) => !areAlternatives([other, part])) + 1);
      const words = [...alternatives, link, ...between, part].flatMap(({ words }) => words);
      const either = [...alternatives, part].flatMap((alternative) => alternative.either ?? [alternative]);
      const isOfTopics = part.concepts.some((concept) => anyTopic.test(concept));
      joined.push({ words, concepts: either.flatMap(({ concepts }) => concepts), ...(isOfTopics && { either }) });
    } else joined.push(part);
  }
  return joined;
}

/** Beside a kind, words and topics around "or" as one part, of which a record has one: `tennis or boxing podcasts`. */
export function joinWordsAroundOr(parts: readonly Part[]): Part[] {
  const joined: Part[] = [];
  for (const part of parts) {
    const place = placeBeforeLink(joined);
    const [before, ...between] = joined.slice(place);
    const isLinked = orWords.has(between[0]?.words[0] ?? '') && between.length <= maxBetween;
    if (before && isLinked && [before, part].every(isSubject) && parts.some(isOfKind)) {
      const words = [before, ...between, part].flatMap(({ words }) => words);
      const either = [...(before.either ?? [before]), { words: part.words, concepts: part.concepts }];
      joined.splice(place, joined.length, { words, concepts: [], either });
    } else joined.push(part);
  }
  return joined;
}

/** Where the last part is behind which only small words follow: `le tennis ou la boxe`, `in österreich oder in der schweiz`. */
const placeBeforeLink = (parts: readonly Part[]) =>
  parts.findLastIndex(({ words: [word = ''] }) => !smallWords.has(word) && !linkingWords.has(word));

/** A preposition and an article. */
const maxBetween = 2;

/** A word that stands for nothing, or only for a topic. */
const isSubject = ({ words: [word = '', ...more], concepts, either }: Part) =>
  concepts.every((concept) => anySubject.test(concept)) &&
  (either !== undefined || concepts.length > 0 || (more.length === 0 && !isFiller(word)));

/** A last word as what it begins of the level of the part before: `oklah` of `texas or oklah`. */
function asAlternative(part: Part, before: Part): Part {
  const { words, begun = [] } = part;
  const concepts = begun.filter((concept) => areAlternatives([before, { words, concepts: [concept] }]));
  return concepts.length > 0 ? { words, concepts } : part;
}

/** `diarios y radios`: what also says how often is only a kind where "and" joins it to one. */
function asKindAmongKinds(part: Part, at: number, parts: readonly Part[]): Part {
  const isJoined = [-1, 1].some((step) => {
    const [link, other] = [parts[at + step], parts[at + 2 * step]];
    return link && other && linkingWords.has(link.words[0] ?? '') && hasKind(other) && !hasNature(other);
  });
  const ofKind = part.concepts.filter((concept) => anyKind.test(concept));
  return isJoined && ofKind.length > 0 && hasNature(part) ? { ...part, concepts: ofKind } : part;
}

/** Whether all parts say what kind a medium is, or all whom it is for, or where it is, or in which language. */
export function areAlternatives(parts: readonly Part[]): boolean {
  const isSame = (level: RegExp) => parts.every(({ concepts }) => concepts.some((concept) => level.test(concept)));
  const isOfLevel = (concept: string) => [...levels, anyNews].some((level) => level.test(concept));
  const areAlike = new Set(parts.map(hasNature)).size === 1 && levels.some(isSame);
  // In `quali sono i giornali`, "i" is an article.
  const isOfAnyKind = parts.some(({ concepts }) => kinds.every((name) => concepts.includes(`kind.${name}`)));
  return areAlike && !isOfAnyKind && parts.flatMap(({ concepts }) => concepts).every(isOfLevel);
}

/** Whether all parts can only be that. Washington may be a city or a state: `seattle, washington, usa`. */
export function areOfOneLevel(parts: readonly Part[]): boolean {
  return levels.some((level) =>
    parts.every(({ concepts: [...names] }) => names.length > 0 && names.every((concept) => level.test(concept))),
  );
}
