import { createInterface } from 'node:readline/promises';
import type { Readable, Writable } from 'node:stream';
import { isKnown } from '#records/fields.ts';
import { maskEmail } from '#records/masking.ts';
import { normalizeRecord } from '#records/normalize/normalize-record.ts';
import type { Kind } from '#records/vocabularies.ts';
import { escapeControls, quoteForShell } from '#text/printed.ts';
import type { ColumnMap } from './column-map.ts';
import { inputAt, type ReadOptions } from './open-input.ts';
import { formatColumnFile, proposeColumns, proposeConstants } from './propose-columns.ts';
import { readRows, readSample } from './read-rows.ts';
import { BrokenFile, RefusedFile, type Row } from './row.ts';

interface AskOptions extends ReadOptions {
  kind: Kind | null;
}

const shownRecords = 3;

/**
 * Asks a person what a list's columns are, where the usual headings do not say it all. Returns null if the answer is to
 * write a column file.
 */
export async function askColumns(
  path: string,
  options: AskOptions,
  terminal: { input: Readable; output: Writable },
): Promise<ColumnMap | null> {
  const { columns } = options;
  const proposed = columns.with(new Map(), 'propose');
  const question = await describeProposal(path, { ...options, columns: proposed }).catch((error: unknown) => {
    // The import says so too.
    if (error instanceof RefusedFile || error instanceof BrokenFile) return null;
    throw error;
  });
  if (question === null) return columns;
  terminal.output.write(`${question.split('\n').map(escapeControls).join('\n')}\n`);
  const asking = createInterface(terminal);
  const ended = new AbortController();
  asking.once('close', () => ended.abort());
  const answers = '(yes; no: leave out what the usual headings do not name; file: write a column file) ';
  const answer = await asking.question(`Import it so? ${answers}`, { signal: ended.signal }).catch(() => 'file');
  asking.close();
  if (/^\s*y/i.test(answer)) return proposed;
  if (/^\s*n/i.test(answer)) return columns.with(new Map(), 'leave');
  const file = quoteForShell(path);
  terminal.output.write(`Nothing was imported. Write a column file, edit it, and import with it:
  npm run -s indexer -- columns ${file} > columns.yaml
  npm run indexer -- import ${file} --columns columns.yaml
`);
  return null;
}

/**
 * What the columns seem to be, and the first records as they would be stored, without whole addresses; null if there is
 * nothing to ask.
 */
async function describeProposal(path: string, options: AskOptions): Promise<string | null> {
  const { columns } = options;
  const list = await inputAt(path, options);
  if (!list.isRereadable) return null;
  const sampled = await list.open();
  const sample = await readSample(sampled).finally(sampled.close);
  const proposal = proposeColumns(columns, sample);
  const constants = proposeConstants(proposal, sample);
  const isUsual = proposal.every(({ heading, field }) => String(field) === String(columns.fieldOf(heading)));
  if (isUsual && Object.keys(constants).length === 0) return null;
  const source = await list.open();
  let implied: Kind | null = null;
  const batches = readRows(source, ({ kind }) => {
    implied = kind;
  });
  const { value: rows = [] as Row[] } = await batches.next().finally(source.close);
  const records = rows.slice(0, shownRecords).map((row: Row) => describeRow(row, options.kind ?? implied));
  return [
    `${list.name} has columns that need a word:\n`,
    formatColumnFile(proposal, constants),
    'Its first records would be:',
    ...records,
    '',
  ].join('\n');
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
