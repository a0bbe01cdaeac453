import type { Command } from 'commander';
import { withBackends } from '#indexer/open-indexer.ts';
import { everSince } from '#outbound/late-suppressions.ts';
import type { MediaRecord, RecordPatch } from '#records/media-record.ts';
import type { ImportNote } from '#records/normalize/import-note.ts';
import type { Amended } from '#records/record-store.ts';
import { type JsonFlag, printError, printResult, reportFault } from '#src/command-line/command-line.ts';
import { describeUndo } from '#src/command-line/output.ts';
import { type Assignments, contactFields, readAssignments, readValues } from '../records/assignments.ts';
import { type ChangedFields, changedFields, describeFields } from '../records/change-sets.ts';
import { doRecorded } from '../records/do-recorded.ts';
import { withoutHiddenContacts } from '../records/explain-hiding.ts';
import { describeMissing } from '../records/merge-duplicates.ts';
import { changeContacts } from '../records/set-contact.ts';

type SetFlags = JsonFlag & { contact?: string; dryRun?: boolean };

interface SetSummary {
  id: string;
  /** The id of the contact that was added; null for none. */
  added_contact: string | null;
  /** The change set, to undo the change; null if nothing changed, or in a dry run. */
  change_set: string | null;
  dry_run: boolean;
  fields: ChangedFields;
}

export function addTo(program: Command): void {
  program
    .command('set')
    .description('set fields of a record or of one of its contacts, read as an import reads them')
    .argument('<id>', 'id of the record')
    .argument(
      '<field=value...>',
      'such as city=Leeds; city= clears it; values of a list are separated by |; preferred=ID puts a contact first for good',
    )
    .option('--contact <id>', `the contact whose ${contactFields.join(', ')} to set; new adds one`)
    .option('--dry-run', 'report what would change and change nothing')
    .action(setFields);
}

async function setFields(
  typedId: string,
  words: string[],
  { dryRun = false, json, ...flags }: SetFlags,
): Promise<void> {
  const contact = flags.contact ?? null;
  const assignments = readAssignments(words, contact !== null);
  await withBackends(async (backends) => {
    const { records, suppressions, mergedIds } = backends;
    const id = typedId.trim();
    const stored = await records.find(id);
    if (stored === null) {
      for (const fault of await describeMissing(mergedIds, [id])) reportFault(fault);
      return;
    }
    const suppressed = await suppressions.listKeysSince(everSince);
    const plan = planPatch(stored, { assignments, contact, suppressed });
    if ('faults' in plan) {
      for (const fault of plan.faults) reportFault(`${fault}. Nothing was changed.`);
      return;
    }
    for (const { message } of plan.notes) printError(`note: ${message}`);
    const amend = async (changeSet: string | null): Promise<SetSummary> => {
      const patchFor = (record: MediaRecord) => patchOf(planPatch(record, { assignments, contact, suppressed }));
      const [amended] = await records.amend([id], patchFor, changeSet);
      return { id, change_set: changeSet, dry_run: dryRun, ...describeAmended(amended, suppressed) };
    };
    const foreseen = await amend(null);
    if (dryRun || Object.keys(foreseen.fields).length === 0) return printResult(foreseen, describeSet, json);
    const summary = await doRecorded(backends, {
      action: 'set',
      subjects: [`record ${id}: ${namesOf(assignments).join(', ')}`],
      work: amend,
      count: ({ fields }) => ({ fields: Object.keys(fields).length }),
      describe: ({ fields }) => `${Object.keys(fields).join(', ') || 'nothing'} changed`,
    });
    printResult(summary, describeSet, json);
  });
}

function namesOf({ ofRecord, ofContact, preferred }: Assignments): string[] {
  return [...Object.keys(ofRecord), ...Object.keys(ofContact), ...(preferred === undefined ? [] : ['preferred'])];
}

interface SetOptions {
  assignments: Assignments;
  contact: string | null;
  /** The keys of all suppressions. */
  suppressed: ReadonlySet<string>;
}

type PlannedPatch = { patch: RecordPatch; notes: readonly ImportNote[] } | { faults: readonly string[] };

function planPatch(stored: MediaRecord, { assignments, contact, suppressed }: SetOptions): PlannedPatch {
  const values = readValues(stored, assignments);
  if ('faults' in values) return values;
  const { preferred } = assignments;
  if (values.ofContact === null && preferred === undefined) return { patch: values.ofRecord, notes: values.notes };
  const change = { contact, values: values.ofContact, ...(preferred !== undefined && { preferred }) };
  const changed = changeContacts(stored, change, suppressed);
  if ('fault' in changed) return { faults: [changed.fault] };
  return { patch: { ...values.ofRecord, contacts: changed.contacts }, notes: values.notes };
}

/** The patch for a record, which may have changed since it was first planned. */
function patchOf(plan: PlannedPatch): RecordPatch {
  if ('patch' in plan) return plan.patch;
  throw new Error(`the record changed meanwhile: ${plan.faults.join('. ')}. Nothing was changed.`);
}

function describeAmended(amended: Amended | undefined, suppressed: ReadonlySet<string>) {
  if (amended === undefined) return { added_contact: null, fields: {} };
  const { before, after } = amended;
  const idsBefore = new Set(before.contacts.map(({ id }) => id));
  const added = after.contacts.find(({ id }) => !idsBefore.has(id))?.id ?? null;
  const visible = (record: MediaRecord) => withoutHiddenContacts(record.id, record, suppressed);
  return { added_contact: added, fields: changedFields(visible(before), visible(after)) };
}

function describeSet({ id, added_contact, change_set, dry_run, fields }: SetSummary): string {
  const isIdle = change_set === null && !dry_run;
  const end = isIdle ? `${id} has these values already; nothing was changed.` : describeUndo(change_set);
  const added = added_contact === null || change_set === null ? [] : [`Its id is ${added_contact}.`];
  return [...describeFields(fields), ...added, end].join('\n');
}
