import { isNamedPerson, isPerson } from '#records/contacts/people.ts';
import { personKey } from '#records/contacts/same-person.ts';
import { nameKeyOf } from '#records/identity.ts';
import { listEmails } from '#records/normalize/normalize-email.ts';
import type { RecordStore } from '#records/record-store.ts';
import { kinds } from '#records/vocabularies.ts';
import { nameKey } from '#text/fold.ts';
import { hashText } from '#text/name-keys.ts';
import type { Note } from './file-account.ts';
import { onlyBetweenPeople, partsOfCell } from './join-names.ts';
import type { SplitRow } from './media-cells.ts';
import type { KeyedRow } from './repeated-rows.ts';
import type { Row } from './row.ts';

const unsplitPeople: Note = {
  field: 'contact_name',
  code: 'several_people',
  message:
    'the cell names several people, and not each of them stands alone in another row or at the medium, so it is taken as one contact; give each a row of her own',
};

/** Splits cells that name several people, of whom each stands alone in another row or at the stored medium (contract A18). */
export class PeopleCells {
  readonly #alone = new Set<number>();

  look(row: Row): void {
    const name = nameIn(row);
    if (name !== null) this.#alone.add(keyOf(name));
  }

  /** Rows whose `contact_name` is a list where it names several known people; others that name several have a note. */
  async split(rows: readonly SplitRow[], findAny: RecordStore['findAny']): Promise<SplitRow[]> {
    const rowsOfSeveral = rows.filter(({ row }) => severalIn(row).length > 1);
    const isAlone = (part: string) => this.#alone.has(keyOf(part));
    const unknown = rowsOfSeveral.filter(({ row }) => !severalIn(row).every(isAlone));
    const stored = await this.#namesAt(unknown, findAny);
    const splitting = new Set(
      rowsOfSeveral.filter(({ row }) => {
        const at = stored.get(mediumOf(row)) ?? new Set();
        return severalIn(row).every((part) => isAlone(part) || at.has(personKey(part)));
      }),
    );
    return rows.map((keyed) => {
      if (splitting.has(keyed)) return { ...keyed, row: withPeople(keyed.row) };
      return namesSeveral(keyed.row) ? { ...keyed, notes: [...keyed.notes, unsplitPeople] } : keyed;
    });
  }

  /** The people of the stored media that rows name, by the folded name of the medium. */
  async #namesAt(rows: readonly KeyedRow[], findAny: RecordStore['findAny']): Promise<Map<string, Set<string>>> {
    const names = new Map<string, Set<string>>();
    if (rows.length === 0) return names;
    const keys = rows.flatMap(({ row }) =>
      'fault' in row ? [] : kinds.map((kind) => nameKeyOf(kind, String(row.source.name ?? ''))),
    );
    const ids = rows.flatMap(({ recordId }) => recordId ?? []);
    for (const { name, contacts } of await findAny(keys, ids)) {
      const key = nameKey(name);
      names.set(key, new Set([...(names.get(key) ?? []), ...contacts.map((contact) => personKey(contact.name))]));
    }
    return names;
  }
}

function nameIn(row: Row): string | null {
  const name = 'fault' in row ? null : row.source.contact_name;
  return typeof name === 'string' && name !== '' ? name : null;
}

function keyOf(name: string): number {
  return hashText(`person ${personKey(name)}`);
}

function mediumOf(row: Row): string {
  return 'fault' in row ? '' : nameKey(String(row.source.name ?? ''));
}

/**
 * The parts of a cell with several names; none where its addresses are not one for each, or one for all, and where the row has our
 * id of the contact, which is one.
 */
function severalIn(row: Row): string[] {
  const name = nameIn(row);
  if (name === null || 'fault' in row || row.source.contact_id) return [];
  const parts = partsOfCell(name);
  if (parts.length < 2) return [];
  const addresses = typeof row.source.email === 'string' ? listEmails(row.source.email).length : 0;
  return addresses < 2 || addresses === parts.length ? parts : [];
}

/** Whether a row plainly has several people in one cell: `Ann Roe & Bob Poe`, but not `Ortega y Gasset` or `Arts & Culture`. */
function namesSeveral(row: Row): boolean {
  const name = nameIn(row);
  if (name === null || 'fault' in row || row.source.contact_id) return false;
  const parts = partsOfCell(name);
  if (parts.length < 2) return false;
  const medium = { name: String(row.source.name ?? ''), aliases: [], url: null, feed_url: null, platform: null };
  return onlyBetweenPeople.test(name) ? isPerson(name, medium) : parts.every(isNamedPerson);
}

function withPeople(row: Row): Row {
  if ('fault' in row) return row;
  return { ...row, source: { ...row.source, contact_name: severalIn(row) } };
}
