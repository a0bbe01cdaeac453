import { isKnown } from '../fields.ts';
import { type ContactPatch, type KeptContact, saysAContact, withValues } from './contact.ts';
import { contactKindOf } from './contact-kind.ts';
import { matchContacts } from './match-contacts.ts';
import { type ContactsOf, emptyContact } from './merge-contacts.ts';

/**
 * What the rows of one import say about the contacts of one medium: rows of one contact become one patch. Later values win, an
 * empty cell takes nothing from an earlier row, and two addresses of one name are two contacts (contract A17, A18).
 */
export function joinContactRows(medium: ContactsOf, rows: readonly ContactPatch[]): ContactPatch[] {
  const isPerson = (patch: ContactPatch) => contactKindOf(patch, medium) === 'person';
  const joined: ContactPatch[] = [];
  for (const row of rows.filter((patch) => patch.id !== undefined || saysAContact(patch))) {
    const candidates = joined.map((patch, place) => candidate(patch, place, medium));
    const namedBefore = new Set(candidates.filter(({ email }) => email !== null).map(({ id }) => id));
    const [place = null] = matchContacts(candidates, [row], { isPerson, namedBefore });
    if (place === null) joined.push(row);
    else joined[place] = joinPatches(joined[place] as ContactPatch, row);
  }
  return joined;
}

/** A patch as a contact that others are compared with. Without an id of ours, its place stands for one. */
function candidate(patch: ContactPatch, place: number, medium: ContactsOf): KeptContact {
  const { sourceId, ...values } = patch;
  const contact = { ...emptyContact(patch.id ?? `\0${place}`), ...knownOf(values) };
  return {
    ...contact,
    kind: contactKindOf(contact, medium),
    ...(sourceId && { sources: { [sourceId.source]: sourceId.id } }),
  };
}

function joinPatches(earlier: ContactPatch, later: ContactPatch): ContactPatch {
  const missing = Object.fromEntries(Object.entries(later).filter(([key]) => !(key in earlier)));
  return { ...missing, ...withValues(earlier, knownOf(later)) } as ContactPatch;
}

function knownOf(patch: ContactPatch): ContactPatch {
  return Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined && isKnown(value)));
}
