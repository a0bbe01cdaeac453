import type { MediaRecord } from '#records/media-record.ts';
import {
  fold,
  foldedWords,
  isAscii,
  isSpaceless,
  partAtApostrophes,
  partElisions,
  withoutInvisible,
} from '#text/fold.ts';
import { canonicalHost, findHost, hostAndParents, hostLabel, hostOfUrl } from '#text/hosts.ts';
import { memoize } from '#text/memoize.ts';
import { nameKeysOf, wholeNameKeys } from '#text/name-keys.ts';
import { scriptsOf } from '#text/romanize.ts';
import { respell } from '#text/spellings.ts';
import { emojisIn, wordsForEmoji } from './emoji.ts';
import { initialsConcept, initialsOf } from './initials.ts';
import { type NameForms, nameFormsOf } from './name-forms.ts';
import { placeTexts, recordConcepts } from './search-words.ts';

/**
 * Everything that finds a record, without any address: folded and split here, so every engine compares the same words.
 * Text is tokens separated by spaces; no phrase spans two texts of a list.
 */
export interface SearchableText {
  /** The name and the aliases, each by its wholeNameKeys. */
  wholeNames: string[];
  /** Their forms, for finding them typed in another way. */
  nameForms: NameForms;
  names: string[];
  aliases: string[];
  /** Hosts with their parent domains. */
  hosts: string[];
  /** The parts of hosts that people remember. */
  hostLabels: string[];
  /** Its concepts, as named in search-words.ts, and the initials of its names. */
  concepts: string[];
  place: string;
  /** The description, and what emoji in names are called. */
  description: string;
  tags: string[];
  /** Each two neighboring words of a name or an alias as one: `["crookedlane", "lanechronicle"]`. */
  joinedWords: string[];
}

export function searchableText(record: MediaRecord): SearchableText {
  const hosts = hostsOf(record);
  const allNames = [record.name, ...record.aliases];
  const nameKeys = allNames.map(nameKeysOf);
  const scripts = scriptsOf(record);
  return {
    wholeNames: [...new Set(nameKeys.flatMap((keys) => wholeNameKeys(keys, scripts)))],
    nameForms: nameFormsOf(nameKeys),
    names: nameTexts(record.name, scripts),
    aliases: record.aliases.flatMap((alias) => nameTexts(alias, scripts)),
    hosts: [...new Set(hosts.flatMap(hostAndParents))],
    hostLabels: [...new Set(hosts.map((host) => fold(hostLabel(host))))],
    concepts: [...recordConcepts(record), ...initialsConcepts(allNames)],
    place: placeTexts(record).map(tokensOfPlace).filter(Boolean).join(' '),
    description: [
      tokensOfDescription(record.description ?? ''),
      ...allNames.flatMap(emojisIn).flatMap(wordsForEmoji),
    ].join(' '),
    tags: record.tags.map(tokensOfText),
    joinedWords: [...new Set(allNames.flatMap((name) => joinNeighbors(foldedWords(name))))],
  };
}

function initialsConcepts(names: readonly string[]): string[] {
  const initials = new Set(names.flatMap(initialsOf));
  return [...initials].map(initialsConcept).filter((concept) => concept !== null);
}

/**
 * The tokens of a folded word: itself, or, in a script without spaces, every pair of neighboring characters and the
 * last character, so any stretch of the text is found as a phrase of pairs.
 */
export function tokensOf(word: string): string[] {
  if (!isSpaceless(word)) return [word];
  const characters = [...word];
  return characters.map((character, index) => character + (characters[index + 1] ?? ''));
}

/** The tokens for finding words in sequence: like tokensOf, but the last run may continue. */
export function phraseTokens(words: readonly string[]): string[] {
  return words.flatMap((word, index) => {
    const own = tokensOf(word);
    return index === words.length - 1 && own.length > 1 ? own.slice(0, -1) : own;
  });
}

/** Each two neighboring words as one, as people type them by mistake: `"new york times"` → `newyork`, `yorktimes`. */
export function joinNeighbors(words: readonly string[]): string[] {
  const pairs = words.slice(1).map((word, index) => [words[index] ?? '', word]);
  return pairs.filter((pair) => !pair.some(isSpaceless)).map((pair) => pair.join(''));
}

function tokensOfText(text: string): string {
  const words = foldedWords(text);
  return (isAscii(text) ? words : words.flatMap(tokensOf)).join(' ');
}

function tokensOfDescription(text: string): string {
  return tokensOfText(partElisions(withoutInvisible(text)));
}

/** Memoized because many records share a place. */
const tokensOfPlace = memoize(tokensOfText);

/** "L'Équipe" is found by "lequipe", "l'equipe" and "equipe"; other words in all their spellings, and emoji as words. */
function nameTexts(name: string, scripts: readonly string[]): string[] {
  const words = foldedWords(name);
  const parted = partAtApostrophes(name);
  const texts = [[...words, ...emojisIn(name)], parted === name ? [] : foldedWords(parted), ...respell(words, scripts)];
  return texts.filter(({ length }) => length > 0).map((text) => text.flatMap(tokensOf).join(' '));
}

function hostsOf({ url, feed_url, email, name, aliases }: MediaRecord): string[] {
  return [
    url === null ? null : hostOfUrl(url),
    feed_url === null ? null : hostOfUrl(feed_url),
    email === null ? null : canonicalHost(email.slice(email.lastIndexOf('@') + 1)),
    ...[name, ...aliases].map((text) => (text.includes('.') ? findHost(withoutInvisible(text)) : null)),
  ].filter((host) => host !== null);
}
