import type { Command } from 'commander';
import { withBackends } from '#indexer/open-indexer.ts';
import { holdsAddress } from '#records/addresses/scrub-addresses.ts';
import { describeChange, type RecordChange } from '#records/changes/record-change.ts';
import type { FieldDefinition } from '#records/field-definition.ts';
import { fields } from '#records/fields.ts';
import type { MediaRecord, RecordKey, RecordPatch } from '#records/media-record.ts';
import { mergeRecord } from '#records/merge-record.ts';
import type { ImportNote } from '#records/normalize/import-note.ts';
import { normalizeRecord } from '#records/normalize/normalize-record.ts';
import { findField } from '#records/normalize/source-words.ts';
import { type JsonFlag, printError, printResult, reportFault, UsageError } from '#src/command-line/command-line.ts';
import { findNearestWord } from '#text/edit-distance.ts';
import { changedFields, describeField, type ShownChange } from '../records/change-sets.ts';
import { doRecorded } from '../records/do-recorded.ts';
import { describeMissing } from '../records/merge-duplicates.ts';

interface SetFlags extends JsonFlag {
  dryRun?: boolean;
}

/** Values in the form of a source, by field. */
type Source = Partial<Record<RecordKey, string | null>>;

/** What became of the record, with old and new values of its fields. */
interface SetSummary {
  id: string;
  /** The change set that undoes it; null if nothing changed, or in a dry run. */
  change_set: string | null;
  dry_run: boolean;
  fields: ShownChange['fields'];
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

async function setFields(id: string, assignments: string[], flags: SetFlags): Promise<void> {
  const source: Source = {};
  for (const assignment of assignments) {
    const [name = '', ...rest] = assignment.split('=');
    if (rest.length === 0) throw new UsageError(`${quote(name)} has no value. Write it as field=value`);
    source[fieldNamed(name)] = rest.join('=');
  }
  await change(id, source, flags);
}

/** @throws UsageError for a field that does not exist, or that no record can change. */
function fieldNamed(name: string): RecordKey {
  const key = findField(name.trim());
  if (key === 'id') throw new UsageError('the id of a record cannot be changed');
  if (key !== null) return key;
  const keys = (fields as readonly FieldDefinition[]).map((field) => field.key);
  const nearest = findNearestWord(name, keys);
  const hint = nearest === null ? `Use ${keys.slice(1).join(', ')}` : `Did you mean ${nearest}?`;
  throw new UsageError(`${quote(name)} is not a field. ${hint}`);
}

/** An argument in an error, which must not show an address. */
function quote(name: string): string {
  return name.includes('@') || holdsAddress(name) ? 'an argument' : `"${name}"`;
}

async function change(given: string, source: Source, { dryRun = false, json }: SetFlags): Promise<void> {
  await withBackends(async (backends) => {
    const { records, changes } = backends;
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
    const foreseen = foresee(stored, read.patch);
    if (dryRun || foreseen === null) {
      const shown = foreseen === null ? {} : changedFields({ ...foreseen, changeSet: '', at: '' });
      printResult({ id, change_set: null, dry_run: dryRun, fields: shown }, describeSet, json);
      return;
    }
    const summary = await doRecorded(backends, {
      action: 'set',
      subjects: [`record ${id}: ${Object.keys(source).join(', ')}`],
      async work(changeSet): Promise<SetSummary> {
        await records.amend([id], () => read.patch, changeSet);
        const [logged] = (await changes.listChangesOf(id, 1)).filter((one) => one.changeSet === changeSet);
        return { id, change_set: changeSet, dry_run: false, fields: logged ? changedFields(logged) : {} };
      },
      count: ({ fields: changed }) => ({ fields: Object.keys(changed).length }),
      describe: ({ fields: changed }) => `${Object.keys(changed).join(', ') || 'nothing'} changed`,
    });
    printResult(summary, describeSet, json);
  });
}

/**
 * Reads the values as an import reads the cells of a row. What it would skip with a note is a fault here; what it would
 * mend stays a note.
 */
function readPatch(
  { id, kind }: MediaRecord,
  source: Source,
): { patch: RecordPatch; notes: readonly ImportNote[] } | { faults: readonly string[] } {
  const result = normalizeRecord({ kind, ...source, id });
  if ('rejection' in result) return { faults: [result.rejection.message] };
  const { patch, notes } = result;
  const isNoted = (key: RecordKey) => notes.some(({ field }) => field === key);
  const isSkipped = (key: RecordKey) => patch[key] === undefined || (patch[key] === null && isNoted(key));
  const skipped = (Object.keys(source) as RecordKey[]).filter((key) => key !== 'country_name' && isSkipped(key));
  if (skipped.length === 0) return { patch, notes };
  return {
    faults: skipped.map(
      (key) =>
        notes.find(({ field }) => field === key)?.message ?? `${key} cannot be set to that; the stored value is kept`,
    ),
  };
}

/** What the patch would change of the record. */
function foresee(stored: MediaRecord, patch: RecordPatch): RecordChange | null {
  const result = mergeRecord(stored, patch, new Date());
  return 'record' in result ? describeChange({ id: stored.id, before: stored, after: result.record }) : null;
}

function describeSet({ id, change_set, dry_run, fields: changed }: SetSummary): string {
  const lines = Object.entries(changed).map(describeField);
  if (dry_run) lines.push('Nothing was changed: this was a dry run.');
  else if (change_set === null) lines.push(`${id} has these values already; nothing was changed.`);
  else lines.push(`To undo it: npm run indexer -- imports undo ${change_set}`);
  return lines.join('\n');
}
