import type { MediaRecord } from '#records/media-record.ts';
import { countEdits } from '#text/edit-distance.ts';
import { once, perObject } from '#text/memoize.ts';
import type { Condition, Scope } from './conditions.ts';
import { nameToken, sharedBeginning } from './name-forms.ts';
import { addressTokens, pageToken } from './record-tokens.ts';
import { phraseTokens, searchableText } from './searchable-text.ts';

/** Whether a record meets a condition, as an index decides it. Only an index ignores near words beyond maxCorrections. */
export const conditionsMetBy = perObject((record: MediaRecord): ((condition: Condition) => boolean) => {
  const { nameKeys, pages, names, aliases, hosts, hostLabels, concepts, traits, description, people } =
    searchableText(record);
  const ofNames = toPart(() => [...names(), ...aliases()]);
  const ofTraits = toPart(() => [...hostLabels(), ...traits()]);
  // Texts are split into words only when a condition asks for a word; the keys of names decide most conditions.
  const parts: Record<Scope, readonly ReturnType<typeof toPart>[]> = {
    names: [ofNames],
    traits: [ofNames, ofTraits],
    anywhere: [ofNames, ofTraits, toPart(() => [description()])],
    people: [toPart(people)],
  };
  const hasPhrase = (words: readonly string[], scope: Scope) => {
    const typed = ` ${phraseTokens(words).join(' ')} `;
    return parts[scope].some(({ texts }) => texts().some((text) => ` ${text} `.includes(typed)));
  };
  const meets = (condition: Condition): boolean => {
    switch (condition.is) {
      case 'word': {
        const { word, unfinished, edits } = condition;
        return parts[condition.in].some((part) => {
          const words = part.words();
          if (words.has(word) || hasNear(words, word, edits, 1)) return true;
          return unfinished && words.values().some((one) => one.startsWith(word));
        });
      }
      case 'phrase':
        return hasPhrase(condition.words, condition.in);
      case 'concept':
        return concepts().includes(condition.concept);
      case 'host': {
        const isWritten = (host: string) => hasPhrase(host.split(/[.-]/).filter(Boolean), 'names');
        const [first = ''] = condition.hosts;
        return (
          condition.hosts.some((host) => hosts().includes(host) || isWritten(host)) ||
          hasNear(hosts(), first, condition.edits, 1)
        );
      }
      case 'page':
        return pages().includes(pageToken(condition.page, condition.standing));
      case 'address':
        return addressTokens(record).includes(condition.token);
      case 'name': {
        const { form, keys, edits } = condition;
        const tokens = keys.map((key) => nameToken(form, key));
        return tokens.some(
          (token) => nameKeys().includes(token) || hasNear(nameKeys(), token, edits, sharedBeginning(form)),
        );
      }
      case 'nameBeginning': {
        const beginning = nameToken('whole', condition.key);
        return nameKeys().some((token) => token.startsWith(beginning));
      }
      case 'all':
        return condition.of.every(meets);
      case 'any':
        return condition.of.some(meets);
      case 'atLeast':
        return condition.of.filter(meets).length >= condition.count;
    }
  };
  return meets;
});

function toPart(make: () => readonly string[]) {
  const texts = once(make);
  return { texts, words: once(() => new Set(texts().flatMap((text) => text.split(' ')))) };
}

/** Whether a term is within so many edits of the typed one. `beginning`: how many first letters both must share. */
function hasNear(terms: Iterable<string>, typed: string, edits: number, beginning: number): boolean {
  if (edits === 0) return false;
  const begun = typed.slice(0, beginning);
  return Iterator.from(terms).some((term) => term.startsWith(begun) && countEdits(typed, term, edits) <= edits);
}
