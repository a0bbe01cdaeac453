import { isSpaceless } from '#text/fold.ts';
import { standsForNobody } from '#text/pages.ts';
import {
  allOf,
  anyOf,
  type Condition,
  hostCondition,
  pageCondition,
  tiersByProminence,
} from '../conditions/conditions.ts';
import { nameConditions } from '../conditions/name-conditions.ts';
import { namedPerson } from '../conditions/people-conditions.ts';
import { maxEdits } from '../conditions/typo-tolerance.ts';
import { strictWord } from '../conditions/word-conditions.ts';
import type { Understanding } from '../search-query.ts';
import { withoutLastWord } from '../understanding/understand.ts';
import { endsUnsaid, readUnfinished } from '../words/begun-words.ts';
import { isLikely, isPlace, isRecognized, mayBeOfKind } from '../words/parts.ts';
import { isValueWord } from '../words/query-words.ts';
import { askedParts, forgivingOneTypo, withEveryPart } from './asked-parts.ts';
import {
  type Choice,
  type ChosenPlan,
  type CorrectedPlan,
  type Count,
  countOne,
  enoughRecords,
  mostCounted,
} from './choice.ts';
import { chooseLast, mistypedName } from './choose-last-plan.ts';
import { countWords, rankWords } from './count-words.ts';
import { joinBegun, planBegun, withBegun } from './plan-begun.ts';
import { joinPlans, type PlannedQuery, planFarNames, planFuzzy, planStrict, wholeName } from './plan-query.ts';

/** If so many times more records have words like the typed one, it is mistyped, although some records have it too. */
const mostPerTyped = 50;
const noNameNear = 'no name has one typo or one word less';

/** A text with so many words that ask for nothing is hardly a name. */
const minWordsOfQuestion = 2;

/** If so many times more records have what a last word begins, it may be unfinished, although it stands for something. */
const mostPerWhole = 10;

/**
 * Chooses the plan of a text by how many records of the whole database it finds: filters never change the choice. Yields
 * what an engine must count, at once or later, in up to five rounds. It chooses the first of these:
 * - the records of a typed address, for callers who see addresses;
 * - the strict plan, if a name equals the text, or if it finds enough and no name has one typo or one word less;
 * - the fuzzy plan, if it finds a record, or enough for a description such as `radio berlin weathercock`. If there is no
 *   name near the text, this plan also finds names with two typos;
 * - the last plan.
 */
export function* chooseMediaPlan(typed: Understanding): Choice<ChosenPlan> {
  const owners = planOwners(typed);
  if (owners !== null && (yield* countOne(owners, { condition: owners.match, limit: 1 })) > 0)
    return {
      name: 'strict',
      why: ['strict: answers, as a contact has the address'],
      plan: owners,
      asTyped: null,
      asked: [],
    };
  const text = yield* locatePages(typed);
  const strict = planStrict(text);
  const asTyped = (...why: string[]): ChosenPlan => ({ name: 'strict', why, plan: strict, asTyped: null, asked: [] });
  if (strict === null) return asTyped('strict: answers, as only exclusions were typed');
  if (text.isStrict) return asTyped('strict: answers, as no other is allowed');
  // A host or a phrase with any match was meant; a word may be mistyped.
  const enough = text.words.length === 0 ? 1 : enoughRecords;
  const begun = planBegun(text);
  const matches: Count = { condition: strict.match, limit: begun === null ? enough : mostCounted };
  const equalNames = [wholeName(text), ...namedPerson(text)].map(
    (condition): Count => ({ condition, limit: 1, isWithin: true }),
  );
  const countBegun: Count[] = begun === null ? [] : [{ condition: begun.match, limit: mostPerWhole * mostCounted }];
  const numberOf = yield { counts: [matches, ...equalNames, ...countBegun], likely: strict };
  if (equalNames.some((count) => numberOf(count) > 0))
    return asTyped('strict: answers, as the name of a medium or a person equals the text');
  if (numberOf(matches) < enough && endsUnsaid(text.parts, text.typedWords))
    return yield* chooseWithoutLast(text, strict);
  const [numberBegun = 0] = countBegun.map(numberOf);
  // Beside nothing but a name, `bylines ne`, one that is called so is enough.
  const enoughBegun = text.parts.slice(0, -1).some(isRecognized) ? enough : 1;
  const isUnfinished =
    begun !== null &&
    numberBegun >= enoughBegun &&
    (numberOf(matches) < enough || numberBegun > mostPerWhole * numberOf(matches));
  if (isUnfinished || numberOf(matches) >= enough) {
    const mistyped = mistypedName(text);
    if (mistyped === null || !(yield* isNamedOtherwise(text, strict, mistyped)))
      return isUnfinished
        ? chosenOf(text, strict, joinBegun(text, strict, begun, [numberOf(matches), numberBegun]))
        : asTyped(`strict: answers, as it finds ${enough} or more${mistyped === null ? '' : `, and ${noNameNear}`}`);
  }
  const fault =
    numberOf(matches) < enough
      ? `strict: no, it finds ${numberOf(matches)} of the ${enough} wanted, and no name equals the text`
      : `strict: no, it finds ${enough} or more, but a name has one typo or one word less`;
  const corrected = yield* chooseCorrected(text, { isFoundAsTyped: numberOf(matches) > 0, enough, fault });
  if (corrected === null) return asTyped(fault, 'strict: answers, as nothing can be corrected');
  if (!isUnfinished) return chosenOf(text, strict, corrected);
  return chosenOf(text, strict, { ...corrected, plan: withBegun(text, corrected.plan, begun) });
}

/** In records. So many names like a text are compared with those that begin like it. */
const mostNames = 50;

/** Whether a name like the text does not begin like it. `la repubblic` begins La Repubblica, so it has no typo. */
function* isNamedOtherwise(text: Understanding, strict: PlannedQuery, mistyped: Condition): Choice<boolean> {
  const named = yield* countOne(strict, { condition: mistyped, limit: mostNames });
  const begun = allOf([mistyped, anyOf(nameConditions(text).begun)]);
  return named > 0 && named > (yield* countOne(strict, { condition: begun, limit: mostNames }));
}

/** What is found as typed, then what the text finds without its last word, which says nothing yet: `newspapers fu`. */
function* chooseWithoutLast(text: Understanding, strict: PlannedQuery): Choice<ChosenPlan> {
  const { name, why, plan, asked } = yield* chooseMediaPlan(withoutLastWord(text));
  if (plan === null) return { name, why, plan: strict, asTyped: null, asked: [] };
  const [lastAsked] = askedParts(text, forgivingOneTypo).slice(-1);
  return chosenOf(text, strict, {
    name,
    why: [
      'strict: first, but the last word says nothing yet, so what the text finds without it follows:',
      ...why.map((line) => `without it, ${line}`),
    ],
    plan: joinPlans(text, strict, plan, 'without the last word'),
    asked: lastAsked === undefined ? asked : [...asked, lastAsked],
  });
}

/** A plan of which records may lack parts of the text, or of a whole text only those that have all. */
function chosenOf(
  { isWhole }: Understanding,
  asTyped: PlannedQuery,
  { plan, asked, name, why }: CorrectedPlan,
): ChosenPlan {
  return isWhole
    ? { name, why, plan: withEveryPart(plan, asked), asTyped, asked: [] }
    : { name, why, plan, asTyped, asked };
}

/** The records with one of the typed addresses, if the caller may look for these. */
function planOwners({ addresses, nameKey }: Understanding): PlannedQuery | null {
  if (addresses.length === 0) return null;
  const match = anyOf(addresses.map((token) => ({ is: 'address', token })));
  return { match, nameKey, tiers: tiersByProminence('located', [match]) };
}

/** The text with a host instead of each page that no record has, if the host has one record. */
function* locatePages(text: Understanding): Choice<Understanding> {
  const likely = text.pages.length === 0 ? null : planStrict(text);
  if (likely === null) return text;
  const counted = text.pages.map((page) => ({
    page,
    atPage: { condition: pageCondition(page), limit: 1 },
    atHost: { condition: hostCondition([page.host]), limit: 2 },
  }));
  const numberOf = yield { counts: counted.flatMap(({ atPage, atHost }) => [atPage, atHost]), likely };
  const byHost = counted
    .filter(({ page, atPage, atHost }) => {
      return numberOf(atPage) === 0 && numberOf(atHost) === 1 && !standsForNobody(page.host);
    })
    .map(({ page }) => page);
  const hosts = [...text.hosts, ...byHost.map(({ host }) => host)];
  return { ...text, hosts, pages: text.pages.filter((page) => !byHost.includes(page)) };
}

/** Null if there is nothing to correct. */
function* chooseCorrected(
  text: Understanding,
  { isFoundAsTyped, enough, fault }: { isFoundAsTyped: boolean; enough: number; fault: string },
): Choice<CorrectedPlan | null> {
  const fuzzy = planFuzzy(text);
  if (fuzzy === null) return null;
  const matches: Count = { condition: fuzzy.match, limit: isDescription(text) || isKindBeside(text) ? enough : 1 };
  // A text that is found as it was typed hardly has two typos.
  const nearNames: Count | null = isFoundAsTyped ? null : { condition: nearName(text), limit: 1, isWithin: true };
  // Nine of ten texts with such words come to the last plan, so these are counted now.
  const words = countWords(text);
  const counts = [
    matches,
    ...(nearNames === null ? [] : [nearNames]),
    ...words.flatMap(({ near, typed }) => (near === null ? typed : [near, typed])),
  ];
  const numberOf = yield { counts, likely: fuzzy };
  const spelledRight = new Set(
    words
      .filter(({ near, typed }) => near !== null && numberOf(near) <= mostPerTyped * numberOf(typed))
      .map(({ part }) => part),
  );
  const far = nearNames !== null && numberOf(nearNames) === 0 ? planFarNames(text) : null;
  const [name, faults] =
    far === null
      ? (['fuzzy', [fault]] as const)
      : (['far names', [fault, 'fuzzy: no, as no name is one typo away']] as const);
  const number = far === null ? numberOf(matches) : yield* countOne(far, { ...matches, condition: far.match });
  if (number >= matches.limit) {
    const asked = askedParts(text, { typos: 1, farNames: far !== null, spelledRight, common: [] });
    const why = [...faults, `${name}: answers, as it finds ${matches.limit} or more`];
    return { name, why, plan: far ?? fuzzy, asked };
  }
  const isFound = number > 0;
  const forgiven = { ...rankWords(words, numberOf), isFound, farNames: far !== null && isFound };
  const last = yield* chooseLast(text, fuzzy, forgiven, spelledRight);
  const why = [...faults, `${name}: no, it finds ${number} of the ${matches.limit} wanted`, ...last.why];
  // Of two parts, what has both comes first, such as a name with a typo: `News Chife`.
  const plan = isFound && isKindBeside(text) ? joinPlans(text, far ?? fuzzy, last.plan, 'one of the parts') : last.plan;
  return { name: 'last', why, plan, asked: last.asked };
}

/** A name that differs from the text by one typo, or that has all of its words, each with at most one. */
function nearName(text: Understanding): Condition {
  const { near } = nameConditions(text);
  if (text.words.length < 2) return anyOf(near);
  const parts = text.parts;
  const inNames = parts.map((part): Condition => {
    const [word = ''] = part.words;
    const isLast = part === parts.at(-1);
    if (part.words.length > 1 || isSpaceless(word) || text.callSigns.includes(word))
      return strictWord(part, isLast, 'names');
    return { is: 'word', word, unfinished: isLast, edits: Math.min(maxEdits(word), 1) as 0 | 1, in: 'names' };
  });
  return anyOf([...near, allOf(inNames)]);
}

/** Whether a text says so much of what is meant that hardly any record is all of it, or asks in a sentence. */
function isDescription({ parts, typedWords }: Understanding): boolean {
  if (parts.some(isRecognized)) return parts.length > 2;
  // `where can i read about mining`
  return typedWords.filter(isValueWord).length >= minWordsOfQuestion;
}

/**
 * Whether a text is a kind and one thing more that stands for something and may be unfinished: `magazines in german`. Few records
 * have both, and many what the last word begins.
 */
function isKindBeside({ parts, typedWords }: Understanding): boolean {
  const last = parts.at(-1);
  // What begins a place or a kind finds as many as the whole word: `radio mosc`, then `radio moscow`; `sports websi`.
  const isBegun = last?.begun !== undefined && !mayBeOfKind(last) && !isPlace(last);
  const mayBeUnfinished = isBegun || readUnfinished(parts, typedWords) !== null;
  return mayBeUnfinished && parts.length === 2 && parts.every(isLikely) && parts.some(mayBeOfKind);
}
