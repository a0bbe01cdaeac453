import { getGender } from 'gender-detection-from-name';
import humanparser from 'humanparser';
import type { MediaRecord } from '#records/media-record.ts';
import { textLimits } from '#records/normalize/clean-text.ts';
import { nameKey } from '#text/fold.ts';
import { findHost, hostLabel } from '#text/hosts.ts';
import listed from './organization-words.json' with { type: 'json' };

/** A person's name as mail merges need it. Either part may be empty. */
type SplitName = { first: string; last: string };

/** Between two people. A single word after "y" or "e" is a second last name. */
const between = / ?[;/] ?| (?:and|&|\+|und|et|og|och|en|и|with) |,? (?:y|e) (?=[^ ]{1,200} [^ ])/iu;
/** Commas between people, and not in `Doe, Jane` or `Doe, Jr.`. */
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
  /** Last names as often as degrees: Yo-Yo Ma. */
  ignoreSuffix: ['ma', 'i', 'v', 'pe', 'apr', 'cme', 'qc', 'kc'],
};

/**
 * Splits a person's name into the part a mail merge greets with and the rest. Middle names and initials go with the
 * first name, particles (van der, de la, bin) and generations (Jr., III) with the last; titles, degrees, nicknames and
 * remarks in brackets are dropped. A single word is a first name, or a last name after a title. Chinese, Japanese and
 * Korean names in their own script have the family name first; without a space they stay whole, since any split would
 * be a guess. Of several people the first counts. Everything else keeps its order. Whether it is a person at all, `isPerson`
 * decides.
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
  const [family = '', ...given] = name.split(/[\s・·]+/u);
  // A dot separates foreign names, which keep their own order: ジョン・スミス.
  if (/[・·]/u.test(name)) return { first: family, last: given.join(' ') };
  return given.length === 0 ? { first: family, last: '' } : { first: given.join(' '), last: family };
}

function splitWritten(name: string, isTitled: boolean): SplitName {
  const { firstName = '', middleName = '', lastName = '', suffix = '' } = humanparser.parseName(name, words);
  const first = joinParts(firstName, middleName);
  const last = joinParts(lastName, generation.test(suffix) ? suffix : '');
  const only = first === '' || last === '' ? first + last : null;
  if (only === null) return { first, last };
  return isTitled ? { first: '', last: only } : { first: only, last: '' };
}

function stripAll(text: string, pattern: RegExp): string {
  const rest = text.replace(pattern, '');
  return rest === text || rest === '' ? text : stripAll(rest, pattern);
}

function joinParts(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(' ');
}

/** Words in names of organisations, shows and desks, but not of people. */
const organization = new Set(listed.words.split(' ').map(nameKey));
const particle = /^(?:v[ao]n|de[rnlis]?|d[ao]s?|di|la|le|el|al|bin|ibn|ben|y|e|ten|ter|zu|st|mc|mac|af|av|abu)$/;
/** `J.`, `E.J.`, and without full stops what is common: `TJ`, `JP`. */
const initials = /^(?:(?:\p{Lu}\.){1,3}|\p{Lu}|[A-CE-Z]J|J[A-Z])$/u;
const article = /^(?:l[aeo]|les|el|l[ao]s|il|gli|een|het)$/i;
const spaceless = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
/** No name of a person has these; initials and titles have a full stop. */
const noName = /[\p{N}@!?:#|_*/\\=<>~…»«™®]| [-–—] /u;

type Context = Pick<MediaRecord, 'contact_name' | 'name' | 'aliases' | 'url' | 'feed_url' | 'platform'>;

/**
 * Whether the contact of a medium is a person who can be greeted, or several: no organisation, desk or host, and not the
 * medium itself. A known first name tells; without one, a name of two or three words of which the medium's own name and
 * hosts have none.
 */
export function isPerson(record: Context): boolean {
  const people = listPeople(record.contact_name ?? '');
  const [first, ...others] = people;
  if (first === undefined || isItself(record) || people.some(({ name }) => isOrganization(name))) return false;
  const isCouple = !/[\s,]/.test(first.name) && others.length > 0;
  if (isCouple && !others.every(({ name }) => isGivenName(name))) return false;
  const words = first.name.split(/[\s,]+/u).filter((word) => !particle.test(word));
  if (noName.test(first.name) || words.length > 4) return false;
  return first.isTitled || isGivenName(first.name) || isNobodyElse(words, record);
}

/** Whether a text alone shows that it names people: each by a usual first name or a title, and more. */
export function isNamedPerson(text: string): boolean {
  const people = listPeople(text);
  const isOne = ({ name, isTitled }: (typeof people)[number]) =>
    /[\s,]/.test(name) && !noName.test(name) && !isOrganization(name) && (isTitled || isGivenName(name));
  return people.length > 0 && people.every(isOne);
}

function isOrganization(name: string): boolean {
  const words = name.split(/[\s,/]+/u);
  return (
    words.some((word) => findHost(word) !== null || organization.has(nameKey(word))) ||
    listed.endings.some((ending) => name.includes(ending))
  );
}

/** Whether it is the medium, by any of its names, or where it is hosted; names of several words perhaps with more. */
function isItself({ contact_name, name, aliases, platform }: Context): boolean {
  const contact = nameKey(contact_name ?? '');
  const own = [name, ...aliases, platform ?? ''].map(nameKey);
  return own.some((key) => key === contact || (key.includes(' ') && ` ${contact} `.includes(` ${key} `)));
}

/** Whether these words are those of nothing else that is known of the medium. */
function isNobodyElse(words: readonly string[], { name, aliases, url, feed_url }: Context): boolean {
  const about = nameKey([name, ...aliases].join(' '));
  if (words.some((word) => spaceless.test(word))) return !about.includes(nameKey(words.join(' ')));
  const hosts = [url, feed_url].map((address) => hostLabel(findHost(address ?? '') ?? ''));
  const isKnown = (key: string) =>
    ` ${about} `.includes(` ${key} `) || (key.length > 3 && hosts.some((host) => host.includes(key)));
  return (
    words.length > 1 && words.length <= 3 && !words.some((word) => /^\p{Lu}{3,}$/u.test(word) || isKnown(nameKey(word)))
  );
}

function isGivenName(name: string): boolean {
  const [first = '', ...others] = name.split(/[\s,]+/u);
  if (article.test(first) || (others.length === 0 && /^(?:\p{Lu}|\p{Lu}{3,})$/u.test(first))) return false;
  return (
    (others.length > 0 && initials.test(first)) ||
    first.split('-').every((part) => getGender(part.replace(/[.,]/g, '')) !== 'unknown')
  );
}
