import { perObject } from '#text/memoize.ts';
import { hasForms, sortedName } from '../indexed/name-forms.ts';
import type { Understanding } from '../search-query.ts';
import { isOfKind, isPlace, isRecognized, type Part } from '../words/parts.ts';
import { readPartsOfPeople } from '../words/read-parts.ts';
import { stemsOfTyped } from '../words/stems.ts';
import { allOf, anyOf, type Condition, concept, contactWith, isName, wordIn } from './conditions.ts';
import { asksForWords } from './name-conditions.ts';
import { maxEdits } from './typo-tolerance.ts';
import { strictWord } from './word-conditions.ts';

/* People at media: what of a text one of them meets by name, title and beats, and what her medium. */

/** A shorter word of a person has no slip. */
const minLengthSlip = 5;
/** A longer text has too many ways to be of a person and of her medium: she has its beginning or its end. */
const maxPartsInside = 5;
const maxPartsToSplit = 10;

/** More words are hardly a name. */
const maxWordsOfName = 4;

/** How many typos a word of a person may have. */
export type Slips = 0 | 1;

/** Whether a part may be unfinished, as the last word of a text is. */
export function isUnfinished(part: Part, { typedWords }: Understanding): boolean {
  return part.words.at(-1) === typedWords.at(-1) && part === readPartsOfPeople(typedWords).at(-1);
}

/** A condition within `contact`: a part in the name, the title or the beats of a contact, or a topic that a beat stands for. */
export function partOfContact(
  part: Part,
  text: Understanding,
  slips: Slips,
  mayBeBegun = isUnfinished(part, text),
): Condition {
  if (part.either !== undefined)
    return anyOf(part.either.map((alternative) => partOfContact(alternative, text, slips, mayBeBegun)));
  const [word = '', ...more] = part.words;
  const topics = part.concepts.filter((conceptName) => conceptName.startsWith('topic.')).map(concept);
  const asTyped = [strictWord(part, mayBeBegun, 'people'), ...topics];
  if (more.length > 0) return anyOf(asTyped);
  const stems = stemsOfTyped(word).map((stem) => wordIn(stem, 'people'));
  const mayBeMistyped = word.length >= minLengthSlip && !isOfKind(part);
  const edits = !mayBeMistyped ? 0 : (Math.min(maxEdits(word), slips) as Slips);
  const mistyped: Condition[] = edits === 0 ? [] : [{ is: 'word', word, unfinished: false, edits, in: 'people' }];
  return anyOf([...asTyped, ...stems, ...mistyped]);
}

/** A contact whose name is the text, in either order; empty for a text of one word, or one that can be no name. */
export const namedPerson = perObject((text: Understanding): readonly Condition[] => {
  const isFullName = !asksForMore(text) && text.nameKey.includes(' ') && hasForms(text.nameKey);
  return isFullName ? [contactWith(isName('sorted', [sortedName(text.nameKey)]))] : [];
});

/**
 * A contact that meets all of the text, or some of it while its medium meets the rest: `ann one daily a`, `education reporter boston`.
 * Either what the contact meets stands together in the text, or what the medium does. Empty for a text that asks for words or a host.
 */
export function peopleConditions(text: Understanding, slips: Slips): readonly Condition[] {
  return slips === 0 ? peopleAsTyped(text) : peopleWithSlips(text);
}

const peopleAsTyped = perObject((text: Understanding) => findPeople(text, 0));
const peopleWithSlips = perObject((text: Understanding) => findPeople(text, 1));

function findPeople(text: Understanding, slips: Slips): readonly Condition[] {
  const parts = readPartsOfPeople(text.typedWords);
  if (asksForMore(text) || parts.length > maxPartsToSplit) return [];
  const ofContact = new Map(parts.map((part) => [part, partOfContact(part, text, slips)]));
  const ofMedium = new Map(parts.map((part) => [part, strictWord(part, isUnfinished(part, text), 'traits')]));
  const meets = (byContact: readonly Part[]) => {
    const byMedium = parts.filter((part) => !byContact.includes(part));
    return allOf([
      contactWith(...byContact.map((part) => ofContact.get(part) as Condition)),
      ...byMedium.map((part) => ofMedium.get(part) as Condition),
    ]);
  };
  const mayBeAll = !parts.every(isOfKind);
  return waysToSplit(parts)
    .filter((byContact) => byContact.some(mayTellPerson) || (mayBeAll && byContact.length === parts.length))
    .filter((byContact) => (slips === 0 && parts.length <= maxPartsInside) || mayBeNameAtEnd(byContact, parts))
    .map(meets);
}

/** Whether a text has quotes, exclusions or hosts beside its words. */
function asksForMore(text: Understanding): boolean {
  return asksForWords(text) || text.hosts.length + text.pages.length > 0;
}

/** The parts that a contact may meet: runs of them, the whole first, and what runs leave. */
function waysToSplit(parts: readonly Part[]): (readonly Part[])[] {
  const ways = new Map<string, readonly Part[]>();
  const add = (byContact: readonly Part[]) =>
    ways.set(byContact.map((part) => parts.indexOf(part)).join(' '), byContact);
  for (let length = parts.length; length > 0; length -= 1) {
    for (let start = 0; start + length <= parts.length; start += 1) {
      const run = parts.slice(start, start + length);
      add(run);
      add(parts.filter((part) => !run.includes(part)));
    }
  }
  return [...ways.values()].filter(({ length }) => length > 0);
}

/** Whether these parts may be a name beside byMedium: few, together, at an end of the text. An engine works long for each mistyped word. */
function mayBeNameAtEnd(byContact: readonly Part[], parts: readonly Part[]): boolean {
  const [first, last] = [parts.indexOf(byContact[0] as Part), parts.indexOf(byContact.at(-1) as Part)];
  const isTogether = last - first + 1 === byContact.length;
  return byContact.length <= maxWordsOfName && isTogether && (first === 0 || last === parts.length - 1);
}

/** Whether a part tells people apart, as names, titles and topics do. Places, kinds and languages are of media. */
export function mayTellPerson(part: Part): boolean {
  return (
    !isRecognized(part) ||
    (!isPlace(part) &&
      !isOfKind(part) &&
      !part.concepts.every((conceptName) => /^(?:language|coverage|frequency)\./.test(conceptName)))
  );
}
