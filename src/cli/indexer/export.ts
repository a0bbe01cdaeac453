import { randomUUID } from 'node:crypto';
import { createWriteStream, existsSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import type { Duplex, Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { MediaRecord } from '#domain/media-record.ts';
import { isSuppressed } from '#domain/suppression.ts';
import { fileFormats } from '#src/encodings/formats.ts';
import { doAudited } from '#usecases/do-audited.ts';
import { countOf, type JsonFlag, printError, printResult, UsageError } from '../command-line.ts';
import { createProgressDisplay } from '../progress.ts';
import { withBackends } from '../with-backends.ts';
import { chooseRecords, readFilters } from './choose-records.ts';

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
  const query = readFilters(filter);
  if (bom && name !== 'csv') throw new UsageError('--bom is for CSV only');
  if (file !== '-' && !force && existsSync(file)) {
    throw new UsageError(`${file} exists. Use --force to replace it, or another name.`);
  }
  const display = createProgressDisplay(json || file === '-');
  await withBackends(async (backends) => {
    const counts = { records: 0, suppressed: 0 };
    async function* counted(batches: AsyncIterable<readonly MediaRecord[]>, total: number) {
      for await (const batch of batches) {
        counts.records += batch.length;
        display.show({ title: basename(file), done: counts.records, total, count: counts.records, unit: 'records' });
        yield batch;
      }
    }
    const work = async (): Promise<ExportSummary> => {
      const chosen = await chooseRecords(backends, query);
      const keys = new Set(query === null ? (await backends.suppressions.list()).map(({ key }) => key) : []);
      const batches = withoutSuppressed(chosen.batches, keys, counts);
      const written = fileFormats
        .find((one) => one.name === name)
        ?.write(counted(batches, chosen.total), { hasMark: bom });
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

/** Suppressed records must not leave the store. */
async function* withoutSuppressed(
  batches: AsyncIterable<readonly MediaRecord[]>,
  keys: ReadonlySet<string>,
  counts: { suppressed: number },
): AsyncGenerator<readonly MediaRecord[]> {
  for await (const batch of batches) {
    const visible = batch.filter((record) => !isSuppressed(record, keys));
    counts.suppressed += batch.length - visible.length;
    yield visible;
  }
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
