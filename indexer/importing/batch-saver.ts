import { contactLimit } from '#records/contacts/contact.ts';
import { nameKeyOf } from '#records/identity.ts';
import type { RecordPatch } from '#records/media-record.ts';
import type { ContactsChange, OnContacts, RecordStore, SaveOutcome } from '#records/record-store.ts';
import { messageOf } from '#src/problem.ts';
import { once } from '#text/memoize.ts';
import { type FileAccount, type NotedRow, SavingFailed } from './accounting/file-account.ts';
import { type PeopleAccount, patchesIn } from './accounting/people-account.ts';
import { type PlannedRecord, type PlannedRow, planRecords } from './plan-records.ts';
import type { Resolve } from './repeated-rows.ts';

export interface SaveOptions {
  resolve: Resolve;
  findAny: RecordStore['findAny'];
  /** Merges records that turned out to be one into the first; false if that would have too many contacts. */
  unite: (ids: readonly string[]) => Promise<boolean>;
  /** Tells the store which patches will be saved next; null if the store has no use for that. */
  prepare: ((patches: readonly RecordPatch[]) => Promise<void>) | null;
  /** Saves patches, or in a dry run only returns what would happen to them. */
  save: (patches: readonly RecordPatch[], onContacts: OnContacts) => Promise<SaveOutcome[]>;
  /** Is told of each row that is rejected when its record is planned or saved. */
  onReject: (row: ReadRow) => void;
}

export type ReadRow = PlannedRow &
  NotedRow & {
    account: FileAccount;
    key: number | null;
    /** Whether it is a further part of a row that was split. The row counts once. */
    isFurther: boolean;
  };
type Planned = PlannedRecord<ReadRow>;

const tooManyToUnite = {
  field: 'contacts',
  code: 'not_united',
  message: `several stored records are this medium, and stay apart, because one of them would have more than ${contactLimit} contacts`,
};

/** Rows of a batch. */
const batchSize = 1_000;
/** Approximate number of entries for the files about rows that may wait in memory. */
const maxEntries = 5_000;

/** Saves rows in batches: while one is saved, the next is read and planned and, if the store wants it, another prepared. */
export class BatchSaver {
  readonly #options: SaveOptions;
  readonly #accounts: readonly FileAccount[];
  readonly #people: PeopleAccount;
  #rows: ReadRow[] = [];
  /** The names in the last two batches. If those are not saved yet, the store does not find their records. */
  #unsavedNames: (() => ReadonlySet<number>)[] = [];
  /** The batch that the store prepares, to be saved next. */
  #prepared: readonly Planned[] = [];
  #saving: Promise<void> = Promise.resolve();

  /** @param accounts those of all files, of which some may have only rejected rows */
  constructor(accounts: readonly FileAccount[], people: PeopleAccount, options: SaveOptions) {
    this.#accounts = accounts;
    this.#people = people;
    this.#options = options;
  }

  /** Rows of one record must be added together. */
  add(rows: readonly ReadRow[]): void {
    for (const row of rows) this.#rows.push(row);
  }

  get isFull(): boolean {
    return this.#rows.length >= batchSize || this.#accounts.some(({ waiting }) => waiting >= maxEntries);
  }

  /** Plans the added rows, and starts to save them when the batch before is saved. */
  async save(): Promise<void> {
    const rows = this.#rows;
    this.#rows = [];
    const isUnsaved = (row: ReadRow) => this.#unsavedNames.some((names) => names().has(keyOfName(row)));
    if (rows.some((row) => row.recordId === null && isUnsaved(row))) await this.#finish();
    this.#unsavedNames = [...this.#unsavedNames.slice(-1), once(() => new Set(rows.map(keyOfName)))];
    const { records, ambiguous } = await saving(() => planRecords(rows, this.#options));
    for (const row of ambiguous) this.#reject(row, 'ambiguous');
    await this.#start(records);
  }

  /** Saves the rest. */
  async end(): Promise<void> {
    await this.save();
    await this.#finish();
  }

  async #finish(): Promise<void> {
    await this.#start([]);
    await this.#saving;
  }

  async #start(batch: readonly Planned[]): Promise<void> {
    const { prepare } = this.#options;
    let next = batch;
    if (prepare !== null) {
      await saving(() => prepare(patchesOf(batch)));
      next = this.#prepared;
      this.#prepared = batch;
    }
    await this.#saving;
    this.#saving = saving(() => this.#saveNow(next));
    // A failure is thrown where the next step awaits it.
    this.#saving.catch(() => undefined);
  }

  async #saveNow(batch: readonly Planned[]): Promise<void> {
    for (const { id, doubles, rows } of batch) {
      const [first] = rows;
      if (first === undefined || doubles.length === 0 || (await this.#options.unite([id, ...new Set(doubles)])))
        continue;
      rows[0] = { ...first, notes: [...first.notes, tooManyToUnite] };
    }
    const changes = new Map<RecordPatch, ContactsChange>();
    const onContacts: OnContacts = (patch, change) => changes.set(patch, change);
    const outcomes = batch.length === 0 ? [] : await this.#options.save(patchesOf(batch), onContacts);
    let settled = 0;
    for (const record of batch) {
      const end = settled + record.patches.size;
      if (outcomes.length < end) throw new Error('the store returned fewer outcomes than records');
      const outcome = strongestOf(outcomes.slice(settled, end));
      this.#settle(record, outcome);
      if (!isRejected(outcome)) {
        const patches = [...record.patches.values()];
        this.#people.settle(
          record.rows.map(({ patch }) => patch),
          patches.flatMap((patch) => changes.get(patch) ?? []),
        );
      }
      settled = end;
    }
    for (const account of this.#accounts) await writeAbout(account);
  }

  /** Counts the rows of one record: the first as what happened to the record, the others as repeated. */
  #settle(record: Planned, outcome: SaveOutcome): void {
    let first: ReadRow | null = null;
    for (const row of rowsOf(record)) {
      if (isRejected(outcome)) {
        this.#reject(row, outcome);
      } else if (first === null && !row.isFurther) {
        row.account.settle(row, outcome);
        first = row;
      } else if (first !== null && !row.isFurther) {
        const isOtherFile = first.account !== row.account;
        const firstFile = isOtherFile && { first_file: first.account.summary.file };
        row.account.settle(row, { first_line: first.line, ...firstFile });
      }
    }
  }

  #reject(row: ReadRow, outcome: 'incomplete' | 'too_many_contacts' | 'ambiguous'): void {
    row.account.rejectSaved(row, outcome);
    this.#people.reject(patchesIn(row.patch).length);
    this.#options.onReject(row);
  }
}

/** Writes the files about the rows of a list. Its account notes a failure. */
async function writeAbout(account: FileAccount): Promise<void> {
  try {
    await saving(() => account.write());
  } catch (error) {
    account.fail(error);
    throw error;
  }
}

function isRejected(outcome: SaveOutcome): outcome is 'incomplete' | 'too_many_contacts' {
  return outcome === 'incomplete' || outcome === 'too_many_contacts';
}

function keyOfName({ patch: { kind = 'outlet', name = '' } }: ReadRow): number {
  return nameKeyOf(kind, name);
}

function patchesOf(batch: readonly Planned[]): RecordPatch[] {
  return batch.flatMap(({ patches }) => [...patches.values()]);
}

/** The rows of a record by line, with their own ids or else that of the record. */
function rowsOf({ id, rows }: Planned): (ReadRow & { id: string })[] {
  const byLine = (a: ReadRow, b: ReadRow) => (a.account === b.account ? a.line - b.line : 0);
  return rows.toSorted(byLine).map((row) => ({ ...row, id: row.patch.id || id }));
}

/** One outcome for several patches of a record. */
function strongestOf(outcomes: readonly SaveOutcome[]): SaveOutcome {
  const order = ['created', 'updated', 'unchanged', 'too_many_contacts'] as const;
  return order.find((outcome) => outcomes.includes(outcome)) ?? 'incomplete';
}

/** @throws SavingFailed instead of what the work throws */
export async function saving<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    // It becomes part of a sentence.
    throw new SavingFailed(messageOf(error).replace(/\.$/, ''), { cause: error });
  }
}
