import { normalizeRecord } from '#records/normalize/normalize-record.ts';
import type { Kind } from '#records/vocabularies.ts';
import { BatchSaver, type ReadRow, type SaveOptions, saving } from './batch-saver.ts';
import { FileAccount, SavingFailed } from './file-account.ts';
import type { FileSummary } from './import-summary.ts';
import type { Input, Source } from './open-input.ts';
import { openRows } from './read-rows.ts';
import { findRepeats, keyRows, RowHolder } from './repeated-rows.ts';
import { quoteHeading, RefusedFile, type Row, type RowReader } from './row.ts';

/** How far a file has been read: first to find repeated rows, then to import it. */
export interface ImportProgress {
  file: string;
  phase: 'looking' | 'importing';
  /** Bytes of the stored file; null if the size is unknown. */
  size: number | null;
  bytesRead: number;
  rows: number;
}

interface FileImport extends SaveOptions {
  /** The kind of rows that have none. */
  kind: Kind | null;
  /** How the names of the files about rows begin. */
  about: string;
  onProgress: (progress: ImportProgress) => void;
}

const shortRow = {
  field: null,
  code: 'short_row',
  message: 'the row has fewer cells than the header; stored values are kept for the missing ones',
};

/**
 * Imports a file in batches; the summary says what was rejected and what ended the import early. In memory are a number for
 * each row, the rows that wait for others of their record, and workbooks, pipes and JSON arrays as a whole.
 */
export async function importFile(input: Input, options: FileImport): Promise<FileSummary> {
  const job = new FileJob(input, options);
  try {
    await job.run();
  } catch (error) {
    job.account.fail(error);
  }
  return job.close();
}

class FileJob {
  readonly account: FileAccount;
  readonly #input: Input;
  readonly #options: FileImport;
  #reader: RowReader | null = null;

  constructor(input: Input, options: FileImport) {
    this.#input = input;
    this.#options = options;
    this.account = new FileAccount(input.name, options.about);
  }

  async run(): Promise<void> {
    const { summary } = this.account;
    const resolve = (ids: readonly string[]) => saving(() => this.#options.resolve(ids));
    const repeats = await findRepeats(this.#input, resolve, (source) => this.#report('looking', source));
    const holder = new RowHolder<ReadRow>(repeats.left);
    const saver = new BatchSaver(this.account, repeats.headings, this.#options);
    const source = await this.#input.open();
    summary.other_sheets = source.otherSheets.map(quoteHeading);
    try {
      const { reader, rows: batches } = await openRows(source, this.#input.columns);
      this.#reader = reader;
      for await (const rows of batches) {
        for (const { row, recordId, key } of await keyRows(rows, resolve)) {
          summary.read += 1;
          saver.add(holder.take(this.#read(row, recordId), key));
          if (saver.isFull) await saver.save();
        }
        this.#report('importing', source);
      }
    } catch (error) {
      if (error instanceof RefusedFile || error instanceof SavingFailed) throw error;
      this.account.fail(error);
    } finally {
      source.close();
      summary.sha256 = source.sha256();
      summary.size = source.bytesRead();
    }
    saver.add(holder.rest());
    await saver.end();
  }

  close(): FileSummary {
    return this.account.close(this.#reader, this.#input.columns);
  }

  #report(phase: ImportProgress['phase'], { size, bytesRead }: Source): void {
    const { file, read } = this.account.summary;
    this.#options.onProgress({ file, phase, size, bytesRead: bytesRead(), rows: read });
  }

  /** The row's patch and notes; null if the row is rejected. */
  #read(row: Row, recordId: string | null): ReadRow | null {
    const { line, cells } = row;
    if ('fault' in row) {
      this.account.reject({ line, cells, field: null, ...row.fault });
      return null;
    }
    const kind = this.#options.kind ?? this.#reader?.kind ?? null;
    const result = normalizeRecord(row.source, kind, row.implied);
    if ('rejection' in result) {
      const { field, code, message } = result.rejection;
      this.account.reject({ line, cells, field, code, reason: message });
      return null;
    }
    const notes = result.notes.map((note) => ({ ...note, value: row.source[note.field] }));
    return { line, cells, patch: result.patch, notes: row.isShort ? [shortRow, ...notes] : notes, recordId };
  }
}
