import type { RecordPatch } from '#records/media-record.ts';
import type { SourceRecord } from '#records/normalize/cell-reader.ts';
import { peopleOfRow } from '#records/normalize/contacts-of-row.ts';
import { normalizeRecord } from '#records/normalize/normalize-record.ts';
import { normalizeId } from '#records/normalize/normalize-values.ts';
import type { RecordStore } from '#records/record-store.ts';
import type { Kind } from '#records/vocabularies.ts';
import { FileAccount, SavingFailed } from './accounting/file-account.ts';
import type { FileSummary } from './accounting/import-summary.ts';
import type { Doubts } from './accounting/leaving.ts';
import { type PeopleAccount, peopleIn } from './accounting/people-account.ts';
import { type BatchSaver, type ReadRow, saving } from './batch-saver.ts';
import { optedOut } from './columns/opted-out.ts';
import { type EarlierRows, ForeignIds } from './foreign-ids.ts';
import type { MediaCells, SplitRow } from './media-cells.ts';
import type { PeopleCells } from './people-cells.ts';
import type { PersonIds } from './person-ids.ts';
import { isBlank } from './reading/csv-cells.ts';
import type { Input, Source } from './reading/open-input.ts';
import { totals } from './reading/printed-table.ts';
import { askingForKind, openRows, saysKind } from './reading/read-rows.ts';
import { isWithoutMedium, withoutMedium } from './real-medium.ts';
import { keyRows, lookAtRows, type Resolve, type RowHolder } from './repeated-rows.ts';
import { quoteHeading, RefusedFile, type Row, type RowCells, type RowReader } from './row.ts';

/** How far a file has been read: first to find repeated rows, then to import it. */
export interface ImportProgress {
  file: string;
  phase: 'looking' | 'importing';
  /** Bytes of the stored file; null if the size is unknown. */
  size: number | null;
  bytesRead: number;
  rows: number;
}

/** What the files of an import share: rows of one record count as one, whatever file they are in. */
export interface RunParts {
  resolve: Resolve;
  findAny: RecordStore['findAny'];
  /** The kind of rows that have none. */
  kind: Kind | null;
  /** The name of the list, whose contacts remember it; null without one. */
  source: string | null;
  media: MediaCells;
  peopleCells: PeopleCells;
  /** Null without a source: then ids of people count for nothing. */
  personIds: PersonIds | null;
  /** By the key of its id, what an earlier file says of a record. */
  earlierRows: EarlierRows;
  holder: RowHolder<ReadRow>;
  people: PeopleAccount;
  /** Who stays because of rejected rows. */
  doubts: Doubts;
  /** The keys of all suppressions. */
  suppressed: ReadonlySet<string>;
  onProgress: (progress: ImportProgress) => void;
}

const shortRow = {
  field: null,
  code: 'short_row',
  message: 'the row has fewer cells than the header; stored values are kept for the missing ones',
};

const noMedia = new RefusedFile(
  'no_media',
  'has people, but none of its rows names the medium at which they are, and a contact needs one. Fill the column that names it, or say which other column does with --columns FILE',
);

const onlyName = {
  field: 'name',
  code: 'only_name',
  message:
    'the row has a name and nothing else; if it is a heading or a note within the list, undo, remove it and import again',
};

/** Whether a row of a table is like its headings in between: `REGIONAL PRESS;;;`. */
function isOnlyName({ cells, source }: Row & { source: SourceRecord }): boolean {
  return (
    Array.isArray(cells) &&
    cells.length > 2 &&
    Boolean(source.name) &&
    !source.url &&
    cells.filter((cell) => !isBlank(cell)).length === 1
  );
}

/**
 * A file of an import. In memory are a few numbers for each row, the rows that wait for others of their record, and workbooks, pipes
 * and JSON arrays as a whole. The summary says what was rejected and what ended the reading early.
 */
export class FileImport {
  readonly account: FileAccount;
  /** How the names of the files about rows begin. */
  readonly about: string;
  readonly #input: Input;
  readonly #parts: RunParts;
  #reader: RowReader | null = null;
  #wantsNoMail: ((cells: RowCells) => boolean) | null = null;

  constructor(input: Input, about: string, parts: RunParts) {
    this.account = new FileAccount(input.name, about, parts.suppressed);
    this.about = about;
    this.#input = input;
    this.#parts = parts;
  }

  /** Whether it can be read, or was read, without a fault that ended the reading. */
  get isWhole(): boolean {
    const { refused, broken, stopped } = this.account.summary;
    return refused === null && broken === null && stopped === null;
  }

  /** Looks at all rows before any is imported. Notes why the file is refused, if it is. */
  async look(): Promise<void> {
    const { media, peopleCells, personIds, findAny } = this.#parts;
    const foreignIds = new ForeignIds(findAny, this.#parts.earlierRows);
    let hasMedium = false;
    let withoutMedium = 0;
    try {
      this.account.headings = await lookAtRows(this.#input, this.#resolve, async (rows, source) => {
        await saving(() => foreignIds.compare(rows));
        for (const keyed of rows) {
          media.look(keyed);
          peopleCells.look(keyed.row);
          personIds?.look(keyed.row);
          if (isWithoutMedium(keyed.row)) withoutMedium += 1;
          else hasMedium = true;
        }
        this.#report('looking', source);
      });
      const { headings } = this.account;
      if (!hasMedium && withoutMedium > 0) {
        const hasKind = this.#parts.kind !== null || saysKind(this.#input.columns, headings);
        throw hasKind ? noMedia : askingForKind(noMedia);
      }
      foreignIds.refuse(headings.find((heading) => this.#input.columns.fieldOf(heading) === 'id') ?? 'id');
      foreignIds.remember();
    } catch (error) {
      this.account.fail(error);
    }
  }

  /** Reads the rows, and gives them to the saver when all rows of their record have come. */
  async import(saver: BatchSaver): Promise<void> {
    const { holder, media, peopleCells, personIds, findAny, kind } = this.#parts;
    const { account } = this;
    try {
      const source = await this.#input.open();
      account.summary.other_sheets = source.otherSheets.map(quoteHeading);
      try {
        const list = await openRows(source, this.#input.columns, kind);
        this.#reader = list.reader;
        this.#wantsNoMail = list.wantsNoMail;
        const defaultKind = kind ?? list.reader.kind;
        for await (const rows of list.rows) {
          account.summary.read += rows.length;
          const keyed = (await keyRows(rows, this.#resolve)).flatMap((row) => media.split(row));
          for (const row of await saving(() => peopleCells.split(keyed, findAny))) {
            const rowOfPerson = personIds?.withoutShared(row) ?? row;
            saver.add(holder.take(this.#readRow(rowOfPerson, defaultKind), row.key));
            if (saver.isFull) await saver.save();
          }
          this.#report('importing', source);
        }
      } finally {
        source.close();
        account.summary.sha256 = source.sha256();
        account.summary.size = source.bytesRead();
      }
    } catch (error) {
      account.fail(error);
      if (error instanceof SavingFailed) throw error;
    }
  }

  close(): FileSummary {
    return this.account.close(this.#reader, this.#input.columns);
  }

  #resolve: Resolve = (ids) => saving(() => this.#parts.resolve(ids));

  #report(phase: ImportProgress['phase'], { size, bytesRead }: Source): void {
    const { file, read: rows } = this.account.summary;
    this.#parts.onProgress({ file, phase, size, bytesRead: bytesRead(), rows });
  }

  /** The patch of a row, and notes on it; null if the row is rejected. */
  #readRow({ row, recordId, key, isFurther, isByName, notes: earlier }: SplitRow, kind: Kind | null): ReadRow | null {
    const { account } = this;
    const { line, cells } = row;
    const reject = (fault: { field: string | null; code: string; reason: string }) => {
      if (!isFurther) account.reject({ line, cells, ...fault }, 'fault' in row ? [] : namesIn(row.source));
      this.#parts.people.reject(peopleIn(row));
      const { doubts } = this.#parts;
      const isRead = !('fault' in row) || row.fault.code === withoutMedium.code;
      if (fault === optedOut) doubts.addPeople(cells);
      else if (key !== null) doubts.addMedium(key);
      else if (isRead) doubts.addPeople(cells);
      else if (fault.code !== totals.code) doubts.areOfAnybody = true;
      return null;
    };
    if ('fault' in row) return reject({ field: null, ...row.fault });
    if (this.#wantsNoMail?.(cells)) return reject(optedOut);
    const result = normalizeRecord(row.source, kind, row.implied);
    if ('rejection' in result) {
      const { field, code, message } = result.rejection;
      return reject({ field, code, reason: message });
    }
    const notes = result.notes.map((note) => ({ ...note, value: row.source[note.field] }));
    const remarks = [
      ...(row.isShort ? [shortRow] : []),
      ...earlier,
      ...(isOnlyName(row) ? [{ ...onlyName, value: row.source.name }] : []),
      ...notes,
    ];
    const patch = withSource(result.patch, row.source, this.#parts.source);
    this.#parts.people.look(patch);
    return { line, cells, patch, notes: remarks, recordId, account, isFurther, isByName, key };
  }
}

function namesIn(source: SourceRecord): string[] {
  const names = peopleOfRow(source).flatMap(({ contact_name: name }) => name);
  return names.filter((name) => typeof name === 'string');
}

/** The patch whose contacts remember the list, with its own id of the person. */
function withSource(patch: RecordPatch, { person_id: personId }: SourceRecord, source: string | null): RecordPatch {
  const { contacts } = patch;
  if (source === null || contacts === undefined || !('patches' in contacts)) return patch;
  const personIdRead = normalizeId(personId);
  const sourceId = { source, id: 'id' in personIdRead ? personIdRead.id : null };
  return {
    ...patch,
    contacts: { ...contacts, patches: contacts.patches.map((contact) => ({ ...contact, sourceId })) },
  };
}
