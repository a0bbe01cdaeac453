import { getGender } from 'gender-detection-from-name';
import type { MediaRecord } from '#records/media-record.ts';
import { nameKey } from '#text/fold.ts';
import { findHost, hostLabel } from '#text/hosts.ts';
import listed from './organization-words.json' with { type: 'json' };
import { listPeople } from './split-name.ts';

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

/** Whether the first word is a first name that is known, or an initial. */
function isGivenName(name: string): boolean {
  const [first = '', ...others] = name.split(/[\s,]+/u);
  if (article.test(first) || (others.length === 0 && /^(?:\p{Lu}|\p{Lu}{3,})$/u.test(first))) return false;
  return (
    (others.length > 0 && initials.test(first)) ||
    first.split('-').every((part) => getGender(part.replace(/[.,]/g, '')) !== 'unknown')
  );
}
