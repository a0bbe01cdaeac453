import { faultOfReason } from '#domain/read-suppression.ts';
import { describeKey } from '#domain/suppression.ts';
import type { GivenSuppressions } from '#src/suppressing/read-suppressions.ts';
import { findVisible, type SuppressionSummary, suppressRecords } from '#src/suppressing/suppress-records.ts';
import { doAudited } from '#usecases/do-audited.ts';
import { print, printJson, UsageError } from '../command-line.ts';
import { readKeys } from './read-keys.ts';
import { withBackends } from './with-backends.ts';

export interface SuppressFlags extends GivenSuppressions {
  reason?: string;
  dryRun?: boolean;
  json?: boolean;
}

/** `suppress` */
export async function runSuppress({ reason, dryRun = false, json = false, ...given }: SuppressFlags): Promise<void> {
  const fault = reason === undefined ? null : faultOfReason(reason);
  if (fault !== null) throw new UsageError(fault);
  const keys = await readKeys(given);
  await withBackends(async ({ upkeep, whenPrepared }, { auditor }) => {
    await whenPrepared();
    if (dryRun) {
      const hidden = (await findVisible(upkeep, keys)).length;
      if (json) printJson({ hidden });
      else print(`${count(hidden, 'record')} would be hidden.`);
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
    if (json) printJson(summary);
    else print(describe(summary));
  });
}

function describe({ added, known, hidden }: SuppressionSummary): string {
  const before = known === 0 ? '' : ` (${known} already on the list)`;
  return `${count(added, 'suppression')} added${before}, ${count(hidden, 'record')} hidden.`;
}

function count(number: number, thing: string): string {
  return `${number} ${thing}${number === 1 ? '' : 's'}`;
}
