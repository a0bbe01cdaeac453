import { appendFile } from 'node:fs/promises';
import { type ContactPatch, type KeptContact, saysAContact } from '#records/contacts/contact.ts';
import { mayBeOneName } from '#records/contacts/same-person.ts';
import type { RecordPatch } from '#records/media-record.ts';
import { peopleOfRow } from '#records/normalize/contacts-of-row.ts';
import type { ContactsChange, RecordStore } from '#records/record-store.ts';
import { nameKey } from '#text/fold.ts';
import { isMailProvider } from '#text/pages.ts';
import type { Row } from '../row.ts';
import { type MediumApart, noPeople } from './import-summary.ts';
import { makeFile } from './private-file.ts';

/** Somebody of whom the file of names tells. */
interface NamedPerson {
  change: 'created' | 'moved' | 'left' | 'other';
  recordId: string;
  /** The name of the medium. */
  medium: string;
  contact: KeptContact;
}

const addressesAtOnce = 500;

/** Counts what an import did to people: read = created + updated + unchanged + repeated + suppressed + rejected. */
export class PeopleAccount {
  readonly counts = { ...noPeople };
  /** The contacts that the files name, by the id of their record. */
  readonly named = new Map<string, Set<string>>();
  readonly #created: NamedPerson[] = [];
  readonly #peopleLeft = new Set<NamedPerson>();
  /** Who left or moved, by record and contact. */
  readonly #keysOfLeft = new Set<string>();
  readonly #otherPeople: NamedPerson[] = [];
  readonly #moved: NamedPerson[] = [];
  readonly #placesAtHost = new Map<string, { name: string; places: Set<string> }>();
  readonly #hasEarlier: boolean;

  /** @param hasEarlier whether there were records before: without any, nobody has moved, and nothing needs to be remembered */
  constructor({ hasEarlier }: { hasEarlier: boolean }) {
    this.#hasEarlier = hasEarlier;
  }

  /** Notes the place of a row that tells which medium it means by its name and place alone. */
  look(patch: RecordPatch): void {
    const { id, url, feed_url, name, city, region, country } = patch;
    if (id || url || feed_url || !name) return;
    const place = [city, region, country].filter(Boolean).join(', ') || 'no place';
    for (const { email, name: person } of patchesIn(patch)) {
      const hostOfEmail = email?.slice(email.lastIndexOf('@') + 1).toLowerCase() ?? '';
      const host = isMailProvider(hostOfEmail) ? '' : hostOfEmail;
      if (host === '' && !person) continue;
      const key = `${nameKey(name)}\n${host}`;
      const sighting = this.#placesAtHost.get(key);
      if (sighting === undefined) this.#placesAtHost.set(key, { name, places: new Set([place]) });
      else sighting.places.add(place);
    }
  }

  /** Media that count as several, one for each place, though people in these places have addresses at one host, or none. */
  get apart(): MediumApart[] {
    const mediaApart = [...this.#placesAtHost.values()].filter(({ places }) => places.size > 1);
    return mediaApart.map(({ name, places }) => ({ name, places: [...places].toSorted() }));
  }

  reject(people: number): void {
    this.counts.read += people;
    this.counts.rejected += people;
  }

  /** Counts the people of one saved record. */
  settle(patches: readonly RecordPatch[], changes: readonly ContactsChange[]): void {
    const people = patches.flatMap(patchesIn);
    const [first] = changes;
    const last = changes.at(-1);
    this.counts.read += people.length;
    this.counts.addresses += people.filter(({ email }) => email).length;
    if (first === undefined || last === undefined) {
      this.counts.repeated += people.length;
      return;
    }
    const { recordId, name: medium } = last;
    const before = new Map(first.before.map((contact) => [contact.id, contact]));
    const namedIds = new Set(changes.flatMap((change) => change.named));
    const namedHere = this.named.get(recordId) ?? new Set();
    if (this.#hasEarlier) this.named.set(recordId, namedHere);
    for (const contact of last.after) {
      if (!namedIds.has(contact.id)) continue;
      const storedContact = before.get(contact.id);
      if (storedContact === undefined && this.#hasEarlier)
        this.#created.push({ change: 'created', recordId, medium, contact });
      this.counts[storedContact === undefined ? 'created' : storedContact === contact ? 'unchanged' : 'updated'] += 1;
      namedHere.add(contact.id);
    }
    const suppressed = changes.reduce((sum, change) => sum + change.suppressed, 0);
    this.counts.suppressed += suppressed;
    this.counts.repeated += people.length - namedIds.size - suppressed;
    const after = new Set(last.after.map(({ id }) => id));
    for (const contact of first.before) {
      if (!after.has(contact.id)) this.leave({ recordId, medium, contact });
      else if (!namedHere.has(contact.id)) this.#otherPeople.push({ change: 'other', recordId, medium, contact });
    }
  }

  leave(person: Omit<NamedPerson, 'change'>): void {
    this.#peopleLeft.add({ change: 'left', ...person });
    this.#keysOfLeft.add(`${person.recordId}\n${person.contact.id}`);
  }

  /** Whether an import might have brought somebody who was at another medium before. */
  get mayHaveMoved(): boolean {
    return this.#created.some(isAtOwnAddress);
  }

  /** Finds who left one medium, or is still at it, and came to another with the same address. */
  async settleMoves(findByAddresses: RecordStore['findByAddresses']): Promise<void> {
    const created = this.#created.filter(isAtOwnAddress);
    const addresses = [...new Set(created.map(({ contact }) => keyOf(contact)))];
    const earlier: NamedPerson[] = [...this.#peopleLeft];
    for (let start = 0; start < addresses.length; start += addressesAtOnce) {
      for (const { id, name, contacts } of await findByAddresses(addresses.slice(start, start + addressesAtOnce))) {
        const here = this.named.get(id);
        for (const contact of contacts) {
          if (!here?.has(contact.id)) earlier.push({ change: 'other', recordId: id, medium: name, contact });
        }
      }
    }
    const byAddress = Map.groupBy(earlier.filter(isAtOwnAddress), ({ contact }) => keyOf(contact));
    for (const person of created) {
      const { contact, recordId } = person;
      const sameAddress = byAddress.get(keyOf(contact)) ?? [];
      const formerPosts = sameAddress.filter(
        (other) => other.recordId !== recordId && mayBeOneName(other.contact.name, contact.name),
      );
      if (formerPosts.length === 0) continue;
      this.#moved.push({ ...person, change: 'moved' });
      for (const formerPost of formerPosts) this.#peopleLeft.delete(formerPost);
    }
  }

  /** Writes who came, moved, left, and was there before, by name. Returns the path of the file; null if nobody did. */
  async close(about: string): Promise<string | null> {
    // A medium whose other people all left has no others.
    const staying = this.#otherPeople.filter(({ recordId, contact }) => {
      const isNamed = this.named.get(recordId)?.has(contact.id) ?? false;
      return !isNamed && !this.#keysOfLeft.has(`${recordId}\n${contact.id}`);
    });
    this.counts.moved = this.#moved.length;
    this.counts.left = this.#peopleLeft.size;
    this.counts.others = new Set(staying.map(({ recordId }) => recordId)).size;
    const people = [...this.#moved, ...this.#peopleLeft, ...staying];
    if (people.length === 0) return null;
    const path = await makeFile(`${about}.people.ndjson`, '');
    const lines = people.map(({ change, recordId, medium, contact: { id, name, title } }) =>
      JSON.stringify({ change, id: recordId, medium, contact_id: id, name, title }),
    );
    await appendFile(path, `${lines.join('\n')}\n`);
    return path;
  }
}

/** What a patch says of people: rows without name, title, address and phone name nobody. */
export function patchesIn({ contacts }: RecordPatch): readonly ContactPatch[] {
  if (contacts === undefined || !('patches' in contacts)) return [];
  return contacts.patches.filter((patch) => patch.id !== undefined || saysAContact(patch));
}

/** How many people a row names that was rejected before it was understood. */
export function peopleIn(row: Row): number {
  if ('fault' in row) return ['no_medium', 'mixed_names'].includes(row.fault.code) ? 1 : 0;
  if (Array.isArray(row.source.contacts)) return row.source.contacts.length;
  const counts = peopleOfRow(row.source).map(({ contact_name: name, contact_title: title, email, phone }) => {
    if (Array.isArray(name)) return name.length;
    return name || title || email || phone ? 1 : 0;
  });
  return counts.reduce((sum: number, count) => sum + count, 0);
}

function isAtOwnAddress({ contact: { kind, email } }: NamedPerson): boolean {
  return kind === 'person' && email !== null;
}

function keyOf({ email }: KeptContact): string {
  return email?.toLowerCase() ?? '';
}
