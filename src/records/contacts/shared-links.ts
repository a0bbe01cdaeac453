import { isPersonsProfile } from '../fields.ts';
import { urlKey } from '../normalize/normalize-url.ts';
import type { ContactPatch, ContactValues } from './contact.ts';
import { personKey } from './same-person.ts';

/**
 * The keys of links that come with two names, or with a name and the address of a desk. They are the medium's, as its handle
 * that a list repeats for everybody, and say nothing of who a contact is. A link of a row that has neither name nor address
 * tells nobody apart, nor does a person's own profile beside an address without a name.
 */
export function sharedLinks(contacts: readonly Pick<ContactValues, 'name' | 'email' | 'links'>[]): ReadonlySet<string> {
  const holders = new Map<string, string>();
  const shared = new Set<string>();
  for (const { name, email, links = [] } of contacts) {
    const holder = personKey(name) || (email?.toLowerCase() ?? '');
    if (holder === '') continue;
    for (const link of links) {
      const key = urlKey(link);
      const place = name || !isPersonsProfile(link) ? key : `nameless ${key}`;
      if (holders.has(place) && holders.get(place) !== holder) shared.add(key);
      holders.set(place, holder);
    }
  }
  return shared;
}

/** The keys of links by which a contact is recognized. A desk may come with the handle of any of its people, but not with a person's own profile. */
export function tellingLinks({ name, links = [] }: Pick<ContactPatch, 'name' | 'links'>, isPerson: boolean): string[] {
  if (isPerson) return links.map(urlKey);
  return name ? [] : links.filter(isPersonsProfile).map(urlKey);
}

/** Profiles of one person, each once. */
export function joinLinks(links: readonly string[], added: readonly string[]): string[] {
  const knownKeys = new Set(links.map(urlKey));
  return [...links, ...added.filter((link) => !knownKeys.has(urlKey(link)))];
}
