import type { Contact } from '#records/contacts/contact.ts';
import { foldedWords, nameKey } from '#text/fold.ts';
import { readParts } from '../words/read-parts.ts';
import { stemsOf } from '../words/stems.ts';
import { hasForms, nameToken, sortedName } from './name-forms.ts';
import { addressToken } from './record-tokens.ts';
import { tokensOfText } from './searchable-text.ts';

/** What finds a contact by itself, folded as in searchable-text.ts. No readable address is in it. */
export interface ContactText {
  /** The name with its words in one order, and the address, as tokens of name-forms.ts and record-tokens.ts. */
  exact: string[];
  /** The name, the title and each beat, then the stems of title and beats. No phrase goes from one to the next. */
  people: string[];
  title: string;
  /** `topic.technology` for "Tech". */
  concepts: string[];
}

/** @param language of the medium, in which titles and beats are written */
export function contactText(contact: Contact, language: string | null): ContactText {
  const { title, email } = contact;
  return {
    exact: [...nameTokensOf(contact), ...(email === null ? [] : [addressToken(email)])],
    people: textsOfPerson(contact, language),
    title: tokensOfText(title ?? ''),
    concepts: topicsOf(contact),
  };
}

/** The topics that the beats of a contact stand for. */
export function topicsOf({ beats }: Pick<Contact, 'beats'>): string[] {
  const concepts = beats.flatMap((beat) => readParts(foldedWords(beat)).flatMap(({ concepts }) => concepts));
  return [...new Set(concepts)].filter((concept) => concept.startsWith('topic.'));
}

/** The name of a contact with its words in one order, as a token. */
export function nameTokensOf({ name }: Pick<Contact, 'name'>): string[] {
  const key = nameKey(name ?? '');
  return hasForms(key) ? [nameToken('sorted', sortedName(key))] : [];
}

/** The texts `people` of a contact. */
export function textsOfPerson(
  { name, title, beats }: Pick<Contact, 'name' | 'title' | 'beats'>,
  language: string | null,
): string[] {
  const work = [title ?? '', ...beats];
  const stems = stemsOf(work.flatMap(foldedWords), language).join(' ');
  return [...[name ?? '', ...work].map(tokensOfText), stems].filter(Boolean);
}
