import type { FileSummary, ImportSummary, RowCounts } from './import-summary.ts';

const numbers = new Intl.NumberFormat('en');

/** What an import did, for people: one block a file, the counts adding up. */
export function describeSummary(summary: ImportSummary): string {
  const lines = summary.files.flatMap((file) => [...describeFile(file, summary.dry_run), '']);
  if (summary.sample_removed > 0) {
    lines.push(
      `${numbers.format(summary.sample_removed)} sample records were removed to make room for your own (--keep-sample keeps them).`,
    );
  }
  if (summary.files.length > 1) lines.push(`All files: ${counts(summary)}.`);
  const rate = summary.seconds > 0 ? ` (${numbers.format(Math.round(summary.read / summary.seconds))} rows/s)` : '';
  lines.push(
    `${summary.dry_run ? 'Nothing was changed: this was a dry run. It' : 'It'} took ${summary.seconds} s${rate}.`,
  );
  return lines.join('\n');
}

function describeFile(file: FileSummary, isDryRun: boolean): string[] {
  if (file.refused !== null) return [`${file.file} ${file.refused.reason}.`, '  Nothing of it was imported.'];
  const lines = [`${file.file} (${file.format}): ${counts(file)}.`];
  if (file.broken !== null)
    lines.push(`  The file ${file.broken}; what came before is ${isDryRun ? 'counted' : 'in'}.`);
  if (file.stopped !== null) {
    lines.push(`  Stopped: ${file.stopped}. What was counted is in; importing the file again does the rest.`);
  }
  if (file.read === 0 && file.broken === null && file.stopped === null) lines.push('  It holds no rows.');
  if (file.repeated > 0) {
    const among = file.repeats_incomplete ? ' among the first three million' : '';
    lines.push(
      `  ${numbers.format(file.repeated)} rows${among} have an id that came before in the file: the last of an id wins.`,
    );
  }
  if (file.ignored_columns.length > 0)
    lines.push(`  Columns that are not known were ignored: ${file.ignored_columns.join(', ')}.`);
  for (const { count, message } of file.notes) lines.push(`  ${numbers.format(count)} × ${message}`);
  for (const { line, id, reason } of file.first_rejects) {
    lines.push(`  line ${line}${id === null ? '' : ` (id ${id})`} rejected: ${reason}`);
  }
  const further = file.rejected - file.first_rejects.length;
  if (further > 0) lines.push(`  and ${numbers.format(further)} more rejected`);
  if (file.rejects_file !== null) lines.push(`  Line by line: ${file.rejects_file}`);
  return lines;
}

function counts({ read, created, updated, unchanged, rejected }: RowCounts): string {
  const parts = Object.entries({ created, updated, unchanged, rejected });
  const rows = read === 1 ? 'row' : 'rows';
  return `${numbers.format(read)} ${rows} read = ${parts.map(([name, count]) => `${numbers.format(count)} ${name}`).join(' + ')}`;
}
