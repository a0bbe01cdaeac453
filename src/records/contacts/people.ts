import { createRequire } from 'node:module';
import humanparser from 'humanparser';
import { wordsOfUse } from '#languages/words.ts';
import { nameKey } from '#text/fold.ts';
import { findHost, hostLabel } from '#text/hosts.ts';
import { once } from '#text/memoize.ts';
import type { MediaRecord } from '../media-record.ts';
import { textLimits } from '../normalize/clean-text.ts';
import type { ContactKind, ContactValues } from './contact.ts';

/** A person's name as mail merges need it. Either part may be empty. */
type SplitName = { first: string; last: string };

/** Separates two people. `Ana y Luis Gil` are two; in `José Ortega y Gasset` a single word follows, which is a last name. */
const between = / ?[;/] ?| (?:and|&|\+|und|et|og|och|en|и|with) |,? (?:y|e) (?=[^ ]{1,200} [^ ])/iu;
/** Commas that separate people: in `Jane Doe, Bob Jones`, not in `Doe, Jane` or `Doe, Jr.`. */
const severalWithCommas = /^[^ ,]+ [^,]+, ?[^ ,]+ [^ ]/u;

const eastAsian = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}・·\s\u30fc]+$/u;

const title =
  /^(?:mr|mister|mrs|miss|ms|mx|dr|prof|professor|doctor|rev|fr|hon|judge|sir|dame|lord|lady|herr|frau|mme|mlle|sra?|srta|don|doña|rabbi|imam|msgr|ing|dott|dra|drs|capt|sgt|col|gen)\.? (?=[^ ])/iu;
const degree =
  /[ ,]{1,4}(?:ph\.?d|dphil|m\.?d|mba|m\.?sc|b\.?sc|esq|esquire|j\.?d|dds|dmd|rph|cbe|obe|mbe|cpa|rn|(?<=, ?)(?:ma|ba|apr|pe|qc|kc))\.?$/iu;
const generation = /^(?:jr|sr|junior|senior|i{2,3}|iv|vi{1,3})\.?$/i;

const words = {
  /** Particles that humanparser doesn't know. */
  extraCompound:
    'le las los dos das do zu zum zur vom af av el abu t ap ní dal dalla degli san santa mac عبد أبو ابو بن ابن بنت آل'.split(
      ' ',
    ),
  extraSuffixes: ['vi', 'vii', 'viii'],
  /** Not suffixes, because they are last names as often as degrees: Yo-Yo Ma. */
  ignoreSuffix: ['ma', 'i', 'v', 'pe', 'apr', 'cme', 'qc', 'kc'],
};

/**
 * Splits a person's name into the part that a mail merge greets with and the rest. Call `isPerson` first to know whether it
 * is a person at all. Middle names and initials go with the first name; particles (van der, de la, bin) and generations (Jr.,
 * III) go with the last. Titles, degrees, nicknames and remarks in brackets are dropped. A single word is a first name, or a
 * last name after a title. Chinese, Japanese and Korean names in their own script have the family name first; without a
 * space they stay whole, because any split would be a guess. Of several people, only the first is used.
 */
export function splitName(name: string): SplitName {
  const [first] = listPeople(name);
  if (first === undefined) return { first: '', last: '' };
  const { name: person, isTitled } = first;
  if (eastAsian.test(person)) return splitFamilyFirst(person);
  return splitWritten(person, isTitled);
}

/** The people of a list such as `Dr. Jane Doe, PhD and Bob Jones`, without titles, degrees, nicknames and remarks. */
function listPeople(names: string): { name: string; isTitled: boolean }[] {
  return names
    .slice(0, textLimits.contact_name)
    .replace(/\([^)]{0,200}\)|\[[^\]]{0,200}\]|["“”„«»][^"“”„«»]{0,200}["“”„«»]/gu, ' ')
    .replace(/\s+/gu, ' ')
    .split(between)
    .flatMap((part) => (severalWithCommas.test(part.trim()) ? part.split(',') : part))
    .map((part) => part.trim())
    .filter((part) => /\p{L}/u.test(part))
    .map((part) => {
      const untitled = stripAll(part, title);
      return { name: stripAll(untitled, degree), isTitled: untitled !== part };
    });
}

function splitFamilyFirst(name: string): SplitName {
  const [family = '', ...givenNames] = name.split(/[\s・·]+/u);
  // A dot separates foreign names, which keep their own order: ジョン・スミス.
  if (/[・·]/u.test(name)) return { first: family, last: givenNames.join(' ') };
  return givenNames.length === 0 ? { first: family, last: '' } : { first: givenNames.join(' '), last: family };
}

function splitWritten(name: string, isTitled: boolean): SplitName {
  const { firstName = '', middleName = '', lastName = '', suffix = '' } = humanparser.parseName(name, words);
  const first = joinParts(firstName, middleName);
  const last = joinParts(lastName, generation.test(suffix) ? suffix : '');
  const onlyName = first === '' || last === '' ? first + last : null;
  if (onlyName === null) return { first, last };
  return isTitled ? { first: '', last: onlyName } : { first: onlyName, last: '' };
}

function stripAll(text: string, pattern: RegExp): string {
  const rest = text.replace(pattern, '');
  return rest === text || rest === '' ? text : stripAll(rest, pattern);
}

function joinParts(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(' ');
}

/** Words in names of desks, such as `News desk`. */
const desk = new Set(wordsOfUse('organization.desk').map(nameKey));
/** Words in names of organisations, shows and desks, but not of people. */
const organization = new Set([...desk, ...wordsOfUse('organization.word').map(nameKey)]);
/** The same, in names without spaces. */
const organizationParts = wordsOfUse('organization.part');
const particle = /^(?:v[ao]n|de[rnlis]?|d[ao]s?|di|la|le|el|al|bin|ibn|ben|y|e|ten|ter|zu|st|mc|mac|af|av|abu)$/;
/** `J.` and `E.J.`; without full stops only common ones, such as `TJ` and `JP`. */
const initials = /^(?:(?:\p{Lu}\.){1,3}|\p{Lu}|[A-CE-Z]J|J[A-Z])$/u;
const article = /^(?:l[aeo]|les|el|l[ao]s|il|gli|een|het)$/i;
const spaceless = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
/** Characters that no name of a person has. Full stops are fine: initials and titles have them. */
const noName = /[\p{N}@!?:#|_*/\\=<>~…»«™®]| [-–—] /u;

/** What tells a medium's own names and hosts from those of people. */
export type NamedMedium = Pick<MediaRecord, 'name' | 'aliases' | 'url' | 'feed_url' | 'platform'>;

/**
 * Whether the contact of a medium is one person or several, who can be greeted, and not an organisation, a desk, a host or the
 * medium itself. A title or a known first name shows that. Without one, the name must have two or three words, none of which
 * is in the medium's own names or hosts.
 */
export function isPerson(contactName: string, medium: NamedMedium): boolean {
  const people = listPeople(contactName);
  const [first, ...otherPeople] = people;
  if (first === undefined || isItself(contactName, medium) || people.some(({ name }) => isOrganization(name)))
    return false;
  const isCouple = !/[\s,]/.test(first.name) && otherPeople.length > 0;
  if (isCouple && !otherPeople.every(({ name }) => isGivenName(name))) return false;
  const words = first.name.split(/[\s,]+/u).filter((word) => !particle.test(word));
  if (noName.test(first.name) || words.length > 4) return false;
  return first.isTitled || isGivenName(first.name) || isNobodyElse(words, medium);
}

/** Whether a text names people, seen without its record: each must have a usual first name or a title, and another word. */
export function isNamedPerson(text: string): boolean {
  const people = listPeople(text);
  const isOne = ({ name, isTitled }: (typeof people)[number]) =>
    /[\s,]/.test(name) && !noName.test(name) && !isOrganization(name) && (isTitled || isGivenName(name));
  return people.length > 0 && people.every(isOne);
}

/** Whether a text has a word of names of desks: `Main newsroom`. */
export function namesDesk(text: string): boolean {
  return nameKey(text)
    .split(' ')
    .some((word) => desk.has(word));
}

/** Whether a text has a word of names of organisations, shows or desks, or a host. */
export function isOrganization(name: string): boolean {
  const words = name.split(/[\s,/]+/u);
  return (
    words.some((word) => findHost(word) !== null || organization.has(nameKey(word))) ||
    organizationParts.some((ending) => name.includes(ending))
  );
}

/** Whether the contact is one of the medium's names or its platform. A name of several words may also be only a part of it. */
function isItself(contactName: string, { name, aliases, platform }: NamedMedium): boolean {
  const contact = nameKey(contactName);
  const mediumKeys = [name, ...aliases, platform ?? ''].map(nameKey);
  return mediumKeys.some((key) => key === contact || (key.includes(' ') && ` ${contact} `.includes(` ${key} `)));
}

/** Whether none of these words is in the names or hosts of the medium. */
function isNobodyElse(words: readonly string[], { name, aliases, url, feed_url }: NamedMedium): boolean {
  const about = nameKey([name, ...aliases].join(' '));
  if (words.some((word) => spaceless.test(word))) return !about.includes(nameKey(words.join(' ')));
  const hosts = [url, feed_url].map((address) => hostLabel(findHost(address ?? '') ?? ''));
  const isKnown = (key: string) =>
    ` ${about} `.includes(` ${key} `) || (key.length > 3 && hosts.some((host) => host.includes(key)));
  return (
    words.length > 1 && words.length <= 3 && !words.some((word) => /^\p{Lu}{3,}$/u.test(word) || isKnown(nameKey(word)))
  );
}

/** Whether a name is or begins with a usual first name, or begins with initials. */
export function isGivenName(name: string): boolean {
  const [first = '', ...otherWords] = name.split(/[\s,]+/u);
  if (article.test(first) || (otherWords.length === 0 && /^(?:\p{Lu}|\p{Lu}{3,})$/u.test(first))) return false;
  return (
    (otherWords.length > 0 && initials.test(first)) ||
    first.split('-').every((part) => givenNames().getGender(part.replace(/[.,]/g, '')) !== 'unknown')
  );
}

/** Read when the first name is asked for: 2 MB that threads which only write records never need. */
const givenNames = once((): typeof import('gender-detection-from-name') =>
  createRequire(import.meta.url)('gender-detection-from-name'),
);

/** Local parts, without `.`, `-` and `_`, that only programs read or write (contract A18). */
const automaticInboxes: ReadonlySet<string> = new Set(wordsOfUse('inbox.automatic'));

/** What a contact of a medium is. A person's name makes it a person, whatever the address. */
export function contactKindOf(
  { name, email }: Pick<ContactValues, 'name' | 'email'>,
  medium: NamedMedium,
): ContactKind {
  if (name && isPerson(name, medium)) return 'person';
  return email && isAutomaticInbox(email) ? 'automatic' : 'desk';
}

function isAutomaticInbox(email: string): boolean {
  const local = email.slice(0, email.lastIndexOf('@')).toLowerCase();
  return automaticInboxes.has(local.replaceAll(/[._-]/g, ''));
}
