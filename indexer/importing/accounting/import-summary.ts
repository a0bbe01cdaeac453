import { describeUndo } from '#src/command-line/output.ts';
import { countOf, formatNumber } from '#text/printed.ts';
import type { RawList } from '../row.ts';

type RowCounts = typeof noRows;

/**
 * What happened to rows: read = created + updated + unchanged + repeated + rejected. Repeated are rows of the same record as an
 * earlier row of the file; the later values win.
 */
export const noRows = { read: 0, created: 0, updated: 0, unchanged: 0, repeated: 0, rejected: 0 };

/**
 * What happened to people: a row, each part of a split cell, each contact of a row in JSON. Of them, read = created + updated +
 * unchanged + repeated + suppressed + rejected; repeated are those of the same contact as an earlier row.
 */
export const noPeople = {
  ...noRows,
  /** People whom suppressions hide. */
  suppressed: 0,
  /** How many of those that were read have an address. */
  addresses: 0,
  /** How many of the created were at another medium before, with the same address. */
  moved: 0,
  /** People who were taken away, because their list no longer names them. */
  left: 0,
  /** Media that had other people before, who stay. */
  others: 0,
};

/** Why rows were rejected, or values changed or skipped. One cause stands for all its rows. */
export interface Cause {
  field: string | null;
  code: string;
  message: string;
  count: number;
  first_line: number;
  /** The most frequent values that were skipped, as they are in the source. */
  values: { value: string; count: number }[];
}

export type FileSummary = ReturnType<typeof newFileSummary>;

/** What happened to a file, before anything did. */
export function newFileSummary(file: string) {
  return {
    file,
    /** Null if the file was not read to its end. */
    sha256: null as string | null,
    /** Bytes read, as stored. */
    size: 0,
    format: null as RawList['format'] | null,
    /** Why nothing of the file was imported. */
    refused: null as { code: string; reason: string } | null,
    /** Why the file was not read completely; the rows before were imported. */
    broken: null as string | null,
    /** The error of the store or the rejects file; the rows before were imported, and no further file is read. */
    stopped: null as string | null,
    ...noRows,
    ignored_columns: [] as string[],
    /** Columns with usual headings that were ignored, because their values are plainly something else. */
    doubted_columns: [] as string[],
    /** Visible sheets of the workbook that were not read. */
    other_sheets: [] as string[],
    notes: [] as Cause[],
    causes: [] as Cause[],
    /** The rejected rows as CSV, to correct and import. */
    rejects_file: null as string | null,
    /** NDJSON with the notes on each row, and which row it repeats. */
    rows_file: null as string | null,
  };
}

/** A name that counts as several media, one for each place. */
export interface MediumApart {
  name: string;
  places: readonly string[];
}

export interface ImportSummary extends RowCounts {
  /** The change set for undoing it; null in a dry run. */
  import_id: string | null;
  dry_run: boolean;
  files: FileSummary[];
  people: typeof noPeople;
  /** Media whose people have addresses at one host, but rows with different places. */
  media_apart: readonly MediumApart[];
  /** NDJSON with the names of people who moved, left or were there before; null if nobody did. */
  people_file: string | null;
  /** Records from which people of the list left. */
  left_records: number;
  /** Whether nobody could leave the list, because a row or a file of it could not be read: it may name anybody. */
  nobody_leaves: boolean;
  /** Sample records deleted by the first import. */
  sample_removed: number;
  seconds: number;
}

export function addCounts(files: readonly RowCounts[]): RowCounts {
  const total = { ...noRows };
  for (const file of files) {
    for (const key of Object.keys(noRows) as (keyof RowCounts)[]) total[key] += file[key];
  }
  return total;
}

/** The summary for people, one block per file. describeFaults says why rows are missing. */
export function describeSummary(summary: ImportSummary): string {
  const { dry_run, files, import_id, created, updated, people, sample_removed, seconds, read: rowCount } = summary;
  const rate = seconds > 0 ? ` (${formatNumber(Math.round(rowCount / seconds))} rows/s)` : '';
  return [
    ...files.flatMap((file) => [...describeFile(file), '']),
    ...lineIf(
      sample_removed > 0,
      `${countOf(sample_removed, 'sample record')} ${dry_run ? 'would be' : 'were'} removed to make room for your own (use --keep-sample to keep them).`,
    ),
    ...lineIf(files.length > 1, `All files: ${counts(summary)}.`),
    ...describePeople(summary),
    `${dry_run ? 'Nothing was changed: this was a dry run. It' : 'It'} took ${seconds} s${rate}.`,
    ...(import_id !== null && created + updated + people.left + sample_removed > 0 ? [describeUndo(import_id)] : []),
  ].join('\n');
}

function describeFile(file: FileSummary): string[] {
  const name = file.file;
  const { ignored_columns: ignored, doubted_columns: doubted, other_sheets: sheets } = file;
  const unreadSheets = `Other sheets were not read: ${sheets.join(', ')}. Import them with --sheet NAME.`;
  if (file.refused !== null) return [`${name}: refused.`, ...lineIf(sheets.length > 0, `  ${unreadSheets}`)];
  const isEmpty = file.read === 0 && file.broken === null && file.stopped === null;
  const lines = [
    ...lineIf(isEmpty, 'It has no rows.'),
    ...lineIf(
      file.repeated > 0,
      `${countOf(file.repeated, 'row')} of the same records as earlier rows; the later values win.`,
    ),
    ...lineIf(ignored.length > 0, `Unknown columns were ignored: ${ignored.join(', ')}.`),
    ...lineIf(
      doubted.length > 0,
      `The values of ${doubted.join(', ')} are not what the heading says, are about the people and not their media, or fill what another column fills, so they were left out. To import them, use --columns FILE, or auto if you did not.`,
    ),
    ...lineIf(sheets.length > 0, unreadSheets),
    ...file.notes.map((cause) => `${formatNumber(cause.count)} × ${describeCause(cause)}`),
    ...file.causes.map((cause) => `${countOf(cause.count, 'row')} rejected: ${describeCause(cause)}`),
    ...lineIf(file.rejects_file !== null, `Correct and import them: ${file.rejects_file}`),
    ...lineIf(file.rows_file !== null, `By line: ${file.rows_file}`),
  ];
  return [`${name} (${file.format}): ${counts(file)}.`, ...lines.map((line) => `  ${line}`)];
}

/** How many media that count as several are shown. */
const shownApart = 5;

function describePeople(summary: ImportSummary): string[] {
  const { people, media_apart, people_file: file, dry_run: isDry, nobody_leaves } = summary;
  const { moved, left: leftCount, others: mediaWithOthers, addresses } = people;
  if (people.read === 0 && leftCount === 0) return [];
  const were = isDry ? 'would be' : 'were';
  const apart = media_apart.slice(0, shownApart).map(({ name, places }) => `${name} (${places.join(' / ')})`);
  return [
    `People: ${sum(people, ['created', 'updated', 'unchanged', 'repeated', 'suppressed', 'rejected'], people.read === 1 ? 'person' : 'people')}, ${formatNumber(addresses)} with an address.`,
    ...lineIf(moved > 0, `  ${formatNumber(moved)} of the created ${were} at another medium before.`),
    ...lineIf(leftCount > 0, `  ${formatNumber(leftCount)} left: the list no longer names them.`),
    ...lineIf(
      nobody_leaves,
      '  Nobody left the list, because what could not be read of it may name anybody. Correct that, and import the whole list again.',
    ),
    ...lineIf(
      mediaWithOthers > 0,
      `  ${formatNumber(mediaWithOthers)} ${mediaWithOthers === 1 ? 'medium has' : 'media have'} other people from before, who stay.`,
    ),
    ...lineIf(
      media_apart.length > 0,
      `  ${countOf(media_apart.length, 'name')} counted as a medium for each place in the rows: ${apart.join('; ')}. If these are places of the people, undo the import and leave their column out with --ignore HEADING.`,
    ),
    ...lineIf(file !== null, `  By name: ${file}`),
  ];
}

function lineIf(holds: boolean, line: string): string[] {
  return holds ? [line] : [];
}

function describeCause({ message, first_line, values }: Cause): string {
  const examples = values.map(({ value, count }) => `${value} (${formatNumber(count)})`).join(', ');
  return `${message} (first on line ${first_line})${examples === '' ? '' : `: ${examples}`}`;
}

/** Why not every row was imported, one line per fault; empty if every row was. */
export function describeFaults({ files, dry_run }: ImportSummary): string[] {
  const done = dry_run ? 'counted' : 'in';
  return files.flatMap(({ file, refused, broken, stopped, rejected, rejects_file }) => {
    const were = rejected === 1 ? 'was' : 'were';
    const where = rejects_file === null ? '' : ` Correct and import them: ${rejects_file}`;
    return [
      ...lineIf(refused !== null, `${file} ${refused?.reason}. Nothing of it was imported.`),
      ...lineIf(broken !== null, `${file} ${broken}. The rows before that are ${done}.`),
      ...lineIf(
        stopped !== null,
        `The import stopped in ${file}: ${stopped}. The counted rows are ${done}. Run it again for the rest.`,
      ),
      ...lineIf(rejected > 0, `${countOf(rejected, 'row')} of ${file} ${were} rejected.${where}`),
    ];
  });
}

/** What an import did, in one line, for the audit log. */
export function describeCounts(summary: ImportSummary): string {
  const { files, sample_removed } = summary;
  const ended = (['refused', 'broken', 'stopped'] as const).flatMap((fault) => {
    const count = files.filter((file) => file[fault] !== null).length;
    return lineIf(count > 0, `${countOf(count, 'file')} ${fault}`);
  });
  const { moved, left: leftCount } = summary.people;
  return [
    counts(summary),
    ...lineIf(moved > 0, `${formatNumber(moved)} people moved`),
    ...lineIf(leftCount > 0, `${formatNumber(leftCount)} people left`),
    ...lineIf(sample_removed > 0, `${sample_removed} sample records removed`),
    ...ended,
  ].join('; ');
}

function counts(rows: RowCounts): string {
  return sum(rows, ['created', 'updated', 'unchanged', 'repeated', 'rejected'], rows.read === 1 ? 'row' : 'rows');
}

function sum<Counts extends { read: number }>(
  counts: Counts,
  parts: readonly (keyof Counts & string)[],
  noun: string,
): string {
  const summands = parts.map((name) => `${formatNumber(Number(counts[name]))} ${name}`);
  return `${formatNumber(counts.read)} ${noun} read = ${summands.join(' + ')}`;
}
