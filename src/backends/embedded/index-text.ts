import { fold, foldedWords, isSpaceless, nameKey } from '#domain/fold.ts';
import { canonicalHost, findHost, hostAndParents, hostLabel, hostOfUrl } from '#domain/hosts.ts';
import type { MediaRecord } from '#domain/media-record.ts';
import { placeWords, recordConcepts } from '#domain/search-words.ts';

/** The columns of `search_text`, in order: what a record is found by. */
export interface IndexText {
  /** One token for each name and alias as a whole. */
  exact: string;
  names: string;
  aliases: string;
  /** Hosts with their parents, and the label that people remember. */
  hosts: string;
  /** What it is, as search-words.ts calls it. */
  concepts: string;
  place: string;
  description: string;
}

/** Stands between two values of a column, so that no phrase reaches from one into the next. */
const gap = ' _ ';
const apostrophe = /(?<=\p{L})['’ʼ`´](?=\p{L})/gu;

/** The full text of a record: everything a person may find it by, and no address. */
export function indexText(record: MediaRecord): IndexText {
  return {
    exact: [...new Set([record.name, ...record.aliases].map((name) => exactToken(nameKey(name))))].join(' '),
    names: nameTokens(record.name),
    aliases: record.aliases.map(nameTokens).join(gap),
    hosts: hostTokens(record),
    concepts: recordConcepts(record).join(' '),
    place: placeWords(record).flatMap(tokensOf).join(' '),
    description: record.description === null ? '' : textTokens(record.description),
  };
}

/** The one token that stands for a whole name by its nameKey; a name of mere punctuation gets one too. */
export function exactToken(key: string): string {
  return foldedWords(key).length > 0 ? key.replaceAll(' ', '_') : `.${Buffer.from(key).toString('hex')}`;
}

/**
 * The tokens of a folded word: itself, or, in a script written without spaces, every pair of neighbouring characters
 * and the last character, so that any stretch of the text is found as a phrase of pairs.
 */
export function tokensOf(word: string): string[] {
  if (!isSpaceless(word)) return [word];
  const characters = [...word];
  return characters.map((character, index) => character + (characters[index + 1] ?? ''));
}

function textTokens(text: string): string {
  return foldedWords(text).flatMap(tokensOf).join(' ');
}

/** "L'Équipe" is found by "lequipe", "l'equipe" and "equipe". */
function nameTokens(name: string): string {
  const parted = name.replace(apostrophe, ' ');
  return parted === name ? textTokens(name) : textTokens(name) + gap + textTokens(parted);
}

function hostTokens({ url, feed_url, email, name, aliases }: MediaRecord): string {
  const hosts = [
    url === null ? null : hostOfUrl(url),
    feed_url === null ? null : hostOfUrl(feed_url),
    email === null ? null : canonicalHost(email.slice(email.lastIndexOf('@') + 1)),
    ...[name, ...aliases].map((text) => (text.includes('.') ? findHost(text) : null)),
  ];
  const tokens = new Set<string>();
  for (const host of hosts) {
    if (host === null) continue;
    for (const name of hostAndParents(host)) tokens.add(name);
    tokens.add(fold(hostLabel(host)));
  }
  return [...tokens].join(' ');
}
