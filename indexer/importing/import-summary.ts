import { countOf, escapeControls } from '#text/printed.ts';
import type { RowFormat } from './row.ts';

/** What happened to the rows of a file: read = created + updated + unchanged + repeated + rejected. */
interface RowCounts {
  read: number;
  created: number;
  updated: number;
  unchanged: number;
  /** Rows of a record that an earlier row of the same file counts for; the later values win. */
  repeated: number;
  rejected: number;
}

/** Why rows were rejected, or values changed or skipped: all rows with one cause. */
export interface Cause {
  field: string | null;
  code: string;
  message: string;
  count: number;
  first_line: number;
  /** The commonest values that were skipped, each as it stood. */
  values: { value: string; count: number }[];
}

export interface FileSummary extends RowCounts {
  file: string;
  /** As of Source: null if it was not read to its end. */
  sha256: string | null;
  /** Bytes read, as stored. */
  size: number;
  format: RowFormat | null;
  /** Why nothing of the file was imported. */
  refused: { code: string; reason: string } | null;
  /** Why the file was not read completely; the rows before were imported. */
  broken: string | null;
  /** The error of the store or the rejects file; the rows before were imported, and no further file is read. */
  stopped: string | null;
  /** Whether there were too many rows to join every repeat with the row that it repeats. */
  repeats_incomplete: boolean;
  ignored_columns: string[];
  /** Columns of usual headings that were ignored, as their values are plainly something else. */
  doubted_columns: string[];
  /** Sheets of the workbook that have rows and were not read. */
  other_sheets: string[];
  /** Why values were changed or skipped. */
  notes: Cause[];
  /** Why rows were rejected. */
  causes: Cause[];
  /** The rejected rows as CSV, to correct and import. */
  rejects_file: string | null;
  /** NDJSON: which rows repeat which, and the notes of each. */
  rows_file: string | null;
}

export interface ImportSummary extends RowCounts {
  /** The change set that undoes it; null in a dry run. */
  import_id: string | null;
  dry_run: boolean;
  files: FileSummary[];
  /** Sample records deleted by the first import. */
  sample_removed: number;
  seconds: number;
}

export const noRows: RowCounts = { read: 0, created: 0, updated: 0, unchanged: 0, repeated: 0, rejected: 0 };

/** The total counts of several files. */
export function addCounts(files: readonly RowCounts[]): RowCounts {
  const total = { ...noRows };
  for (const file of files) {
    for (const key of Object.keys(noRows) as (keyof RowCounts)[]) total[key] += file[key];
  }
  return total;
}

const numbers = new Intl.NumberFormat('en');

/**
 * What an import did, for people: one block per file, with counts that add up. describeFaults says why rows are
 * missing.
 */
export function describeSummary(summary: ImportSummary): string {
  const lines = summary.files.flatMap((file) => [...describeFile(file), '']);
  if (summary.sample_removed > 0) {
    lines.push(
      `${countOf(summary.sample_removed, 'sample record')} ${summary.dry_run ? 'would be' : summary.sample_removed === 1 ? 'was' : 'were'} removed to make room for your own (use --keep-sample to keep them).`,
    );
  }
  if (summary.files.length > 1) lines.push(`All files: ${counts(summary)}.`);
  const rate = summary.seconds > 0 ? ` (${numbers.format(Math.round(summary.read / summary.seconds))} rows/s)` : '';
  lines.push(
    `${summary.dry_run ? 'Nothing was changed: this was a dry run. It' : 'It'} took ${summary.seconds} s${rate}.`,
  );
  const { import_id, created, updated, sample_removed } = summary;
  if (import_id !== null && created + updated + sample_removed > 0) {
    lines.push(`To undo it: npm run indexer -- imports undo ${import_id}`);
  }
  return lines.join('\n');
}

function describeFile(file: FileSummary): string[] {
  const name = escapeControls(file.file);
  if (file.refused !== null) return [`${name}: refused.`];
  const lines = [`${name} (${file.format}): ${counts(file)}.`];
  if (file.read === 0 && file.broken === null && file.stopped === null) lines.push('  It has no rows.');
  if (file.repeated > 0)
    lines.push(`  ${rowsOf(file.repeated)} of the same records as earlier rows; the later values win.`);
  if (file.repeats_incomplete) {
    lines.push(
      '  There were too many rows to find every repeat first, so importing the file again may update some records.',
    );
  }
  if (file.ignored_columns.length > 0)
    lines.push(`  Unknown columns were ignored: ${file.ignored_columns.join(', ')}.`);
  if (file.doubted_columns.length > 0) {
    lines.push(
      `  The values of ${file.doubted_columns.join(', ')} are not what the heading says, so they were left out. To import them, use --columns FILE.`,
    );
  }
  if (file.other_sheets.length > 0) {
    lines.push(
      `  Other sheets with rows were not read: ${file.other_sheets.join(', ')}. Import them with --sheet NAME.`,
    );
  }
  for (const cause of file.notes) lines.push(`  ${numbers.format(cause.count)} × ${describeCause(cause)}`);
  for (const cause of file.causes) lines.push(`  ${rowsOf(cause.count)} rejected: ${describeCause(cause)}`);
  if (file.rejects_file !== null) lines.push(`  Correct and import them: ${file.rejects_file}`);
  if (file.rows_file !== null) lines.push(`  By line: ${file.rows_file}`);
  return lines;
}

function describeCause({ message, first_line, values }: Cause): string {
  const shown = values.map(({ value, count }) => `${value} (${numbers.format(count)})`).join(', ');
  return `${message} (first on line ${first_line})${shown === '' ? '' : `: ${shown}`}`;
}

/** Why not every row was imported, one line per fault; empty if every row was. */
export function describeFaults({ files, dry_run }: ImportSummary): string[] {
  const done = dry_run ? 'counted' : 'in';
  return files.flatMap(({ file: path, refused, broken, stopped, rejected, rejects_file }) => {
    const file = escapeControls(path);
    const faults: string[] = [];
    if (refused !== null) faults.push(`${file} ${refused.reason}. Nothing of it was imported.`);
    if (broken !== null) faults.push(`${file} ${broken}. The rows before that are ${done}.`);
    if (stopped !== null) {
      faults.push(
        `The import stopped in ${file}: ${stopped}. The counted rows are ${done}. Run it again for the rest.`,
      );
    }
    if (rejected > 0) {
      const rows = `${rowsOf(rejected)} of ${file}`;
      const where = rejects_file === null ? '' : ` Correct and import them: ${rejects_file}`;
      faults.push(`${rows} ${rejected === 1 ? 'was' : 'were'} rejected.${where}`);
    }
    return faults;
  });
}

/** What an import did, in one line, for the audit log. */
export function describeCounts(summary: ImportSummary): string {
  const { files, sample_removed } = summary;
  const tell = (number: number, words: string) => (number === 0 ? [] : [`${number} ${words}`]);
  const ended = (fault: 'refused' | 'broken' | 'stopped') => files.filter((file) => file[fault] !== null).length;
  return [
    counts(summary),
    ...tell(sample_removed, 'sample records removed'),
    ...tell(ended('refused'), 'files refused'),
    ...tell(ended('broken'), 'files cut off'),
    ...tell(ended('stopped'), 'files stopped in'),
  ].join('; ');
}

function counts({ read, created, updated, unchanged, repeated, rejected }: RowCounts): string {
  const parts = Object.entries({ created, updated, unchanged, repeated, rejected });
  return `${rowsOf(read)} read = ${parts.map(([name, count]) => `${numbers.format(count)} ${name}`).join(' + ')}`;
}

function rowsOf(count: number): string {
  return `${numbers.format(count)} ${count === 1 ? 'row' : 'rows'}`;
}
