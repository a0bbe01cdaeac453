import type { RejectEntry } from './rejects-file.ts';

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
  format: 'csv' | 'ndjson' | null;
  /** Why nothing of the file was imported. */
  refused: { code: string; reason: string } | null;
  /** Why the file was not read completely; the rows before were imported. */
  broken: string | null;
  /** The error of the store or the rejects file; the rows before were imported, and no further file is read. */
  stopped: string | null;
  /** Whether there were too many ids to find every repeat. */
  repeats_incomplete: boolean;
  ignored_columns: string[];
  notes: NoteCount[];
  /** The first ones; all are in the rejects file. */
  first_rejects: Pick<RejectEntry, 'line' | 'id' | 'field' | 'code' | 'reason'>[];
  rejects_file: string | null;
}

export interface ImportSummary extends RowCounts {
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

/** Whether every row of every file was imported. */
export function isComplete({ files, rejected }: ImportSummary): boolean {
  return rejected === 0 && files.every(({ refused, broken, stopped }) => (refused ?? broken ?? stopped) === null);
}
