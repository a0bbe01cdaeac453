import type { Command } from 'commander';
import { withBackends } from '#indexer/open-indexer.ts';
import { holdsAddress } from '#records/addresses/scrub-addresses.ts';
import { type ContactPatch, type KeptContact, saysAContact, withValues } from '#records/contacts/contact.ts';
import type { MediaRecord, RecordKey, RecordPatch } from '#records/media-record.ts';
import type { ImportNote } from '#records/normalize/import-note.ts';
import { isFlatKey, valueIn } from '#records/normalize/normalize-contact.ts';
import { normalizeRecord } from '#records/normalize/normalize-record.ts';
import { type JsonFlag, printError, printResult, reportFault, UsageError } from '#src/command-line/command-line.ts';
import { describeUndo } from '#src/command-line/output.ts';
import { findFieldNamed } from '../importing/column-map.ts';
import { type ChangedFields, changedFields, describeFields } from '../records/change-sets.ts';
import { doRecorded } from '../records/do-recorded.ts';
import { describeMissing } from '../records/merge-duplicates.ts';

interface SetFlags extends JsonFlag {
  dryRun?: boolean;
}

/** The values as the user typed them, by field. */
type Source = Partial<Record<RecordKey, string>>;

interface SetSummary {
  id: string;
  /** The change set, to undo the change; null if nothing changed, or in a dry run. */
  change_set: string | null;
  dry_run: boolean;
  fields: ChangedFields;
}

export function addTo(program: Command): void {
  program
    .command('set')
    .description('set fields of a record, read as an import reads them')
    .argument('<id>', 'id of the record')
    .argument('<field=value...>', 'such as city=Leeds; city= clears it; values of a list are separated by |')
    .option('--dry-run', 'report what would change and change nothing')
    .action(setFields);
}

async function setFields(given: string, assignments: string[], { dryRun = false, json }: SetFlags): Promise<void> {
  const source = readAssignments(assignments);
  await withBackends(async (backends) => {
    const { records } = backends;
    const id = given.trim();
    const stored = await records.find(id);
    if (stored === null) {
      for (const fault of await describeMissing(backends.mergedIds, [id])) reportFault(fault);
      return;
    }
    const read = readPatch(stored, source);
    if ('faults' in read) {
      for (const fault of read.faults) reportFault(`${fault}. Nothing was changed.`);
      return;
    }
    for (const { message } of read.notes) printError(`note: ${message}`);
    const [preview] = await records.amend([id], () => read.patch, null);
    const foreseen = preview ? changedFields(preview.before, preview.after) : {};
    if (dryRun || Object.keys(foreseen).length === 0) {
      printResult({ id, change_set: null, dry_run: dryRun, fields: foreseen }, describeSet, json);
      return;
    }
    const summary = await doRecorded(backends, {
      action: 'set',
      subjects: [`record ${id}: ${Object.keys(source).join(', ')}`],
      async work(changeSet): Promise<SetSummary> {
        const [done] = await records.amend([id], () => read.patch, changeSet);
        const fields = done ? changedFields(done.before, done.after) : {};
        return { id, change_set: changeSet, dry_run: false, fields };
      },
      count: ({ fields }) => ({ fields: Object.keys(fields).length }),
      describe: ({ fields }) => `${Object.keys(fields).join(', ') || 'nothing'} changed`,
    });
    printResult(summary, describeSet, json);
  });
}

/** Throws UsageError for a field that does not exist or cannot be changed. */
function readAssignments(assignments: readonly string[]): Source {
  const source: Source = {};
  for (const assignment of assignments) {
    const [name = '', ...rest] = assignment.split('=');
    // An error must not show an address.
    const shown = name.includes('@') || holdsAddress(name) ? 'an argument' : `"${name}"`;
    if (rest.length === 0) throw new UsageError(`${shown} has no value. Write it as field=value.`);
    const field = findFieldNamed(name.trim());
    if (typeof field !== 'string') throw new UsageError(`${shown} is not a field to set. ${field.hint}`);
    if (field === 'id') throw new UsageError('the id of a record cannot be changed');
    source[field] = rest.join('=');
  }
  return source;
}

/** Reads values as an import reads cells. A value that an import would skip is a fault here; a corrected one gives a note. */
function readPatch(
  stored: MediaRecord,
  source: Source,
): { patch: RecordPatch; notes: readonly ImportNote[] } | { faults: readonly string[] } {
  const result = normalizeRecord({ kind: stored.kind, ...source, id: stored.id });
  if ('rejection' in result) return { faults: [result.rejection.message] };
  const { patch, notes } = result;
  const isNoted = (key: RecordKey) => notes.some(({ field }) => field === key);
  const isSkipped = (key: RecordKey) => {
    const value = valueIn(patch, key);
    return value === undefined || (value === null && isNoted(key));
  };
  const skipped = (Object.keys(source) as RecordKey[]).filter((key) => key !== 'country_name' && isSkipped(key));
  if (skipped.length === 0) return withContactSet(stored, source, patch, notes);
  return {
    faults: skipped.map(
      (key) =>
        notes.find(({ field }) => field === key)?.message ?? `${key} cannot be set to that; the stored value is kept`,
    ),
  };
}

/** Fields of a contact are those of the only one. A record without contacts gets one. */
function withContactSet(
  stored: MediaRecord,
  source: Source,
  patch: RecordPatch,
  notes: readonly ImportNote[],
): ReturnType<typeof readPatch> {
  const keys = (Object.keys(source) as RecordKey[]).filter(isFlatKey);
  const { contacts, ...values } = patch;
  if (keys.length === 0 || contacts === undefined || !('patches' in contacts)) return { patch: values, notes };
  const [only, ...others] = stored.contacts;
  if (only === undefined) return { patch, notes };
  if (others.length > 0) {
    const ids = stored.contacts.map(({ id }) => id).join(', ');
    return { faults: [`${keys.join(', ')} cannot be set, because the record has several contacts: ${ids}`] };
  }
  return { patch: { ...values, contacts: withOnly(only, contacts.patches[0] ?? {}) }, notes };
}

/** The only contact with other values; none if nothing is left of it. */
function withOnly(contact: KeptContact, { id: _, sourceId: __, ...values }: ContactPatch): KeptContact[] {
  const changed = withValues(contact, values);
  return saysAContact(changed) ? [changed] : [];
}

function describeSet({ id, change_set, dry_run, fields }: SetSummary): string {
  const isIdle = change_set === null && !dry_run;
  const end = isIdle ? `${id} has these values already; nothing was changed.` : describeUndo(change_set);
  return [...describeFields(fields), end].join('\n');
}
