import { writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { createInterface } from 'node:readline/promises';
import type { Readable, Writable } from 'node:stream';
import { isKnown, recordKeys } from '#records/fields.ts';
import { maskEmail } from '#records/masking.ts';
import { valueIn } from '#records/normalize/normalize-contact.ts';
import { normalizeRecord } from '#records/normalize/normalize-record.ts';
import type { Kind } from '#records/vocabularies.ts';
import { quoteForShell } from '#text/printed.ts';
import type { ColumnMap } from './columns/column-map.ts';
import { withPeople } from './columns/people-columns.ts';
import { formatColumnFile, proposeColumns, proposeConstants, settleColumns } from './columns/propose-columns.ts';
import { inputAt, isPipe, type ReadOptions, type Source } from './reading/open-input.ts';
import { openRows, readSample } from './reading/read-rows.ts';
import { BrokenFile, RefusedFile, type Row } from './row.ts';

interface AskOptions extends ReadOptions {
  kind: Kind | null;
}

const shownRecords = 3;

/** Asks a person about columns without a usual heading. Null if they do not want to import now, but perhaps edit a column file. */
export async function askColumns(
  path: string,
  options: AskOptions,
  terminal: { input: Readable; output: Writable },
): Promise<ColumnMap | null> {
  const { columns } = options;
  // --columns auto is a yes.
  if (columns.unknown === 'propose') return columns;
  const proposed = columns.with({}, 'propose');
  const proposal = await describeColumns(path, { ...options, columns: proposed });
  if (proposal === null || proposal.isUsual) return columns;
  const say = (text: string) => terminal.output.write(`${text}\n`);
  say(`${path} has columns that need a word:\n\n${proposal.file}\nIts first records would be:\n${proposal.records}\n`);
  const asking = createInterface(terminal);
  const ended = new AbortController();
  asking.once('close', () => ended.abort());
  const answers = '(yes; no: import nothing; file: write a column file) ';
  const answer = await asking.question(`Import it so? ${answers}`, { signal: ended.signal }).catch(() => '');
  asking.close();
  if (/^\s*y/i.test(answer)) return proposed;
  if (!/^\s*f/i.test(answer)) return null;
  const file = `${basename(path)}.columns.yaml`;
  await writeFile(file, proposal.file, { flag: 'wx' });
  say(`Nothing was imported. Edit ${file}, then:
  npm run indexer -- import ${quoteForShell(path)} --columns ${quoteForShell(file)}`);
  return null;
}

/** A proposed column file, and what the first records would be, addresses masked. Null for a pipe, or a list that cannot be read. */
export async function describeColumns(
  path: string,
  options: AskOptions,
): Promise<{ file: string; records: string; isUsual: boolean } | null> {
  const { columns } = options;
  if (await isPipe(path)) return null;
  const list = await inputAt(path, options);
  try {
    const sampled = await list.open();
    const sample = await readSample(sampled, columns).finally(sampled.close);
    const proposal = proposeColumns(columns, sample);
    const guesses = proposeConstants(proposal, sample);
    // What the usual headings and a list of people say needs no question.
    const usual = settleColumns(columns.with({}, 'leave'), sample);
    const isUsual = proposal.every(({ heading, field }) => String(field) === String(usual.fieldOf(heading)));
    return {
      file: formatColumnFile(proposal, { ...guesses, ...withPeople(columns, sample).constants }),
      records: await describeRecords(await list.open(), options),
      isUsual: isUsual && Object.keys(guesses).length === 0,
    };
  } catch (error) {
    if (error instanceof RefusedFile || error instanceof BrokenFile) return null;
    throw error;
  }
}

async function describeRecords(source: Source, { columns, kind }: AskOptions): Promise<string> {
  try {
    const { reader, rows: batches } = await openRows(source, columns);
    const { value: rows = [] as Row[] } = await batches.next();
    const sampleRows: Row[] = rows.slice(0, shownRecords);
    return sampleRows.map((row) => describeRow(row, kind ?? reader.kind)).join('\n');
  } catch (error) {
    if (error instanceof RefusedFile) return `  refused: it ${error.message}`;
    throw error;
  } finally {
    source.close();
  }
}

function describeRow(row: Row, kind: Kind | null): string {
  if ('fault' in row) return `  rejected: ${row.fault.reason}`;
  const result = normalizeRecord(row.source, kind);
  if ('rejection' in result) return `  rejected: ${result.rejection.message}`;
  const { patch } = result;
  const entries = recordKeys
    .filter((key) => key !== 'id' && key !== 'contacts')
    .map((key) => [key, valueIn(patch, key)] as const);
  const knownEntries = entries.filter(([, value]) => isKnown(value ?? null));
  return `  ${knownEntries.map(([key, value]) => `${key}: ${key === 'email' ? maskEmail(String(value)) : String(value).slice(0, 80)}`).join(' · ')}`;
}
