import { randomUUID } from 'node:crypto';
import { createWriteStream, existsSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import type { Duplex, Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { MediaRecord } from '#domain/media-record.ts';
import { Problem } from '#domain/problem.ts';
import type { SearchQuery } from '#domain/search/search-query.ts';
import { isSuppressed } from '#domain/suppression.ts';
import { queryParameters } from '#http/parse/parameters.ts';
import { readParameters } from '#http/parse/read-parameters.ts';
import { fileFormats } from '#src/encodings/formats.ts';
import { doAudited } from '#usecases/do-audited.ts';
import { countOf, type JsonFlag, printError, printResult, UsageError } from '../command-line.ts';
import { createProgressDisplay } from '../progress.ts';
import { type CommandBackends, withBackends } from '../with-backends.ts';

interface ExportFlags extends JsonFlag {
  format?: FormatName;
  filter?: string[];
  bom?: boolean;
  force?: boolean;
}

/** The formats that imports read back. */
const exportedFormats = ['ndjson', 'csv'] as const;
type FormatName = (typeof exportedFormats)[number];

interface ExportSummary {
  file: string;
  format: FormatName;
  records: number;
  /** Records that were left out because they are suppressed; null with filters, where searches hide them. */
  suppressed: number | null;
}

/** `export` */
export async function exportToFile(
  file: string,
  { format, filter = [], bom = false, force = false, json = false }: ExportFlags,
): Promise<void> {
  const name = format ?? formatOf(file);
  const query = filter.length === 0 ? null : readFilters(filter);
  if (bom && name !== 'csv') throw new UsageError('--bom is for CSV only');
  if (file !== '-' && !force && existsSync(file)) {
    throw new UsageError(`${file} exists. Use --force to replace it, or another name.`);
  }
  const display = createProgressDisplay(json || file === '-');
  await withBackends(async (backends) => {
    const counts = { records: 0, suppressed: 0 };
    const total = query === null ? await backends.records.count() : null;
    async function* counted(batches: AsyncIterable<readonly MediaRecord[]>) {
      for await (const batch of batches) {
        counts.records += batch.length;
        display.show({ title: basename(file), done: counts.records, total, count: counts.records, unit: 'records' });
        yield batch;
      }
    }
    const work = async (): Promise<ExportSummary> => {
      const batches = query === null ? await readVisible(backends, counts) : await backends.index.scan(query);
      const written = fileFormats.find((one) => one.name === name)?.write(counted(batches), { hasMark: bom });
      if (written === undefined) throw new Error(`there is no format ${name}`);
      await writeWhole(written, file).finally(display.stop);
      return { file, format: name, records: counts.records, suppressed: query === null ? counts.suppressed : null };
    };
    const subject = [file === '-' ? 'standard output' : file, ...filter].join(' ');
    const summary = await doAudited(backends, { action: 'export', subjects: [subject], work, describe });
    // Standard output may be the file itself.
    if (file === '-') printError(describe(summary));
    else printResult(summary, describe, json);
  });
}

function formatOf(file: string): FormatName {
  if (file === '-') return 'ndjson';
  const ending = extname(file).slice(1).toLowerCase();
  const format = exportedFormats.find((name) => name === ending);
  if (format === undefined) throw new UsageError('the file must end in .ndjson or .csv, or use --format');
  return format;
}

/** Filters such as `country=US|CA`, as parameters of the API. */
function readFilters(filters: readonly string[]): SearchQuery {
  const parameters = new URLSearchParams();
  for (const filter of filters) {
    const at = filter.indexOf('=');
    if (at < 1) throw new UsageError('a filter has the form name=value, such as --filter country=US');
    parameters.append(filter.slice(0, at), filter.slice(at + 1));
  }
  try {
    return readParameters(`/?${parameters}`, queryParameters).values;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const { errors = [] } = error.extras as { errors?: readonly { message: string }[] };
    throw new UsageError(errors.map(({ message }) => message).join(' ') || error.message);
  }
}

/** All records of the store but those that are suppressed, which must not leave it. */
async function readVisible(
  { records, suppressions }: CommandBackends,
  counts: { suppressed: number },
): Promise<AsyncIterable<readonly MediaRecord[]>> {
  const keys = new Set((await suppressions.list()).map(({ key }) => key));
  return (async function* () {
    for await (const batch of records.readAll()) {
      const visible = batch.filter((record) => !isSuppressed(record, keys));
      counts.suppressed += batch.length - visible.length;
      yield visible;
    }
  })();
}

/**
 * Writes a file under a temporary name beside it and renames it when it is whole, for its owner alone: it holds
 * addresses.
 */
async function writeWhole(steps: readonly [Readable, ...Duplex[]], file: string): Promise<void> {
  if (file === '-') {
    await pipeline([...steps, process.stdout], { end: false });
    return;
  }
  const temporary = join(dirname(file), `.${basename(file)}.${randomUUID()}`);
  try {
    const output: Writable = createWriteStream(temporary, { mode: 0o600, flags: 'wx' });
    await pipeline([...steps, output]);
    const handle = await open(temporary, 'r');
    await handle.sync().finally(() => handle.close());
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (syscall === undefined) throw error;
    throw new Error(`${file} cannot be written (${code}). Use a file in an existing folder.`, { cause: error });
  }
}

function describe({ records, suppressed }: ExportSummary): string {
  const without =
    suppressed === null || suppressed === 0 ? '' : `; ${countOf(suppressed, 'suppressed record')} left out`;
  return `${countOf(records, 'record')} exported${without}`;
}
