import type { Command } from 'commander';
import { withBackends } from '#indexer/open-indexer.ts';
import { visibleBatches } from '#outbound/late-suppressions.ts';
import type { Contact } from '#records/contacts/contact.ts';
import { emailStatuses, kinds } from '#records/vocabularies.ts';
import type { JsonFlag } from '#src/command-line/command-line.ts';
import { printRows } from '#src/command-line/output.ts';
import { countRecords } from '#src/command-line/progress.ts';
import { dayMs } from '#text/days.ts';

export function addTo(program: Command): void {
  program
    .command('report')
    .description(
      'count records by kind, with their contacts, and these by the status of their address and the age of its last check',
    )
    .action(report);
}

type Tally = Record<string, number>;

const monthMs = 30 * dayMs;

async function report({ json }: JsonFlag): Promise<void> {
  await withBackends(async ({ records, suppressions }) => {
    const now = Date.now();
    const names = [...kinds, 'all'];
    const tallies = new Map(names.map((kind): [string, Tally] => [kind, emptyTally()]));
    const progress = countRecords(await records.count(), { isSilent: json });
    let recordCount = 0;
    for await (const batch of visibleBatches(records.readAll(), suppressions)) {
      for (const record of batch) {
        const counted = ['records', ...record.contacts.flatMap((contact) => countedOf(contact, now))];
        for (const kind of [record.kind, 'all']) {
          const tally = tallies.get(kind) ?? {};
          for (const name of counted) tally[name] = (tally[name] ?? 0) + 1;
        }
      }
      recordCount += batch.length;
      progress.show('reading', recordCount);
    }
    progress.stop();
    const rows = names.map((kind) => ({ kind, ...tallies.get(kind) }));
    printRows(rows, '', json);
  });
}

function emptyTally(): Tally {
  const names = [
    'records',
    'contacts',
    'people',
    'with_email',
    ...emailStatuses,
    'checked_3_months',
    'checked_a_year',
    'older',
    'never',
  ];
  return Object.fromEntries(names.map((name) => [name, 0]));
}

/** What a contact counts as; its address too, if it has one. */
function countedOf({ kind, email, email_status: status, last_verified_at: at }: Contact, now: number): string[] {
  const who = kind === 'person' ? ['contacts', 'people'] : ['contacts'];
  if (email === null) return who;
  const months = at === null ? null : (now - Date.parse(at)) / monthMs;
  const age = months === null ? 'never' : months <= 3 ? 'checked_3_months' : months <= 12 ? 'checked_a_year' : 'older';
  return [...who, 'with_email', status ?? 'unknown', age];
}
