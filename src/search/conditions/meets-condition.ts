import type { Contact } from '#records/contacts/contact.ts';
import type { MediaRecord } from '#records/media-record.ts';
import { countEdits } from '#text/edit-distance.ts';
import { once, perObject } from '#text/memoize.ts';
import { nameTokensOf, textsOfPerson, topicsOf } from '../indexed/contact-text.ts';
import { nameToken, sharedBeginning } from '../indexed/name-forms.ts';
import { addressToken, addressTokens, pageToken } from '../indexed/record-tokens.ts';
import { phraseTokens, searchableText } from '../indexed/searchable-text.ts';
import type { Condition, Scope } from './conditions.ts';

type Meets = (condition: Condition) => boolean;

/** Whether a record meets a condition, as an index decides it. Only an index ignores near words beyond maxCorrections. */
export const conditionsMetBy = perObject((record: MediaRecord): Meets => meetsAs(record, record.contacts));

/** Whether one of the contacts of a record meets a condition, where contacts are searched. */
export function conditionsMetByContact(record: MediaRecord, contact: Contact): Meets {
  return meetsAs(record, [contact]);
}

/** @param contacts those that a condition on contacts is about */
function meetsAs(record: MediaRecord, contacts: readonly Contact[]): Meets {
  const { nameKeys, pages, names, aliases, hosts, hostLabels, concepts, traits, description } = searchableText(record);
  const ofNames = toPart(() => [...names(), ...aliases()]);
  const ofTraits = toPart(() => [...hostLabels(), ...traits()]);
  // Texts are split into words only when a condition asks for a word; the keys of names decide most conditions.
  const parts: Record<Scope, readonly ReturnType<typeof toPart>[]> = {
    names: [ofNames],
    traits: [ofNames, ofTraits],
    anywhere: [ofNames, ofTraits, toPart(() => [description()])],
    people: [],
  };
  const meetsEach = once(() => contacts.map((contact) => meetsItself(contact, record)));
  const meets = (condition: Condition): boolean => {
    switch (condition.is) {
      case 'word':
        return hasWord(parts[condition.in], condition);
      case 'phrase':
        return hasPhrase(parts[condition.in], condition.words);
      case 'concept':
        return concepts().includes(condition.concept);
      case 'host': {
        const isWritten = (host: string) => hasPhrase(parts.names, host.split(/[.-]/).filter(Boolean));
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
      case 'contact':
        return meetsEach().some((meetsIt) => meetsIt(condition.meets));
      default:
        return meetsSeveral(condition, meets);
    }
  };
  return meets;
}

/** Whether a contact meets what is within a condition `contact`. */
function meetsItself(contact: Contact, { language }: MediaRecord): Meets {
  const part = [toPart(() => textsOfPerson(contact, language))];
  const meets = (condition: Condition): boolean => {
    switch (condition.is) {
      case 'word':
        return hasWord(part, condition);
      case 'phrase':
        return hasPhrase(part, condition.words);
      case 'name':
        return condition.keys.some((key) => nameTokensOf(contact).includes(nameToken(condition.form, key)));
      case 'address':
        return contact.email !== null && addressToken(contact.email) === condition.token;
      case 'concept':
        return topicsOf(contact).includes(condition.concept);
      case 'all':
      case 'any':
      case 'atLeast':
        return meetsSeveral(condition, meets);
      default:
        throw new RangeError(`contacts have no ${condition.is}`);
    }
  };
  return meets;
}

function meetsSeveral(condition: Extract<Condition, { is: 'all' | 'any' | 'atLeast' }>, meets: Meets): boolean {
  if (condition.is === 'all') return condition.of.every(meets);
  if (condition.is === 'any') return condition.of.some(meets);
  return condition.of.filter(meets).length >= condition.count;
}

type TextPart = ReturnType<typeof toPart>;

function hasWord(parts: readonly TextPart[], { word, unfinished, edits }: Extract<Condition, { is: 'word' }>): boolean {
  return parts.some((part) => {
    const words = part.words();
    if (words.has(word) || hasNear(words, word, edits, 1)) return true;
    return unfinished && words.values().some((candidate) => candidate.startsWith(word));
  });
}

function hasPhrase(parts: readonly TextPart[], words: readonly string[]): boolean {
  const typed = ` ${phraseTokens(words).join(' ')} `;
  return parts.some(({ texts }) => texts().some((text) => ` ${text} `.includes(typed)));
}

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
