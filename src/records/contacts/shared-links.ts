import { urlKey } from '../normalize/normalize-url.ts';
import type { ContactValues } from './contact.ts';
import { personKey } from './same-person.ts';

/**
 * The keys of links that come with two names, or with a name and the address of a desk. They are the medium's, as its handle
 * that a list repeats for everybody, and say nothing of who a contact is. A link of a row that has neither name nor address
 * tells nobody apart.
 */
export function sharedLinks(contacts: readonly Pick<ContactValues, 'name' | 'email' | 'links'>[]): ReadonlySet<string> {
  const holders = new Map<string, string>();
  const shared = new Set<string>();
  for (const { name, email, links = [] } of contacts) {
    const holder = personKey(name) || (email?.toLowerCase() ?? '');
    if (holder === '') continue;
    for (const key of links.map(urlKey)) {
      if (holders.has(key) && holders.get(key) !== holder) shared.add(key);
      holders.set(key, holder);
    }
  }
  return shared;
}
