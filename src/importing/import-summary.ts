import { escapeControls } from '#domain/escape-controls.ts';
import type { RejectEntry } from './rejects-file.ts';
import type { RowFormat } from './row.ts';

/** What happened to the rows of a file: read = created + updated + unchanged + rejected. */
export interface RowCounts {
  read: number;
  created: number;
  updated: number;
  unchanged: number;
  rejected: number;
  /** Rows that repeat an id of the same file; the later row wins. They are counted above too. */
  repeated: number;
}

/** How often a value was changed or skipped, and how. */
export interface NoteCount {
  field: string | null;
  code: string;
  message: string;
  count: number;
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
  /** Whether there were too many ids to find every repeat. */
  repeats_incomplete: boolean;
  ignored_columns: string[];
  /** Sheets of the workbook that have rows and were not read. */
  other_sheets: string[];
  notes: NoteCount[];
  /** The first ones; all are in the rejects file. */
  first_rejects: Pick<RejectEntry, 'line' | 'id' | 'field' | 'code' | 'reason'>[];
  rejects_file: string | null;
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

export const noRows: RowCounts = { read: 0, created: 0, updated: 0, unchanged: 0, rejected: 0, repeated: 0 };

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
      `${numbers.format(summary.sample_removed)} sample records were removed to make room for your own (use --keep-sample to keep them).`,
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
  if (file.repeated > 0) {
    const among = file.repeats_incomplete ? ' among the first three million' : '';
    lines.push(`  ${numbers.format(file.repeated)} rows${among} repeat an id of an earlier row; the last row wins.`);
  }
  if (file.ignored_columns.length > 0)
    lines.push(`  Unknown columns were ignored: ${file.ignored_columns.join(', ')}.`);
  if (file.other_sheets.length > 0) {
    lines.push(
      `  Other sheets with rows were not read: ${file.other_sheets.join(', ')}. Import them with --sheet NAME.`,
    );
  }
  for (const { count, message } of file.notes) lines.push(`  ${numbers.format(count)} × ${message}`);
  for (const { line, id, reason } of file.first_rejects) {
    lines.push(`  line ${line}${id === null ? '' : ` (id ${id})`} rejected: ${reason}`);
  }
  const further = file.rejected - file.first_rejects.length;
  if (further > 0) lines.push(`  and ${numbers.format(further)} more rejected`);
  if (file.rejects_file !== null) lines.push(`  Details: ${file.rejects_file}`);
  return lines;
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
      const rows = `${numbers.format(rejected)} ${rejected === 1 ? 'row' : 'rows'} of ${file}`;
      const where = rejects_file === null ? '' : ` Details: ${rejects_file}`;
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

function counts({ read, created, updated, unchanged, rejected }: RowCounts): string {
  const parts = Object.entries({ created, updated, unchanged, rejected });
  const rows = read === 1 ? 'row' : 'rows';
  return `${numbers.format(read)} ${rows} read = ${parts.map(([name, count]) => `${numbers.format(count)} ${name}`).join(' + ')}`;
}
