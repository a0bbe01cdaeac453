import { createInterface } from 'node:readline/promises';
import type { Readable, Writable } from 'node:stream';
import { escapeControls } from '#domain/escape-controls.ts';
import { isKnown } from '#domain/fields.ts';
import { maskEmail } from '#domain/masking.ts';
import { normalizeRecord } from '#domain/normalize/normalize-record.ts';
import type { Kind } from '#domain/vocabularies.ts';
import type { ColumnMap } from '#src/importing/column-map.ts';
import { type Input, inputAt, type ReadOptions } from '#src/importing/open-input.ts';
import { formatColumnFile, proposeColumns, settleColumns } from '#src/importing/propose-columns.ts';
import { readRows, readSample } from '#src/importing/read-rows.ts';
import { BrokenFile, RefusedFile } from '#src/importing/refused-file.ts';
import type { Row, RowReader } from '#src/importing/row.ts';
import { quoteForShell } from '../command-line.ts';

/** Where a question is asked. */
export interface Terminal {
  input: Readable;
  output: Writable;
}

const shownRecords = 3;

/**
 * Asks a person what a list's columns are, where the usual headings do not say it all. Returns null if the answer is to
 * write a column file.
 */
export async function askColumns(
  path: string,
  options: ReadOptions & { kind: Kind | null },
  { input, output }: Terminal,
): Promise<ColumnMap | null> {
  const { columns } = options;
  const list = await inputAt(path, options);
  const proposal = await propose(list, columns);
  if (proposal === null) return columns;
  const proposed = columns.with(new Map(), 'propose');
  const lines = [`${list.name} has columns that need a word:`, '', proposal];
  lines.push(`Its first records would be:`, ...(await firstRecords(path, { ...options, columns: proposed })), '');
  output.write(
    `${lines
      .flatMap((line) => line.split('\n'))
      .map(escapeControls)
      .join('\n')}\n`,
  );
  const terminal = createInterface({ input, output });
  const ended = new AbortController();
  terminal.once('close', () => ended.abort());
  const question = 'Import it so? (yes; no: leave out what the usual headings do not name; file: write a column file) ';
  const answer = await terminal.question(question, { signal: ended.signal }).catch(() => 'file');
  terminal.close();
  if (/^\s*y/i.test(answer)) return proposed;
  if (/^\s*n/i.test(answer)) return columns.with(new Map(), 'leave');
  const file = quoteForShell(list.name);
  output.write(
    `Nothing was imported. Write a column file, edit it, and import with it:\n  npm run -s indexer -- columns ${file} > columns.yaml\n  npm run indexer -- import ${file} --columns columns.yaml\n`,
  );
  return null;
}

/** The proposal as a column file; null if there is nothing to ask, or if the import will refuse the list anyway. */
async function propose(list: Input, columns: ColumnMap): Promise<string | null> {
  if (!list.isRereadable) return null;
  try {
    const source = await list.open();
    const sample = await readSample(source).finally(source.close);
    const proposed = proposeColumns(columns, sample);
    const isNew = proposed.some(({ heading, field }) => String(field) !== String(columns.fieldOf(heading)));
    if (!isNew && columns.unknown === 'refuse') settleColumns(columns, sample);
    return isNew ? formatColumnFile(proposed) : null;
  } catch (error) {
    if (error instanceof RefusedFile || error instanceof BrokenFile) return null;
    throw error;
  }
}

/** The first records as they would be stored, without whole addresses. */
async function firstRecords(path: string, options: ReadOptions & { kind: Kind | null }): Promise<string[]> {
  const source = await (await inputAt(path, options)).open();
  let reader: RowReader | null = null;
  try {
    for await (const rows of readRows(source, (opened) => (reader = opened))) {
      const { kind = null } = (reader as RowReader | null) ?? {};
      return rows.slice(0, shownRecords).map((row) => describeRow(row, options.kind ?? kind));
    }
  } catch (error) {
    if (!(error instanceof RefusedFile || error instanceof BrokenFile)) throw error;
    return [`  none: the list ${error.message}`];
  } finally {
    source.close();
  }
  return [];
}

function describeRow(row: Row, kind: Kind | null): string {
  if ('fault' in row) return `  rejected: ${row.fault.reason}`;
  const result = normalizeRecord(row.source, kind);
  if ('rejection' in result) return `  rejected: ${result.rejection.message}`;
  const { id: _, email, ...patch } = result.patch;
  const known = Object.entries({ ...patch, email: email ? maskEmail(email) : null }).filter(([, value]) =>
    isKnown(value),
  );
  return `  ${known.map(([key, value]) => `${key}: ${String(value).slice(0, 80)}`).join(' · ')}`;
}
