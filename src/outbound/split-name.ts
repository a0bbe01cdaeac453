import humanparser from 'humanparser';
import { textLimits } from '#records/normalize/text-limits.ts';

/** A person's name as mail merges need it. Either part may be empty, never null. */
export interface SplitName {
  first: string;
  last: string;
}

const nobody: SplitName = { first: '', last: '' };

/** Between two people. A single word after "y" or "e" is a second last name. */
const between = / ?[;/] ?| (?:and|&|\+|und|et|og|och|en|и|with) |,? (?:y|e) (?=[^ ]{1,200} [^ ])/iu;
/** Commas between people, and not in `Doe, Jane` or `Doe, Jr.`. */
const severalWithCommas = /^[^ ,]+ [^,]+, ?[^ ,]+ [^ ]/u;

const eastAsian = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}・·\s\u30fc]+$/u;
const arabic = /^[\p{Script=Arabic}\s.]+$/u;

/** Arabic words that form one name with the next: عبد الله is one given name. */
const arabicJoined = new Set(['عبد', 'أبو', 'ابو', 'أبي', 'بن', 'ابن', 'بنت', 'آل', 'أم', 'ام']);

const title =
  /^(?:mr|mister|mrs|miss|ms|mx|dr|prof|professor|doctor|rev|fr|hon|judge|sir|dame|lord|lady|herr|frau|mme|mlle|sra?|srta|don|doña|rabbi|imam|msgr|ing|dott|dra|drs|capt|sgt|col|gen)\.? (?=[^ ])/iu;
const degree =
  /[ ,]{1,4}(?:ph\.?d|dphil|m\.?d|mba|m\.?sc|b\.?sc|esq|esquire|j\.?d|dds|dmd|rph|cbe|obe|mbe|cpa|rn|(?<=, ?)(?:ma|ba|apr|pe|qc|kc))\.?$/iu;
const generation = /^(?:jr|sr|junior|senior|i{2,3}|iv|vi{1,3})\.?$/i;

const words = {
  /** Particles that humanparser doesn't know. */
  extraCompound: 'le las los dos das do zu zum zur vom af av el abu t ap ní dal dalla degli san santa mac'.split(' '),
  extraSuffixes: ['vi', 'vii', 'viii'],
  /** Last names as often as degrees: Yo-Yo Ma. */
  ignoreSuffix: ['ma', 'i', 'v', 'pe', 'apr', 'cme', 'qc', 'kc'],
};

/**
 * Splits a person's name into the part a mail merge greets with and the rest. Middle names and initials go with the
 * first name, particles (van der, de la, bin) and generations (Jr., III) with the last; titles, degrees, nicknames and
 * remarks in brackets are dropped. A single word is a first name, or a last name after a title. Chinese, Japanese and
 * Korean names in their own script have the family name first; without a space they stay whole, since any split would
 * be a guess. Of several people the first counts. Everything else keeps its order. Whether it is a person at all, is-person.ts
 * decides.
 */
export function splitName(name: string): SplitName {
  const [first] = listPeople(name);
  if (first === undefined) return nobody;
  const { name: person, isTitled } = first;
  if (eastAsian.test(person)) return splitFamilyFirst(person);
  if (arabic.test(person)) return splitArabic(person);
  return splitWritten(person, isTitled);
}

/** The people of a list such as `Dr. Jane Doe, PhD and Bob Jones`, without titles, degrees, nicknames and remarks. */
export function listPeople(names: string): { name: string; isTitled: boolean }[] {
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

function splitArabic(name: string): SplitName {
  const parts = name.split(' ');
  const end = parts.findIndex((part, index) => !(index === 0 && arabicJoined.has(part)));
  return { first: parts.slice(0, end + 1).join(' '), last: parts.slice(end + 1).join(' ') };
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
