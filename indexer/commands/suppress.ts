import { Command } from 'commander';
import { faultOfReason } from '#domain/read-suppression.ts';
import { describeKey } from '#domain/suppression.ts';
import { doAudited } from '../audited.ts';
import { type GivenSuppressions, readSuppressions } from '../suppress/read-suppressions.ts';
import { findVisible, type SuppressionSummary, suppressRecords } from '../suppress/suppress-records.ts';
import { withBackends } from './with-backends.ts';

interface SuppressFlags extends GivenSuppressions {
  reason?: string;
  dryRun?: boolean;
  json?: boolean;
}

export const suppressCommand = new Command('suppress')
  .description('hide records from every search for good, whatever is imported later; docs/suppressing.md')
  .option('--address <address...>', 'whatever has this email address')
  .option('--domain <domain...>', 'whatever has an address, page or feed there or below')
  .option('--record <id...>', 'one record')
  .option('--from <file>', 'more of them, one a line: `address name@example.org`; - for standard input')
  .option('--reason <text>', 'why, for the list; without an address')
  .option('--dry-run', 'say how many records would be hidden and change nothing')
  .option('--json', 'print the outcome as JSON, and nothing else')
  .action(async ({ reason, dryRun = false, json = false, ...given }: SuppressFlags) => {
    const fault = reason === undefined ? null : faultOfReason(reason);
    if (fault !== null) throw new Error(fault);
    const keys = await readSuppressions(given);
    await withBackends(async ({ upkeep, whenPrepared }, { auditor }) => {
      await whenPrepared();
      if (dryRun) {
        const hidden = (await findVisible(upkeep, keys)).length;
        console.log(json ? JSON.stringify({ hidden }) : `${count(hidden, 'record')} would be hidden.`);
        return;
      }
      const addedAt = new Date().toISOString();
      const summary = await doAudited(auditor, {
        action: 'suppress',
        subjects: keys.map(describeKey),
        work: () =>
          suppressRecords(
            upkeep,
            keys.map((key) => ({ key, reason: reason ?? null, addedAt })),
          ),
        describe,
      });
      console.log(json ? JSON.stringify(summary) : describe(summary));
    });
  });

function describe({ added, known, hidden }: SuppressionSummary): string {
  const before = known === 0 ? '' : ` (${known} on the list before)`;
  return `${count(added, 'suppression')} added${before}, ${count(hidden, 'record')} hidden.`;
}

function count(number: number, thing: string): string {
  return `${number} ${thing}${number === 1 ? '' : 's'}`;
}
