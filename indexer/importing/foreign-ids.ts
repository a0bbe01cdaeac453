import type { Contact } from '#records/contacts/contact.ts';
import { isSameName } from '#records/contacts/same-person.ts';
import type { MediaRecord } from '#records/media-record.ts';
import type { SourceRecord } from '#records/normalize/cell-reader.ts';
import type { RecordStore } from '#records/record-store.ts';
import { foldedWords, nameKey } from '#text/fold.ts';
import { findHost, hostOfUrl } from '#text/hosts.ts';
import { smallWords } from '#text/name-keys.ts';
import type { KeyedRow } from './repeated-rows.ts';
import { quoteHeading, RefusedFile } from './row.ts';

/** So many stored records that would become others are no coincidence. */
const enoughOthers = 5;
/** So many ids tell whether they come again for another medium. Of more, every second is kept, every fourth, and so on. */
const mostKept = 10_000;

/**
 * Finds out whether the ids of a list are its own, because it numbers its rows: then most stored records that it names would get
 * the name, the site or the person of another one. Or they are no ids, but brands such as `FOX 5`: then most that come again
 * come with another medium.
 */
export class ForeignIds {
  readonly #findAny: RecordStore['findAny'];
  readonly #earlier: EarlierRows;
  /** The media that ids come with first, if `#divisor` divides the key: in a long list, these would fill the memory. */
  readonly #own = new Map<number, Compared & { id: string }>();
  #divisor = 1;
  /** Whether a row fits the stored record, by the key of its id. */
  readonly #fits = new Map<number, boolean>();
  /** By the key of an id that comes again, whether all its rows are of one medium. */
  readonly #agrees = new Map<number, boolean>();

  /** @param earlier what earlier files of the import say */
  constructor(findAny: RecordStore['findAny'], earlier: EarlierRows) {
    this.#findAny = findAny;
    this.#earlier = earlier;
  }

  /** Compares rows with the stored records that their ids name. */
  async compare(rows: readonly KeyedRow[]): Promise<void> {
    const ids = rows.flatMap(({ recordId }) => recordId ?? []);
    if (ids.length === 0) return;
    const stored = new Map((await this.#findAny([], ids)).map((record) => [record.id, record]));
    for (const { row, recordId, key } of rows) {
      if (recordId === null || key === null || 'fault' in row) continue;
      const record = stored.get(recordId) ?? this.#earlier.get(key);
      const named = namedBy(row.source);
      const first = this.#own.get(key);
      if (named !== null && first === undefined && key % this.#divisor === 0) this.#own.set(key, named);
      // Merged records keep their ids, which then lead to one record.
      if (named !== null && named.id === first?.id)
        this.#agrees.set(key, this.#agrees.get(key) !== false && !isOtherMedium(named.name, row.source.url, first));
      if (record === undefined) continue;
      this.#fits.set(key, this.#fits.get(key) === true || !isOther(row.source, record));
    }
    while (this.#own.size > mostKept) this.#keepFewer();
  }

  #keepFewer(): void {
    this.#divisor *= 2;
    for (const key of this.#own.keys()) if (key % this.#divisor !== 0) this.#own.delete(key);
    for (const key of this.#agrees.keys()) if (!this.#own.has(key)) this.#agrees.delete(key);
  }

  /** Lets later files know what this one says of its records. */
  remember(): void {
    for (const [key, named] of this.#own) if (!this.#earlier.has(key)) this.#earlier.set(key, named);
  }

  /** @throws RefusedFile if most records that the list names would become others, or most of its repeated ids are of several media */
  refuse(idHeading: string): void {
    const ways = `leave its ids out with --ignore ${quoteHeading(idHeading)}`;
    const misfitCount = mostDiffer(this.#fits);
    if (misfitCount !== null)
      throw new RefusedFile(
        'foreign_ids',
        `${misfitCount} of the ${this.#fits.size} stored records that its ids name have another name, site or person; if the list numbers its rows itself, ${ways}`,
      );
    const sharedCount = mostDiffer(this.#agrees);
    if (sharedCount !== null && sharedCount > this.#own.size / 20)
      throw new RefusedFile(
        'shared_ids',
        `has ${this.#divisor === 1 ? '' : 'at least '}${sharedCount} ids that stand for several media, which would be one record each; ${ways}`,
      );
  }
}

/** How many are false, if they are enough and most of all. */
function mostDiffer(fits: ReadonlyMap<number, boolean>): number | null {
  const misfitCount = [...fits.values()].filter((isFit) => !isFit).length;
  return misfitCount < enoughOthers || misfitCount <= fits.size / 2 ? null : misfitCount;
}

/** What is compared of a record. */
type Compared = Pick<MediaRecord, 'name' | 'aliases' | 'url'> & { contacts: readonly Pick<Contact, 'name'>[] };

/** By the key of its id, what a file says of a record. */
export type EarlierRows = Map<number, Compared>;

function namedBy({ id, name, url, contact_name: person }: SourceRecord): (Compared & { id: string }) | null {
  if (typeof name !== 'string' || name === '') return null;
  const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : null);
  const page = text(url);
  const contacts = [{ name: text(person) }];
  return { id: String(id).trim(), name, aliases: [], url: page !== null && URL.canParse(page) ? page : null, contacts };
}

/** Whether a row is of another medium, or of another person at it. A row with no name, or only a name, means the record by its id. */
function isOther({ id, kind, name, ...values }: SourceRecord, record: Compared): boolean {
  if (typeof name !== 'string' || name === '' || Object.keys(values).length === 0) return false;
  return isOtherMedium(name, values.url, record) || isOtherPerson(values.contact_name, record.contacts);
}

/** Whether the names differ and the sites, too; without two sites, whether the names have no word in common. */
function isOtherMedium(name: string, url: unknown, record: Compared): boolean {
  const names = [record.name, ...record.aliases];
  if (names.some((storedName) => nameKey(storedName) === nameKey(name))) return false;
  const host = typeof url === 'string' ? findHost(url) : null;
  const storedHost = record.url && hostOfUrl(record.url);
  if (host !== null && storedHost !== null) return host !== storedHost;
  const storedWords = new Set(names.flatMap(tellingWords));
  return !tellingWords(name).some((word) => storedWords.has(word));
}

/** The words of a name without articles and the like, unless it has no others. */
function tellingWords(name: string): readonly string[] {
  const words = foldedWords(name);
  const telling = words.filter((word) => !smallWords.has(word));
  return telling.length === 0 ? words : telling;
}

/** Whether a row names a person, and the record has people of which none is called so. */
function isOtherPerson(name: unknown, contacts: Compared['contacts']): boolean {
  const names = contacts.flatMap((contact) => contact.name ?? []);
  return (
    typeof name === 'string' &&
    name.trim() !== '' &&
    names.length > 0 &&
    !names.some((storedName) => isSameName(name, storedName))
  );
}
