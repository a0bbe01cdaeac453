import { hash, randomBytes } from 'node:crypto';
import { nameKey } from '#text/fold.ts';
import type { ContactValues } from './contact.ts';
import { personKey } from './same-person.ts';

/** 60 bits: a record has at most 500 contacts. */
const idLength = 10;

/**
 * The id of a new contact. It follows from the record, and from the name or else the title, so that a contact that is
 * imported again after an undo has the same one. A contact with neither gets a random one: an id must say nothing of the
 * address, and what it was once given to must not be taken for another desk.
 *
 * @param takenIds the ids that the record's contacts have
 */
export function newContactId(recordId: string, { name, title }: ContactValues, takenIds: ReadonlySet<string>): string {
  const identity = name ? `name ${personKey(name)}` : title ? `title ${nameKey(title)}` : null;
  for (let number = 0; ; number += 1) {
    const id = identity === null ? randomId() : idOf(`${recordId}\n${identity}\n${number}`);
    if (!takenIds.has(id)) return id;
  }
}

/** The id of the contact of a record that was stored when records had one contact. */
export function idOfOnlyContact(recordId: string): string {
  return idOf(`${recordId}\nonly contact`);
}

/** The id of a contact without id, name and title, as other tools may write them, by its place in the document. */
export function idOfUnnamedContact(recordId: string, place: number): string {
  return idOf(`${recordId}\nunnamed contact ${place}`);
}

function idOf(text: string): string {
  return hash('sha256', `masthead contact ${text}`, 'base64url').slice(0, idLength);
}

function randomId(): string {
  return randomBytes(8).toString('base64url').slice(0, idLength);
}
