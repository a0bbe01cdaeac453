import { basename, join } from 'node:path';
import type { Command } from 'commander';
import { withBackends } from '#indexer/open-indexer.ts';
import { everSince } from '#outbound/late-suppressions.ts';
import { type JsonFlag, printResult, reportFault } from '#src/command-line/command-line.ts';
import { describeUndo } from '#src/command-line/output.ts';
import { isObject } from '#text/json.ts';
import { countOf, formatNumber, quoteForShell } from '#text/printed.ts';
import { makeFile } from '../importing/accounting/private-file.ts';
import { usualColumns } from '../importing/columns/column-map.ts';
import { inputAt } from '../importing/reading/open-input.ts';
import { openRawRows } from '../importing/reading/read-rows.ts';
import { RefusedFile } from '../importing/row.ts';
import { doRecorded } from '../records/do-recorded.ts';
import { markBounces } from '../records/mark-bounces.ts';
import { BounceReader, type Delivery } from '../records/read-bounces.ts';

type BouncesFlags = JsonFlag & { dryRun?: boolean; rejects?: string };

export function addTo(program: Command): void {
  program
    .command('bounces')
    .description('mark addresses that bounced hard as invalid; exits with 0 only if every row was read')
    .argument(
      '<file>',
      'what Mailchimp, Instantly, Smartlead, lemlist or Brevo export, gzipped or not, or - for standard input',
    )
    .option('--dry-run', 'report what would happen and change nothing')
    .option(
      '--rejects <folder>',
      'folder for the list of those who unsubscribed (default: rejects/ in the data folder)',
    )
    .action(bounces);
}

async function bounces(path: string, { dryRun = false, rejects, json = false }: BouncesFlags): Promise<void> {
  const file = await readBounces(path);
  const hard = addressesOf(file, 'hard');
  await withBackends(async (backends, { dataDir }) => {
    const about = join(
      rejects ?? join(dataDir, 'rejects'),
      `${basename(path)}-${new Date().toISOString().replaceAll(':', '-')}`,
    );
    const unsubscribedFile = dryRun ? null : await listUnsubscribed(file, about);
    const run = async (changeSet: string | null) => {
      const suppressed = await backends.suppressions.listKeysSince(everSince);
      const counts = await markBounces(backends.records, hard, suppressed, changeSet);
      return summarize(file, counts, { changeSet, unsubscribedFile });
    };
    const summary = dryRun
      ? await run(null)
      : await doRecorded(backends, {
          action: 'bounces',
          subjects: [path],
          work: run,
          describe: describeMarked,
          count: ({ known, unchanged, unknown, unsubscribed }) => ({ known, unchanged, unknown, unsubscribed }),
        });
    printResult(summary, describeBounces, json);
    if (summary.unread > 0) {
      reportFault(
        `${countOf(summary.unread, 'row')} could not be read, without an address or with a status that is not known (first on line ${summary.unread_lines.join(', ')}).`,
      );
    }
    if (!dryRun) await backends.maintenance.settle(summary.records);
  });
}

type BouncesSummary = ReturnType<typeof summarize>;

/**
 * @param changeSet null in a dry run
 * @param unsubscribedFile entries for `suppress --from`; null if nobody unsubscribed
 */
function summarize(
  file: BouncesFile,
  counts: Awaited<ReturnType<typeof markBounces>>,
  { changeSet, unsubscribedFile }: { changeSet: string | null; unsubscribedFile: string | null },
) {
  const { rows, unread, unread_lines } = file;
  const count = (delivery: Delivery) => addressesOf(file, delivery).length;
  return {
    import_id: changeSet,
    dry_run: changeSet === null,
    ...{ rows, unread, unread_lines },
    hard: count('hard'),
    ...counts,
    ...{ soft: count('soft'), delivered: count('delivered'), unsubscribed: count('unsubscribed') },
    unsubscribed_file: unsubscribedFile,
  };
}

type BouncesFile = Awaited<ReturnType<typeof readBounces>>;

/** @throws RefusedFile if the file has no columns of addresses and of what became of mail */
async function readBounces(path: string) {
  const input = await inputAt(path, { sheet: null, encoding: null, columns: usualColumns });
  const source = await input.open();
  try {
    const { rows, headings } = await openRawRows(source, usualColumns);
    const file = {
      rows: 0,
      /** Rows without an address, or whose status is not known. */
      unread: 0,
      /** The lines of the first of them. */
      unread_lines: [] as number[],
      /** Addresses, each with the gravest of what its rows say. */
      deliveries: new Map<string, Delivery>(),
    };
    let reader: BounceReader | null = null;
    for await (const batch of rows) {
      const keys = headings ?? [...new Set(batch.flatMap(({ cells }) => (isObject(cells) ? Object.keys(cells) : [])))];
      const table = batch.map(({ cells }) => inOrderOf(keys, cells));
      reader ??= new BounceReader(keys, table);
      for (const [index, cells] of table.entries()) {
        const { line = 0, fault } = batch[index] ?? {};
        file.rows += 1;
        const row = fault ? { fault: 'no_address' as const } : reader.read(cells);
        if ('fault' in row) noteUnread(file, line);
        else noteDelivery(file, row);
      }
    }
    return file;
  } catch (error) {
    throw error instanceof RefusedFile ? new RefusedFile(error.code, `${path} ${error.message}.`) : error;
  } finally {
    source.close();
  }
}

/** The cells of a row in the order of the headings; of JSON, the values of these keys. */
function inOrderOf(headings: readonly string[], cells: unknown): readonly string[] {
  if (Array.isArray(cells)) return cells;
  return headings.map((heading) => (isObject(cells) ? String(cells[heading] ?? '') : ''));
}

const maxLines = 5;

function noteUnread(file: BouncesFile, line: number): void {
  file.unread += 1;
  if (file.unread_lines.length < maxLines) file.unread_lines.push(line);
}

const gravity: readonly Delivery[] = ['delivered', 'soft', 'unsubscribed', 'hard'];

function noteDelivery({ deliveries }: BouncesFile, { email, delivery }: { email: string; delivery: Delivery }): void {
  const address = email.toLowerCase();
  const earlier = deliveries.get(address);
  if (earlier === undefined || gravity.indexOf(delivery) > gravity.indexOf(earlier)) deliveries.set(address, delivery);
}

function addressesOf({ deliveries }: BouncesFile, wantedDelivery: Delivery): string[] {
  return [...deliveries].flatMap(([email, delivery]) => (delivery === wantedDelivery ? [email] : []));
}

async function listUnsubscribed(file: BouncesFile, about: string): Promise<string | null> {
  const addresses = addressesOf(file, 'unsubscribed');
  if (addresses.length === 0) return null;
  return makeFile(`${about}.unsubscribed.txt`, addresses.map((address) => `address ${address}\n`).join(''));
}

function describeMarked({ known, unchanged, unknown }: BouncesSummary): string {
  return `${formatNumber(known)} known, ${formatNumber(unchanged)} of them unchanged, ${formatNumber(unknown)} unknown`;
}

function describeBounces(summary: BouncesSummary): string {
  const { hard, soft, delivered, unsubscribed, rows, records, import_id, dry_run, unsubscribed_file: file } = summary;
  const were = dry_run ? 'would be' : records === 1 ? 'was' : 'were';
  return [
    `${countOf(rows, 'row')} read: ${formatNumber(hard)} hard, ${formatNumber(soft)} soft, ${formatNumber(delivered)} delivered, ${formatNumber(unsubscribed)} unsubscribed.`,
    `Of the ${hard === 1 ? 'address' : 'addresses'} that bounced hard: ${describeMarked(summary)}. ${countOf(records, 'record')} ${were} changed.`,
    ...(unsubscribed === 0
      ? []
      : [
          `${formatNumber(unsubscribed)} unsubscribed. Hide them for good${file === null ? ' with suppress' : `: npm run indexer -- suppress --from ${quoteForShell(file)}`}`,
        ]),
    ...(records === 0 && !dry_run ? [] : [describeUndo(import_id)]),
  ].join('\n');
}
