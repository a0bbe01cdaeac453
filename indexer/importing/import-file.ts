import { normalizeRecord } from '#records/normalize/normalize-record.ts';
import type { Kind } from '#records/vocabularies.ts';
import { BatchSaver, type ReadRow, type SaveOptions, saving } from './batch-saver.ts';
import { FileAccount, SavingFailed } from './file-account.ts';
import { ForeignIds } from './foreign-ids.ts';
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
 * Imports a file in batches. In memory are a number for each row, the rows that wait for others of their record, and
 * workbooks, pipes and JSON arrays as a whole. The summary says what was rejected and what ended the import early.
 */
export async function importFile(input: Input, options: FileImport): Promise<FileSummary> {
  const account = new FileAccount(input.name, options.about);
  let reader: RowReader | null = null;
  const resolve = (ids: readonly string[]) => saving(() => options.resolve(ids));
  const report = (phase: ImportProgress['phase'], { size, bytesRead }: Source) => {
    options.onProgress({ file: input.name, phase, size, bytesRead: bytesRead(), rows: account.summary.read });
  };
  try {
    const foreignIds = new ForeignIds(options.findAny);
    const repeats = await findRepeats(input, resolve, async (rows, source) => {
      await saving(() => foreignIds.compare(rows));
      report('looking', source);
    });
    foreignIds.refuse(repeats.headings.find((heading) => input.columns.fieldOf(heading) === 'id') ?? 'id');
    const holder = new RowHolder<ReadRow>(repeats.left);
    const saver = new BatchSaver(account, repeats.headings, options);
    const source = await input.open();
    account.summary.other_sheets = source.otherSheets.map(quoteHeading);
    try {
      const list = await openRows(source, input.columns);
      reader = list.reader;
      const kind = options.kind ?? reader.kind;
      for await (const rows of list.rows) {
        const keyed = await keyRows(rows, resolve);
        for (const { row, recordId, key } of keyed) {
          account.summary.read += 1;
          saver.add(holder.take(readRow(row, recordId, kind, account), key));
          if (saver.isFull) await saver.save();
        }
        report('importing', source);
      }
    } catch (error) {
      if (error instanceof RefusedFile || error instanceof SavingFailed) throw error;
      account.fail(error);
    } finally {
      source.close();
      account.summary.sha256 = source.sha256();
      account.summary.size = source.bytesRead();
    }
    saver.add(holder.rest());
    await saver.end();
  } catch (error) {
    account.fail(error);
  }
  return account.close(reader, input.columns);
}

/** The patch of a row, and notes on it; null if the row is rejected. */
function readRow(row: Row, recordId: string | null, kind: Kind | null, account: FileAccount): ReadRow | null {
  const { line, cells } = row;
  if ('fault' in row) {
    account.reject({ line, cells, field: null, ...row.fault });
    return null;
  }
  const result = normalizeRecord(row.source, kind, row.implied);
  if ('rejection' in result) {
    const { field, code, message } = result.rejection;
    account.reject({ line, cells, field, code, reason: message });
    return null;
  }
  const notes = result.notes.map((note) => ({ ...note, value: row.source[note.field] }));
  return { line, cells, patch: result.patch, notes: row.isShort ? [shortRow, ...notes] : notes, recordId };
}
