import type { Command } from 'commander';
import { withBackends } from '#indexer/open-indexer.ts';
import { everSince } from '#outbound/late-suppressions.ts';
import { type JsonFlag, printResult, readNumber, reportFault } from '#src/command-line/command-line.ts';
import { describeUndo } from '#src/command-line/output.ts';
import { createProgressDisplay } from '#src/command-line/progress.ts';
import { daysAfter } from '#text/days.ts';
import { countOf } from '#text/printed.ts';
import { type CheckSummary, checkEmails } from '../records/check-emails.ts';
import { chooseRecords, readFilters } from '../records/choose-records.ts';
import { doRecorded } from '../records/do-recorded.ts';
import { MailDomains } from '../records/mail-domains.ts';

type CheckFlags = JsonFlag & { filter?: string[]; olderThan?: number; dryRun?: boolean };

interface Checked extends CheckSummary {
  /** The change set that undoes it; null in a dry run. */
  change_set: string | null;
  dry_run: boolean;
}

export function addTo(program: Command): void {
  program
    .command('check-emails')
    .description('set the status of email addresses by what DNS says about their domains; sends no mail')
    .option('--filter <name=value...>', 'a parameter of the search API, such as country=US|CA or email_status=unknown')
    .option('--older-than <days>', 'only addresses verified at least so long ago, or never', readNumber(0, 36_500))
    .option('--dry-run', 'ask DNS and report what would change, but change nothing')
    .action(checkStoredEmails);
}

async function checkStoredEmails({ filter = [], olderThan, dryRun = false, json = false }: CheckFlags): Promise<void> {
  const query = readFilters(filter);
  const display = createProgressDisplay({ isSilent: json });
  await withBackends(async (backends, { dnsServers }) => {
    const mailDomains = new MailDomains(dnsServers);
    await mailDomains.check();
    const work = async (changeSet: string | null): Promise<Checked> => {
      const { total: chosenCount, batches } = await chooseRecords(backends, query);
      const summary = await checkEmails({
        records: backends.records,
        mailDomains,
        source: batches,
        suppressed: () => backends.suppressions.listKeysSince(everSince),
        verifiedBefore: olderThan === undefined ? null : new Date(daysAfter(new Date(), -olderThan)),
        changeSet,
        onProgress(done, total) {
          const [title, unit] = total === null ? ['reading', 'records'] : ['checking', 'addresses'];
          display.show({ title, done, total: total ?? chosenCount, count: done, unit });
        },
      }).finally(display.stop);
      return { change_set: changeSet, dry_run: dryRun, ...summary };
    };
    const checked = dryRun
      ? await work(null)
      : await doRecorded(backends, {
          action: 'check-emails',
          subjects: [filter.length === 0 ? 'all records' : filter.join(' ')],
          work,
          count: ({ checked, domains, changed, found }) => ({ checked, domains, changed, ...found }),
          describe: ({ checked, changed, stopped }) =>
            `${countOf(checked, 'contact')} checked, ${changed} changed${stopped === null ? '' : `, stopped early: ${stopped}`}`,
        });
    printResult(checked, describeChecked, json);
    const whatStays = dryRun ? '' : ' What was checked until then is kept.';
    if (checked.stopped !== null) reportFault(`${checked.stopped}${whatStays}`);
    if (!dryRun) await backends.maintenance.settle(checked.checked);
  });
}

const meanings: Record<keyof CheckSummary['found'] | keyof CheckSummary['left_out'], string> = {
  takes_mail: 'at a domain that takes mail',
  webmail: 'at a webmail provider',
  disposable: 'at a provider of disposable addresses',
  no_such_domain: 'at a domain that does not exist',
  no_mail_server: 'at a domain that takes no mail',
  unknown: 'unknown, because DNS gave no reliable answer for the domain',
  suppressed: 'left out: suppressed',
  verified_recently: 'left out: verified recently',
  changed_meanwhile: 'left out: changed meanwhile',
};

function describeChecked({ change_set, dry_run, checked, domains, found, changed, left_out }: Checked): string {
  const counts = Object.entries({ ...found, ...left_out }).filter(([, count]) => count > 0);
  return [
    `${countOf(checked, 'contact')} at ${countOf(domains, 'domain')} checked.`,
    ...counts.map(([name, count]) => `${String(count).padStart(8)} ${meanings[name as keyof typeof meanings]}`),
    `The status of ${countOf(changed, 'contact')} ${dry_run ? 'would change' : 'changed'}.`,
    ...(changed === 0 && !dry_run ? [] : [describeUndo(change_set)]),
  ].join('\n');
}
