import {
  allOf,
  anyOf,
  type Condition,
  contactWith,
  hostCondition,
  pageCondition,
  phrase,
  type Scope,
  tiersByProminence,
} from '../conditions/conditions.ts';
import { nameConditions } from '../conditions/name-conditions.ts';
import { isUnfinished, namedPerson, partOfContact, type Slips } from '../conditions/people-conditions.ts';
import { fuzzyWord, mayGoOn, meaningOf, strictWord } from '../conditions/word-conditions.ts';
import type { Understanding } from '../search-query.ts';
import { isPlace, type Part, partsToLeave } from '../words/parts.ts';
import { readPartsOfPeople } from '../words/read-parts.ts';
import type { AskedPart } from './asked-parts.ts';
import type { Choice, ChosenPlan, Count } from './choice.ts';
import { exclusionConditions } from './exclusion-conditions.ts';
import type { PlannedQuery } from './plan-query.ts';

/*
 * Plans of a text where contacts are searched (contract A18): each part of it is met by the contact or by its medium, or the text is
 * the name of the medium. Contacts that meet more parts themselves come first.
 */

/** How a plan looks for contacts. */
interface Way {
  /** Where in the medium. */
  scope: Scope;
  slips: Slips;
  /** Whether one of the parts that partsToLeave names may be missing. */
  mayMiss?: boolean;
}

interface MetPart {
  part: Part;
  /** By the contact itself. */
  byContact: Condition;
  /** By the contact or its medium. */
  met: Condition;
  /** The same, but of a place the medium stands there or has it in its name beside another word, and no word is only begun. */
  metFully: Condition;
}

/**
 * Chooses the plan of a text for contacts, by what it finds of the whole database, with the same protocol as chooseMediaPlan: the first
 * that finds a contact of the typed addresses, as typed, as typed with descriptions, with slips, and without one of the words.
 */
export function* chooseContactPlan(text: Understanding): Choice<ChosenPlan> {
  if (text.addresses.length > 0) {
    const plan = planOf(anyOf(text.addresses.map((token) => contactWith({ is: 'address', token }))), []);
    if (yield* findsAny(plan)) return strictly(plan, 'a contact has the address');
  }
  const strict = planContacts(text, { scope: 'traits', slips: 0 });
  if (strict === null) return strictly(null, 'only exclusions were typed');
  if (yield* findsAny(strict)) return strictly(strict, 'it finds a contact without descriptions');
  const described = planContacts(text, { scope: 'anywhere', slips: 0 }) ?? strict;
  if (text.isStrict || (yield* findsAny(described)))
    return strictly(described, 'nothing is found without descriptions');
  const way: Way = { scope: 'anywhere', slips: 1 };
  const fuzzy = planContacts(text, way) ?? described;
  const last = text.isWhole || (yield* findsAny(fuzzy)) ? null : planContacts(text, { ...way, mayMiss: true });
  const why = ['nothing is found as typed'];
  if (last === null) return { name: 'fuzzy', why, plan: fuzzy, asTyped: described, asked: [] };
  return { name: 'last', why, plan: last, asTyped: described, asked: askedOfContacts(text, way) };
}

function strictly(plan: PlannedQuery | null, why: string): ChosenPlan {
  return { name: 'strict', why: [why], plan, asTyped: null, asked: [] };
}

function* findsAny(plan: PlannedQuery): Choice<boolean> {
  const count: Count = { condition: plan.match, limit: 1 };
  return (yield { counts: [count], likely: plan })(count) > 0;
}

/** What no contact of a search may meet: what the text excludes of media, and the same words in the contact itself. */
export function contactExclusions(text: Understanding): Condition[] {
  return [...exclusionConditions(text), ...text.excluded.map((run) => contactWith(phrase(run, 'people')))];
}

/** Null if the text has only exclusions, or nothing that may be missing where something shall be. */
function planContacts(text: Understanding, way: Way): PlannedQuery | null {
  const parts = metParts(text, way);
  const required = [
    ...text.phrases.map((run) => anyOf([contactWith(phrase(run, 'people')), phrase(run, way.scope)])),
    ...text.hosts.map((host) => hostCondition([host])),
    ...text.pages.map((page) => pageCondition(page)),
  ];
  const isOnlyExclusions = text.excluded.length + text.excludedHosts.length + text.excludedPages.length > 0;
  if (parts.length + required.length === 0 && isOnlyExclusions) return null;
  const met = way.mayMiss ? withoutOne(parts) : parts.map(({ met }) => met);
  if (met === null) return null;
  const conditions = [...required, ...met];
  const named = way.mayMiss ? [] : namedPerson(text);
  const match = anyOf([...named, ...namesOfMedium(text, way), ...(conditions.length === 0 ? [] : [allOf(conditions)])]);
  return planOf(match, [...named, ...byWordsMet(match, parts)]);
}

/**
 * By how many parts a contact meets. Of as many, first those of which all parts are met fully, `editor paris` by a medium in Paris; of
 * these, those with two neighbours side by side: both words of `news editor` in the title.
 */
function byWordsMet(match: Condition, parts: readonly MetPart[]): Condition[] {
  const byContact = parts.map((part) => part.byContact);
  const sideBySide = anyOf(
    neighbors(parts.map(({ part }) => part)).map((words) => contactWith(phrase(words, 'people'))),
  );
  const fully = parts.flatMap(({ met, metFully }) => (metFully === met ? [] : metFully));
  return byContact.flatMap((_, place) => {
    const count = byContact.length - place;
    const meets = allOf([match, { is: 'atLeast', count, of: byContact }]);
    const ways = count < 2 ? [meets] : [allOf([meets, sideBySide]), meets];
    return fully.length === 0 ? ways : [...ways.map((way) => allOf([way, ...fully])), ...ways];
  });
}

/** The words of each part and of the next one. */
function neighbors(parts: readonly Part[]): string[][] {
  return parts.slice(1).map(({ words }, place) => [...(parts[place]?.words ?? []), ...words]);
}

function planOf(match: Condition, first: readonly Condition[]): PlannedQuery {
  return { match, nameKey: '', tiers: [...tiersByProminence('people', first), ...tiersByProminence('rest', [match])] };
}

function metParts(text: Understanding, { scope, slips }: Way): MetPart[] {
  const parts = readPartsOfPeople(text.typedWords);
  return parts.map((part, place) => {
    const byContact = contactWith(partOfContact(part, text, slips));
    const isLast = mayGoOn(part) && isUnfinished(part, text);
    const ofMedium = slips === 0 ? strictWord(part, isLast, scope) : fuzzyWord(part, isLast, scope, slips, text);
    const met = anyOf([byContact, ofMedium]);
    if (isPlace(part)) {
      const inName = neighbors(parts.slice(Math.max(0, place - 1), place + 2)).map((words) => phrase(words, 'names'));
      return { part, byContact, met, metFully: anyOf([byContact, meaningOf(part), ...inName]) };
    }
    if (!isLast) return { part, byContact, met, metFully: met };
    const wholeWords = [contactWith(partOfContact(part, text, 0, false)), strictWord(part, false, scope)];
    return { part, byContact, met, metFully: anyOf(wholeWords) };
  });
}

/** All parts but one of those that may be left out; null if none may be, or nothing would be left. */
function withoutOne(parts: readonly MetPart[]): Condition[] | null {
  const optional = partsToLeave(
    parts.map(({ part }) => part),
    false,
  );
  const [missable, needed] = [true, false].map((mayMiss) =>
    parts.filter(({ part }) => optional.includes(part) === mayMiss).map(({ met }) => met),
  ) as [Condition[], Condition[]];
  if (missable.length === 0 || parts.length < 2) return null;
  const count = missable.length - 1;
  return count === 0 ? needed : [...needed, { is: 'atLeast', count, of: missable }];
}

function askedOfContacts(text: Understanding, way: Way): AskedPart[] {
  return metParts(text, way).map(({ part, met }) => ({
    words: part.words,
    condition: anyOf([...namesOfMedium(text, way), met]),
  }));
}

/** The text as the name of a medium: all its contacts. */
function namesOfMedium(text: Understanding, { slips }: Way): Condition[] {
  const { whole, same, handles, near, byConsonants, abbreviated } = nameConditions(text);
  // A host is a part of the text, and all of it must be met.
  const byHost = text.hosts.length + text.pages.length > 0;
  return [
    ...whole,
    ...same,
    ...(byHost ? [] : handles),
    ...abbreviated,
    ...(slips === 0 ? [] : [...near, ...byConsonants]),
  ];
}
