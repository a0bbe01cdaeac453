import { nameKey } from '#text/fold.ts';
import { isSameAddress, type KeptContact } from './contact.ts';
import { isSameName } from './same-person.ts';
import type { FlatContact } from './with-contacts.ts';

/** The flat keys that tell contacts apart, as histories of before 1.3 have them. Absent and null both mean unknown, but a row whose name is null says that it names nobody. */
export type FlatContactPart = Partial<Pick<FlatContact, 'contact_name' | 'contact_title' | 'email'>>;

/**
 * Whether the values name a contact: a person, or a desk with an address or a title. A title where the name is absent is about
 * whoever is the contact already.
 */
export function namesContact({ contact_name, contact_title, email }: FlatContactPart): boolean {
  return Boolean(contact_name || email || (contact_title && contact_name === null));
}

/**
 * Whether both can be the same contact. Names decide: the same words in any order are one person, with any address; two names
 * at one address are two people. A contact without a name is that of the same address. Two desks are one if they have the same
 * address or the same title (none is a title, too). What names no contact speaks against none.
 */
export function isSameContact(one: FlatContactPart, other: FlatContactPart): boolean {
  if (!namesContact(one) || !namesContact(other)) return true;
  if (one.contact_name && other.contact_name) return isSameName(one.contact_name, other.contact_name);
  if (one.email && isSameAddress(one.email, other.email ?? null)) return true;
  return one.contact_name || other.contact_name ? false : isSameDesk(one, other);
}

/** Two desks, whose addresses are not the same. */
function isSameDesk(one: FlatContactPart, other: FlatContactPart): boolean {
  if (one.contact_title && other.contact_title) return nameKey(one.contact_title) === nameKey(other.contact_title);
  const haveTwoAddresses = Boolean(one.email && other.email);
  const isOneTitled = Boolean(one.contact_title || other.contact_title);
  return !(haveTwoAddresses && isOneTitled);
}

/** Whether both are certainly one contact that had two ids: the same name or address, and the other is not known to differ. */
export function isSameUnderOtherId(one: KeptContact, other: KeptContact): boolean {
  const isOneName = isSameName(one.name, other.name);
  if (one.email !== null && isSameAddress(one.email, other.email)) return isOneName || !one.name || !other.name;
  return isOneName && (one.email === null || other.email === null);
}
