import type { MediaRecord } from '#domain/media-record.ts';
import { countryName } from '#domain/places/countries.ts';
import { languageName } from '#domain/places/languages.ts';
import { countEdits } from './edit-distance.ts';
import { nameKey } from './fold.ts';
import { hasLettersOf } from './name-forms.ts';
import { unmarkedKey } from './name-keys.ts';
import {
  type Condition,
  type NearName,
  type PlannedQuery,
  planExclusions,
  planFuzzy,
  planLast,
  planStrict,
} from './plan-query.ts';
import type { TextQuery } from './search-query.ts';
import { conceptsBeginning } from './search-words.ts';
import { phraseTokens, type SearchableText, searchableText } from './searchable-text.ts';

/** One thing that a query and a record have in common. */
export interface Reason {
  /** For people; quotes words that were typed and words that find the record, so never an address. */
  sentence: string;
  /** Whether something had to be forgiven: a word was read as another one, or left out. */
  isForgiven: boolean;
}

/**
 * Why a query finds a record, best reason first: what the conditions of its plan find in the record. Null if they find
 * nothing. Both engines render the same plan, so the reasons hold for either.
 * @param isCorrected whether the engine used the fuzzy query (`isCorrected` of its answer)
 */
export function explainMatch(record: MediaRecord, text: TextQuery, isCorrected: boolean): Reason[] | null {
  const seen = new SeenRecord(record);
  if (planExclusions(text).some((condition) => explain(condition, seen, null) !== null)) return null;
  const strict = planStrict(text);
  if (strict === null) return [reason('It has nothing that was excluded.')];
  const asTyped = explainPlan(strict, seen);
  if (asTyped !== null || !isCorrected) return asTyped;
  const forgiving = [planFuzzy(text), planLast(text)];
  return forgiving.map((plan) => plan && explainPlan(plan, seen)).find((reasons) => reasons !== null) ?? null;
}

function explainPlan({ match, byName, ranks }: PlannedQuery, seen: SeenRecord): Reason[] | null {
  const matched = firstOf([match, ...byName], seen, null);
  if (matched === null) return null;
  const ranked = firstOf(ranks, seen, null) ?? [];
  // A name that was typed as it is needs no word by word.
  const isWhole = ranked.length > 0 && ranked.every(({ isForgiven }) => !isForgiven);
  const reasons = isWhole ? ranked : [...ranked, ...matched];
  return [...new Map(reasons.map((one) => [one.sentence, one])).values()];
}

/**
 * What meets the condition in the record; null if nothing does.
 * @param typed the typed word that the condition is about, where the condition itself does not say
 */
function explain(condition: Condition, seen: SeenRecord, typed: string | null): Reason[] | null {
  switch (condition.is) {
    case 'word':
      return explainWord(condition.word, condition.unfinished, seen);
    case 'prefix':
      return explainWord(condition.prefix, true, seen);
    case 'nearWord': {
      const { word, unfinished, edits } = condition;
      const near = edits === 0 ? null : seen.findNear(word, edits);
      const corrected = near && [forgiven(`\`${word}\` was read as \`${near.token}\`, which is in ${near.place}.`)];
      return explainWord(word, unfinished, seen) ?? corrected;
    }
    case 'joinedWords':
      if (!seen.text.joinedWords.includes(condition.joined)) return null;
      return [forgiven(`\`${condition.joined}\` was read as two words of a name.`)];
    case 'phrase': {
      const place = seen.findSequence(condition.words);
      return place === null ? null : [reason(`\`${condition.words.join(' ')}\` is in ${place}.`)];
    }
    case 'concept':
      return seen.text.concepts.includes(condition.concept) ? [explainConcept(condition.concept, typed)] : null;
    case 'host':
      return explainHost(condition, seen);
    case 'name':
      return nameKey(seen.record.name) === condition.key ? [reason('The name is what was typed.')] : null;
    case 'wholeName':
      return explainWholeName(condition.key, seen);
    case 'nameForm':
      return explainNameForm(condition, seen);
    case 'nearName': {
      const { compact, bare } = seen.text.nameForms;
      const near = [...compact, ...bare].find((name) => isNearName(condition, name));
      return near === undefined ? null : [forgiven(`\`${condition.name}\` was read as the name \`${near}\`.`)];
    }
    case 'nameBeginning': {
      const { key, wordCount } = condition;
      const { wholeNames, nameForms } = seen.text;
      if (wordCount !== null && !nameForms.wordCounts.includes(wordCount)) return null;
      if (!wholeNames.some((name) => name.startsWith(key))) return null;
      const typed = unmarkedKey(key);
      return [reason(`A name begins with \`${typed}\`${typed === key ? '' : ', apart from its article'}.`)];
    }
    case 'nameWords': {
      const each = condition.beginnings.map((word) => explainWord(word, true, seen));
      return each.every((reasons) => reasons !== null) ? each.flat() : null;
    }
    case 'nameOfWords': {
      const isLonger = seen.text.nameForms.wordCounts.includes(condition.count);
      const isNamed = condition.words.every((word) => seen.isInNames(phraseTokens([word])));
      return isLonger && isNamed ? [reason('A name has the words that were typed, and one more.')] : null;
    }
    case 'all': {
      const each = condition.of.map((one) => explain(one, seen, typed));
      return each.every((reasons) => reasons !== null) ? each.flat() : null;
    }
    case 'any':
      return firstOf(condition.of, seen, wordOf(condition) ?? typed);
    case 'atLeast': {
      const each = condition.of.map((one) => ({ word: wordOf(one), reasons: explain(one, seen, typed) }));
      const met = each.filter(({ reasons }) => reasons !== null);
      if (met.length < condition.count) return null;
      const missing = each.flatMap(({ word, reasons }) => (reasons === null && word !== null ? [word] : []));
      return [
        ...met.flatMap(({ reasons }) => reasons ?? []),
        ...missing.map((word) => forgiven(`\`${word}\` was left out.`)),
      ];
    }
    case 'scored':
      return explain(condition.condition, seen, typed);
  }
}

/** The reasons of the first condition that is met, preferably one that forgives nothing. */
function firstOf(conditions: readonly Condition[], seen: SeenRecord, typed: string | null): Reason[] | null {
  const met = conditions.map((one) => explain(one, seen, typed)).filter((reasons) => reasons !== null);
  return met.find((reasons) => reasons.every(({ isForgiven }) => !isForgiven)) ?? met[0] ?? null;
}

/** The typed word that a condition is about; null if it is about several. */
function wordOf(condition: Condition): string | null {
  if (condition.is === 'word' || condition.is === 'nearWord') return condition.word;
  if (condition.is !== 'any') return null;
  const [first] = condition.of;
  return first === undefined ? null : wordOf(first);
}

function explainWord(word: string, isUnfinished: boolean, seen: SeenRecord): Reason[] | null {
  const whole = seen.find((token) => token === word);
  if (whole !== null) return [reason(`\`${word}\` is in ${whole.place}.`)];
  const longer = isUnfinished ? seen.find((token) => token.startsWith(word)) : null;
  return longer && [reason(`\`${word}\` begins \`${longer.token}\`, which is in ${longer.place}.`)];
}

function explainWholeName(key: string, { record, text }: SeenRecord): Reason[] | null {
  if (nameKey(record.name) === key) return [reason('The name is what was typed.')];
  if (record.aliases.some((alias) => nameKey(alias) === key)) return [reason('An alias is what was typed.')];
  return text.wholeNames.includes(key)
    ? [reason('The name or an alias is what was typed, apart from articles and words for "and".')]
    : null;
}

function explainNameForm(
  { form, names, leavesOut }: Condition & { is: 'nameForm' },
  { text }: SeenRecord,
): Reason[] | null {
  const found = names.find((name) => text.nameForms[form].includes(name));
  if (found === undefined) return null;
  if (leavesOut) return [forgiven(`A word was left out: a name is \`${found}\`, apart from spaces.`)];
  return form === 'sorted'
    ? [reason('A name has the words that were typed, in any order.')]
    : [reason(`A name is \`${found}\`, apart from spaces and punctuation.`)];
}

function isNearName({ name, edits, letters }: NearName, other: string): boolean {
  return isNear(name, other, edits) && (letters === null || hasLettersOf(name, other, letters));
}

function explainHost({ hosts, near }: Condition & { is: 'host' }, seen: SeenRecord): Reason[] | null {
  const own = hosts.find((host) => seen.text.hosts.includes(host));
  if (own !== undefined) {
    const sentence = `The host is \`${own}\`.`;
    return [own === hosts[0] ? reason(sentence) : forgiven(sentence)];
  }
  const spelled = hosts.find((host) => seen.isInNames(host.split(/[.-]/)));
  if (spelled !== undefined) return [reason(`A name spells out \`${spelled}\`.`)];
  const meant = near && seen.text.hosts.find((host) => isNear(near.host, host, near.edits));
  return meant ? [forgiven(`\`${near?.host}\` was read as the host \`${meant}\`.`)] : null;
}

/** Such as "`newsletters` was read as the kind newsletter." */
function explainConcept(concept: string, typed: string | null): Reason {
  const [field = '', value = ''] = concept.split(/\.(.*)/s);
  if (field === 'initials') return reason(`\`${value}\` is the initials of a name.`);
  const property = `the ${field} ${describeValue(field, value)}`;
  if (typed === null) return reason(`What was typed was read as ${property}.`);
  const sentence = `\`${typed}\` was read as ${property}.`;
  return conceptsBeginning(typed).includes(concept) ? reason(sentence) : forgiven(sentence);
}

function describeValue(field: string, value: string): string {
  if (field === 'country') return countryName(value.toUpperCase());
  if (field === 'language') return languageName(value);
  return value.replaceAll('_', ' ');
}

function reason(sentence: string): Reason {
  return { sentence, isForgiven: false };
}

function forgiven(sentence: string): Reason {
  return { sentence, isForgiven: true };
}

/** Whether a word can be the typed one with so many edits: the first letter must match. */
function isNear(typed: string, word: string, edits: number): boolean {
  return typed.codePointAt(0) === word.codePointAt(0) && countEdits(typed, word, edits) <= edits;
}

interface FoundToken {
  token: string;
  /** Such as `the name`. */
  place: string;
}

/** A record as searches see it. */
class SeenRecord {
  readonly record: MediaRecord;
  readonly text: SearchableText;
  /** The tokens of each text, the most telling texts first. */
  readonly #texts: readonly { place: string; tokens: readonly string[] }[];

  constructor(record: MediaRecord) {
    this.record = record;
    this.text = searchableText(record);
    const { names, aliases, hostLabels, place, description } = this.text;
    const list = (where: string, texts: readonly string[]) =>
      texts.map((text) => ({ place: where, tokens: text.split(' ') }));
    this.#texts = [
      ...list('the name', names),
      ...list('an alias', aliases),
      ...list('the host', hostLabels),
      ...list('the place', [place]),
      ...list('the description', [description]),
    ];
  }

  find(fits: (token: string) => boolean): FoundToken | null {
    for (const { place, tokens } of this.#texts) {
      const token = tokens.find(fits);
      if (token !== undefined) return { token, place };
    }
    return null;
  }

  /** The word with the fewest edits. */
  findNear(word: string, edits: number): FoundToken | null {
    for (let count = 1; count <= edits; count += 1) {
      const near = this.find((token) => isNear(word, token, count));
      if (near !== null) return near;
    }
    return null;
  }

  /** Where the words are in sequence. */
  findSequence(words: readonly string[]): string | null {
    const sequence = ` ${phraseTokens(words).join(' ')} `;
    return this.#texts.find(({ tokens }) => ` ${tokens.join(' ')} `.includes(sequence))?.place ?? null;
  }

  isInNames(words: readonly string[]): boolean {
    const sequence = ` ${words.join(' ')} `;
    return [...this.text.names, ...this.text.aliases].some((text) => ` ${text} `.includes(sequence));
  }
}
