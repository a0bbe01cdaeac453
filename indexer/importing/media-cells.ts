import { contactColumns, placeOfColumn } from '#records/contacts/contact-columns.ts';
import { nameKeyOf } from '#records/identity.ts';
import type { SourceRecord } from '#records/normalize/cell-reader.ts';
import { isFlatKey } from '#records/normalize/normalize-contact.ts';
import type { RecordStore } from '#records/record-store.ts';
import { kinds } from '#records/vocabularies.ts';
import { nameKey } from '#text/fold.ts';
import { findHost } from '#text/hosts.ts';
import { hashText } from '#text/name-keys.ts';
import type { Note } from './accounting/file-account.ts';
import { nameBesidePerson, partsOfMedium } from './real-medium.ts';
import type { KeyedRow } from './repeated-rows.ts';
import type { Row } from './row.ts';

/** What separates several names plainly: `Globe and Mail` is one. */
const asList = /[,;|\n]|\s\/\s/;

/** A row, or one of several that a row is split into: whether it is not the first, and whether it means its medium by the name alone. */
export interface SplitRow extends KeyedRow {
  isFurther: boolean;
  isByName: boolean;
  /** What is said of it before its values are read. */
  notes: readonly Note[];
}

const unsplitMedia: Note = {
  field: 'name',
  code: 'several_media',
  message: 'the name has several parts, and not each of them is known as a medium, so it is taken as one name',
};

/** Counts how many rows each medium has, and splits cells of several media of which each is known by itself. */
export class MediaCells {
  /** How many rows with a key are to come. */
  readonly rowsLeft = new Map<number, number>();
  /** Names of rows with ids. */
  readonly #named = new Set<number>();
  readonly #waiting = new Map<string, { parts: readonly string[]; count: number; isOne: boolean }>();
  readonly #parts = new Map<string, readonly string[]>();

  look({ row, recordId, key }: KeyedRow): void {
    if (key === null || 'fault' in row) return;
    const cell = recordId === null ? severalIn(row) : null;
    if (cell === null) {
      this.#count(key, 1);
      if (recordId !== null && typeof row.source.name === 'string') this.#named.add(hashText(nameKey(row.source.name)));
      return;
    }
    const { parts, count, isOne } = this.#waiting.get(cell.name) ?? { parts: cell.parts, count: 0, isOne: false };
    this.#waiting.set(cell.name, { parts, count: count + 1, isOne: isOne || saysOne(row.source, parts) });
  }

  /** Decides which cells are of several media, when all rows have been looked at. */
  async settle(findAny: RecordStore['findAny']): Promise<void> {
    const isInFiles = (part: string) => {
      const key = hashText(nameKey(part));
      return this.rowsLeft.has(key) || this.#named.has(key);
    };
    const parts = [...this.#waiting.values()].flatMap((cell) => cell.parts);
    const unknown = [...new Set(parts)].filter((part) => !isInFiles(part));
    const keys = [...unknown, ...this.#waiting.keys()].flatMap((name) => kinds.map((kind) => nameKeyOf(kind, name)));
    const stored = new Set(keys.length === 0 ? [] : (await findAny(keys, [])).map(({ name }) => nameKey(name)));
    const areKnown = new Set(parts.filter((part) => isInFiles(part) || stored.has(nameKey(part))));
    for (const [name, { parts: namesInCell, count, isOne }] of this.#waiting) {
      const isStored = !asList.test(name) && stored.has(nameKey(name));
      const isSplit = !isOne && !isStored && namesInCell.every((part) => areKnown.has(part));
      if (isSplit) this.#parts.set(name, namesInCell);
      for (const mediumName of isSplit ? namesInCell : [name]) this.#count(hashText(nameKey(mediumName)), count);
    }
    for (const [key, count] of this.rowsLeft) if (count === 1) this.rowsLeft.delete(key);
  }

  split(keyed: KeyedRow): SplitRow[] {
    const { row, recordId } = keyed;
    const cell = recordId === null ? severalIn(row) : null;
    const parts = cell === null ? undefined : this.#parts.get(cell.name);
    if (parts === undefined || 'fault' in row) {
      const notes = cell !== null && asList.test(cell.name) ? [unsplitMedia] : [];
      return [{ ...keyed, isFurther: false, isByName: false, notes }];
    }
    return parts.map((name, place) => ({
      row: { ...row, source: { ...ofPerson(row.source), name } },
      recordId,
      key: hashText(nameKey(name)),
      isFurther: place > 0,
      isByName: true,
      notes: [],
    }));
  }

  #count(key: number, rows: number): void {
    this.rowsLeft.set(key, (this.rowsLeft.get(key) ?? 0) + rows);
  }
}

function severalIn(row: Row): { name: string; parts: readonly string[] } | null {
  const name = 'fault' in row ? null : nameBesidePerson(row.source);
  if (name === null) return null;
  const parts = partsOfMedium(name);
  return new Set(parts.map(nameKey)).size < 2 ? null : { name, parts };
}

/** Whether a row shows that its name is that of one medium: as its contact, or at a host with all parts, such as `postandcourier.com`. */
function saysOne({ name, contact_name: contact, email, url }: SourceRecord, parts: readonly string[]): boolean {
  if (nameKey(String(contact ?? '')) === nameKey(String(name))) return true;
  const letters = (text: string) => nameKey(text).replaceAll(' ', '');
  const hosts = [findHost(String(url ?? '')), String(email ?? '').split('@')[1]].map((host) => letters(host ?? ''));
  return hosts.some((host) => parts.every((part) => host.includes(letters(part))));
}

const ofPeople: ReadonlySet<string> = new Set(contactColumns.map(({ key }) => key));

/** What a row says of the person: page and place may be of either medium. */
function ofPerson(source: SourceRecord): SourceRecord {
  return Object.fromEntries(
    Object.entries(source).filter(([key]) => {
      const { field } = placeOfColumn(key);
      return field === 'kind' || isFlatKey(field) || ofPeople.has(field);
    }),
  );
}
