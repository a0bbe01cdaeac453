import { type KeptContact, preferredOf, withPreferred } from './contact.ts';
import { newContactId } from './contact-id.ts';
import { contactKindOf } from './contact-kind.ts';
import { matchContacts } from './match-contacts.ts';
import { type ContactsOf, completedBy, withKind } from './merge-contacts.ts';

/**
 * The contacts of records that become one, those of the kept record first: a contact of both is there once, completed by what
 * the others know. Nobody and no address is lost: one name with two addresses stays two contacts. Whom somebody put first
 * at the first of these records stays first.
 */
export function uniteContacts(
  medium: ContactsOf,
  kept: readonly KeptContact[],
  others: readonly (readonly KeptContact[])[],
): KeptContact[] {
  return others.reduce<KeptContact[]>((united, more) => addContacts(medium, united, more), [...kept]);
}

function addContacts(medium: ContactsOf, united: readonly KeptContact[], more: readonly KeptContact[]): KeptContact[] {
  const isPerson = (contact: Pick<KeptContact, 'name' | 'email'>) => contactKindOf(contact, medium) === 'person';
  const places = matchContacts(united, more, {
    isPerson: ({ name = null, email = null }) => isPerson({ name, email }),
    mayReplace: false,
  });
  const contacts = [...united];
  const taken = new Set(united.map(({ id }) => id));
  let preferred = preferredOf(united);
  for (const [at, other] of more.entries()) {
    const place = places[at] ?? null;
    const same = place === null ? undefined : contacts[place];
    if (place !== null && same !== undefined) {
      contacts[place] = completedBy(same, other, medium);
      if (other.isPreferred) preferred ??= same.id;
      continue;
    }
    const id = taken.has(other.id) ? newContactId(medium.id, other, taken) : other.id;
    taken.add(id);
    contacts.push(withKind({ ...other, id }, medium));
    if (other.isPreferred) preferred ??= id;
  }
  return withPreferred(contacts, preferred);
}
