import { createRequire } from 'node:module';
import type { MediaRecord } from '#records/media-record.ts';
import { distinct } from '#text/distinct.ts';
import { foldedWords, isAscii, isSpaceless, partAtApostrophes, partElisions, withoutInvisible } from '#text/fold.ts';
import { canonicalHost, findHost, hostAndParents, hostLabel, hostLabels, hostOfUrl } from '#text/hosts.ts';
import { memoize, once } from '#text/memoize.ts';
import { nameKeysOf, wholeNameKeys } from '#text/name-keys.ts';
import { findPage, type WebPage } from '#text/pages.ts';
import { scriptsOf } from '#text/romanize.ts';
import { respell } from '#text/spellings.ts';
import { stemsOf } from '../words/stems.ts';
import { formTokens, initialsOf, nameToken } from './name-forms.ts';
import { placeTexts, recordConcepts } from './record-concepts.ts';
import { pageTokens } from './record-tokens.ts';

/**
 * Everything that finds a record, without any address. Texts are folded here, so every engine compares the same words: each is
 * tokens with spaces between, made when it is first read. No phrase goes from one text of a list to the next.
 */
export interface SearchableText {
  /** The name and the aliases in all their forms, as tokens of name-forms.ts. */
  nameKeys(): string[];
  /** The page of its URL, as tokens of record-tokens.ts. */
  pages(): string[];
  names(): string[];
  aliases(): string[];
  /** Hosts with their parent domains. */
  hosts(): string[];
  /** The words of hosts that people remember, also split at numbers: `sun`, `sentinel`; `abc7ny`, `abc`, `7`, `ny`. */
  hostLabels(): string[];
  /** Its concepts, see concepts.ts. */
  concepts(): string[];
  /** The place in all its names, the tags, and the stems of names. */
  traits(): string[];
  /** The description with its stems, and what emoji in names are called. */
  description(): string;
}

export function searchableText(record: MediaRecord): SearchableText {
  const allNames = [record.name, ...record.aliases];
  const wordsOfNames = once(() => allNames.map(foldedWords));
  const keys = once(() => allNames.map(nameKeysOf));
  const forms = once(() => formTokens(keys()));
  const initials = once(() => allNames.flatMap(initialsOf));
  const page = once(() => (record.url === null ? null : findPage(record.url)));
  const scripts = once(() => scriptsOf(record));
  const hosts = once(() => hostsOf(record));
  const labels = once(() => distinct(hosts().flatMap(hostLabels)));
  const described = once(() => splitTokens(partElisions(withoutInvisible(record.description ?? ''))));
  return {
    nameKeys: once(() => {
      const wholeKeys = keys().flatMap((keysOfName) => wholeNameKeys(keysOfName, scripts()));
      const pairs = wordsOfNames().flatMap(joinNeighbors);
      return distinct([
        ...wholeKeys.map((key) => nameToken('whole', key)),
        ...forms(),
        ...pairs.map((pair) => nameToken('joined', pair)),
        ...initials().map((letters) => nameToken('initials', letters)),
        ...namingHosts(record, page()).map((host) => nameToken('label', hostLabel(host).replaceAll('-', ''))),
      ]);
    }),
    pages: once(() => {
      const at = page();
      return at === null ? [] : pageTokens(record.kind, at, { keys: keys(), tokens: forms(), initials: initials() });
    }),
    names: once(() => nameTexts(record.name, scripts())),
    aliases: once(() => record.aliases.flatMap((alias) => nameTexts(alias, scripts()))),
    hosts: once(() => distinct(hosts().flatMap(hostAndParents))),
    hostLabels: once(() => distinct(labels().flatMap(partsOfLabel))),
    concepts: once(() => recordConcepts(record, wordsOfNames().flat(), labels(), described())),
    traits: once(() =>
      [
        ...tokensOfPlace(JSON.stringify([record.city, record.region, record.country])),
        ...record.tags.map(tokensOfText),
        stemsOf([...wordsOfNames(), ...record.tags.map(foldedWords)].flat(), record.language).join(' '),
      ].filter(Boolean),
    ),
    description: once(() => {
      const emoji = allNames.flatMap(emojisIn).flatMap(wordsForEmoji);
      return [described().join(' '), ...emoji, ...stemsOf(described(), record.language)].join(' ');
    }),
  };
}

function partsOfLabel(label: string): string[] {
  return label.split(/-+/).flatMap((part) => [part, ...(/\d/.test(part) ? (part.match(/\d+|\D+/g) ?? []) : [])]);
}

/** The word itself; in a script without spaces each pair of neighbors and the last one, so any stretch is a phrase. */
export function tokensOf(word: string): string[] {
  if (!isSpaceless(word)) return [word];
  const characters = [...word];
  return characters.map((character, index) => character + (characters[index + 1] ?? ''));
}

/** The tokens for finding words in sequence: like tokensOf, but the last run may continue. */
export function phraseTokens(words: readonly string[]): string[] {
  return words.flatMap((word, index) => {
    const tokens = tokensOf(word);
    return index === words.length - 1 && tokens.length > 1 ? tokens.slice(0, -1) : tokens;
  });
}

/** Neighboring words as one word, as people type them by mistake: `"new york times"` → `newyork`, `yorktimes`. */
export function joinNeighbors(words: readonly string[]): string[] {
  const areSpaceless = words.map(isSpaceless);
  return words
    .slice(1)
    .flatMap((word, place) => (areSpaceless[place] || areSpaceless[place + 1] ? [] : words[place] + word));
}

function splitTokens(text: string): readonly string[] {
  const words = foldedWords(text);
  return isAscii(text) ? words : words.flatMap(tokensOf);
}

/** The tokens of a text, with spaces between. */
export function tokensOfText(text: string): string {
  return splitTokens(text).join(' ');
}

/** The tokens of a place in all its names. Memoized, because many records have the same place. */
const tokensOfPlace = memoize((place): readonly string[] => {
  const [city, region, country] = JSON.parse(place) as (string | null)[];
  return placeTexts({ city: city ?? null, region: region ?? null, country: country ?? null }).map(tokensOfText);
});

/** "L'Équipe" is found by "lequipe", "l'equipe" and "equipe"; other words in all their spellings, and emoji as words. */
function nameTexts(name: string, scripts: readonly string[]): string[] {
  const words = foldedWords(name);
  const parted = partAtApostrophes(name);
  const texts = [[...words, ...emojisIn(name)], parted === name ? [] : foldedWords(parted), ...respell(words, scripts)];
  return texts.filter(({ length }) => length > 0).map((text) => text.flatMap(tokensOf).join(' '));
}

/** The hosts that are as good as a name: of a URL at their root and in names. Many share those of pages, feeds and mailboxes. */
function namingHosts(record: MediaRecord, page: WebPage | null): string[] {
  return [...(page?.path === '' ? [page.host] : []), ...hostsInNames(record)];
}

function hostsInNames({ name, aliases }: MediaRecord): string[] {
  return [name, ...aliases]
    .map((text) => (text.includes('.') ? findHost(withoutInvisible(text)) : null))
    .filter((host) => host !== null);
}

function hostsOf(record: MediaRecord): string[] {
  const { url, feed_url, contacts } = record;
  const hosts = [
    url === null ? null : hostOfUrl(url),
    feed_url === null ? null : hostOfUrl(feed_url),
    ...contacts.map(({ email }) => (email === null ? null : canonicalHost(email.slice(email.lastIndexOf('@') + 1)))),
  ].filter((host) => host !== null);
  return [...hosts, ...hostsInNames(record)];
}

/** Pictures and flags; not the signs ©, ®, ™ and other punctuation that Unicode counts among them. */
const emoji = /[\p{Extended_Pictographic}--[\0-\u218f]]|[\u{1f1e6}-\u{1f1ff}]{2}/gv;
const flag = /^[\u{1f1e6}-\u{1f1ff}]{2}$/u;
const firstRegionalIndicator = 0x1f1e6;

/** The emoji in a text, each as a word; without variants, skin tones and joiners: `"👩🏽‍🍳 ☕️"` → `['👩', '🍳', '☕']`. */
export function emojisIn(text: string): string[] {
  return isAscii(text) ? [] : (withoutInvisible(text).match(emoji) ?? []);
}

/** The folded English words for an emoji, as Unicode names it: `💡` → `['light', 'bulb']`. Empty for other words. */
export function wordsForEmoji(word: string): readonly string[] {
  return emojisIn(word)[0] === word ? (namesOfEmoji().get(word) ?? []) : [];
}

/** The concept of a flag: `🇩🇪` → `country.de`; null for other words. */
export function conceptOfFlag(word: string): string | null {
  if (!flag.test(word)) return null;
  const letters = [...word].map((letter) => 97 + (letter.codePointAt(0) ?? 0) - firstRegionalIndicator);
  return `country.${String.fromCharCode(...letters)}`;
}

/** Read when the first emoji appears: half a megabyte that most imports and searches never need. */
const namesOfEmoji = once(() => {
  const data: Record<string, { name: string }> = createRequire(import.meta.url)(
    'unicode-emoji-json/data-by-emoji.json',
  );
  return new Map(Object.entries(data).map(([sign, { name }]) => [withoutInvisible(sign), foldedWords(name)]));
});
