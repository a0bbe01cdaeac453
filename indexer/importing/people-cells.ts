import { columnAt, placeOfColumn } from '#records/contacts/contact-columns.ts';
import { isNamedPerson, isPerson } from '#records/contacts/people.ts';
import { personKey } from '#records/contacts/same-person.ts';
import { nameKeyOf } from '#records/identity.ts';
import type { SourceRecord } from '#records/normalize/cell-reader.ts';
import { listEmails } from '#records/normalize/normalize-email.ts';
import type { RecordStore } from '#records/record-store.ts';
import { kinds } from '#records/vocabularies.ts';
import { nameKey } from '#text/fold.ts';
import { hashText } from '#text/name-keys.ts';
import type { Note } from './accounting/file-account.ts';
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
    for (const { name } of cellsOf(row)) this.#alone.add(keyOf(name));
  }

  /** Rows with a list in place of a cell that names several known people; others that name several have a note. */
  async split(rows: readonly SplitRow[], findAny: RecordStore['findAny']): Promise<SplitRow[]> {
    const isAlone = (part: string) => this.#alone.has(keyOf(part));
    const cellsOfRows = rows.map(({ row }) => cellsOf(row));
    const hasUnknown = (cells: readonly NameCell[]) =>
      cells.some(({ parts }) => parts.length > 1 && !parts.every(isAlone));
    const rowsOfUnknown = rows.filter((_, place) => hasUnknown(cellsOfRows[place] ?? []));
    const stored = await this.#namesAt(rowsOfUnknown, findAny);
    return rows.map((keyed, place) => {
      const { row } = keyed;
      const cells = cellsOfRows[place] ?? [];
      if ('fault' in row || cells.length === 0) return keyed;
      const at = stored.get(mediumOf(row)) ?? new Set();
      const isKnown = (part: string) => isAlone(part) || at.has(personKey(part));
      const several = cells.filter(({ parts }) => parts.length > 1 && parts.every(isKnown));
      const lists = Object.fromEntries(several.map(({ column, parts }) => [column, parts]));
      const isLeft = cells.some(({ column, name }) => !(column in lists) && namesSeveral(row, name));
      const notes = isLeft ? [...keyed.notes, unsplitPeople] : keyed.notes;
      return { ...keyed, row: several.length > 0 ? { ...row, source: { ...row.source, ...lists } } : row, notes };
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

/** A cell of names: the parts of one with several, but none where its addresses are not one for each, or one for all. */
interface NameCell {
  column: string;
  name: string;
  parts: readonly string[];
}

/** The cells of a row that name people. With our id of the contact, a cell has no parts: it is one. */
function cellsOf(row: Row): NameCell[] {
  if ('fault' in row) return [];
  return Object.entries(row.source).flatMap(([column, name]) => {
    if (!column.startsWith('contact_name') || typeof name !== 'string' || name === '') return [];
    const { place } = placeOfColumn(column);
    const email = (row.source as Record<string, unknown>)[columnAt('email', place)];
    const addresses = typeof email === 'string' ? listEmails(email).length : 0;
    const parts = row.source.contact_id ? [] : partsOfCell(name);
    return [{ column, name, parts: addresses < 2 || addresses === parts.length ? parts : [] }];
  });
}

function keyOf(name: string): number {
  return hashText(`person ${personKey(name)}`);
}

function mediumOf(row: Row): string {
  return 'fault' in row ? '' : nameKey(String(row.source.name ?? ''));
}

/** Whether a cell plainly has several people: `Ann Roe & Bob Poe`, but not `Ortega y Gasset` or `Arts & Culture`. */
function namesSeveral({ source }: { source: SourceRecord }, name: string): boolean {
  const parts = source.contact_id ? [] : partsOfCell(name);
  if (parts.length < 2) return false;
  const medium = { name: String(source.name ?? ''), aliases: [], url: null, feed_url: null, platform: null };
  return onlyBetweenPeople.test(name) ? isPerson(name, medium) : parts.every(isNamedPerson);
}
